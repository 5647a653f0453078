"""A sandbox's way out, put together: the door, the relay and the Squid behind it."""

from __future__ import annotations

from collections.abc import Mapping

from studio.sandboxes.client import ToolHostSandbox
from studio.sandboxes.egress import clients
from studio.sandboxes.egress.doors import PORT, Door
from studio.sandboxes.egress.relay import Relay
from studio.sandboxes.egress.rules import Rules, of_setting
from studio.sandboxes.egress.squid import Squid
from studio.sandboxes.records import Records
from studio.sandboxes.types import Fetched, Profile, SandboxSpec
from studio.settings import Settings


def environment() -> Mapping[str, str]:
    """What programs inside find, in the forms that clients know."""
    address = f"http://127.0.0.1:{PORT}"
    names = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
    direct = "localhost,127.0.0.1"
    # Programs that pip installs for its user come first; on the local engine also the word on apt-get.
    path = f"{clients.HOME}/.local/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    quiet = {"PIP_ROOT_USER_ACTION": "ignore", "DEBIAN_FRONTEND": "noninteractive"}
    return {**dict.fromkeys(names, address), "no_proxy": direct, "NO_PROXY": direct, "PATH": path, **quiet}


class Gate:
    """The open way of one sandbox."""

    def __init__(self, door: Door, rules: Rules, service: str) -> None:
        """Open it. Raises ConfigurationError; the door is closed then."""
        try:
            listening = door.received()
        finally:
            door.close()
        try:
            self._squid = Squid(rules, service)
        except BaseException:
            listening.close()
            raise
        self._relay = Relay(listening, self._squid.port, service)

    def fetched(self) -> list[Fetched]:
        """What was asked for since the last call."""
        return self._squid.account.take()

    def close(self) -> None:
        """End it; what was asked for until then can still be had."""
        self._relay.close()
        self._squid.close()


class Ways:
    """Opens the ways of one engine's sandboxes; what an image's clients name is asked once."""

    def __init__(self, settings: Settings, records: Records) -> None:
        self._allowed = settings.egress_allow
        self._records = records
        self._asked: dict[Profile, clients.Clients] = {}

    def open(self, sandbox: ToolHostSandbox, door: Door, spec: SandboxSpec) -> None:
        """Give a sandbox that has just begun its way. Raises ConfigurationError with the remedy."""
        try:
            asked = self._asked.get(spec.profile) or clients.ask(sandbox)
            rules = Rules(asked.admitted | of_setting(self._allowed), all_public=spec.network == "open")
            sandbox.upload(asked.settings)
        except BaseException:
            door.close()
            raise
        self._asked[spec.profile] = asked
        sandbox.way = Gate(door, rules, service_name(self._records.studio, sandbox.id))


def service_name(studio: str, sandbox: str = "") -> str:
    """What a sandbox's Squid is called, or how all of a studio's begin: Squid takes 32 letters and digits."""
    return f"sq{studio[-12:]}{sandbox.replace('-', '')}"
