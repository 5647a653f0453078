"""Which addresses the studio answers to, and which other origin shows files that a model made.

Untrusted files need an origin that shares nothing with the studio. On one machine that is `{token}.localhost`, which
browsers resolve to this machine and treat as a site of its own. Elsewhere the operator names another registrable
domain. Where there is none, files come from the studio's own address under a `sandbox` policy (web/content.py).
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from studio.errors import ConfigurationError
from studio.settings import Settings
from web.urls import quoted

TOKEN_PATTERN = r"[a-z0-9]{16,63}"
OWN_PATH = "/content"  # where untrusted files are served when there is no second origin
_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


def is_loopback(host: str) -> bool:
    """Is `host` an address that only this machine can reach?"""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def split_host(value: str) -> tuple[str, int | None]:
    """The name (lower case, IPv6 in brackets) and the port of a Host header. Raises ValueError when it is malformed."""
    found = re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_.-]+)(?::([0-9]{1,5}))?", value)
    if not found:
        raise ValueError("malformed Host header")
    return found[1].lower().rstrip("."), int(found[2]) if found[2] else None


def registrable(host: str) -> str:
    """The part of `host` that is taken for its registrable domain: an address whole, else its last two labels.

    There is no public suffix list here. Hosts of one registrable domain always share their last two labels, so a
    content origin that could set the studio's cookies is never let through; below a suffix of two labels (`co.uk`)
    domains of different owners count as one, and such a content origin is refused although it would be safe.
    """
    name = host.strip("[]").lower().rstrip(".")
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        return ".".join(name.split(".")[-2:])


@dataclass(frozen=True)
class Site:
    """The studio's own addresses and its content origin, from the settings.

    `template` is the content origin with `{token}` in it; None means the studio's own path.
    """

    local: bool  # bound to loopback
    bound: str
    public: str | None  # origin that the operator gave, e.g. https://studio.example.org
    template: str | None
    tiles: tuple[str, ...] = ()  # origins of map tiles, as they stand in a policy

    @classmethod
    def of(cls, settings: Settings) -> Site:
        """Raises ConfigurationError where the settings contradict each other."""
        local = is_loopback(settings.host)
        public = _public(settings.public_url)
        template = settings.content_origin
        if template == "self" or (template is None and not (local and public is None)):
            template = None
        elif template is None:
            template = "http://{token}.localhost"
        else:
            _check_template(template, public, settings.host)
        return cls(local, settings.host.strip("[]").lower(), public, template, _tiles(settings.tile_sources))

    @property
    def secure(self) -> bool:
        """Do browsers reach the studio by TLS?"""
        return bool(self.public and self.public.startswith("https:"))

    def owns(self, host: str, port: int) -> bool:
        """Is `host`, a Host header, one of the studio's own? `port` is the one that the server listens on."""
        try:
            name, given = split_host(host)
        except ValueError:
            return False
        if self.public:
            known = urlsplit(self.public)
            default = 443 if known.scheme == "https" else 80
            if name == split_host(known.netloc)[0] and (given or default) == (known.port or default):
                return True
        if name in _LOOPBACK_NAMES or name.strip("[]") == self.bound:
            return (given or 80) == port
        return not self.local and self.public is None

    def token_in(self, host: str, port: int) -> str | None:
        """The content token in a Host header, or None when this is no address of the content origin."""
        if self.template is None:
            return None
        known = urlsplit(self.template)
        try:
            name, given = split_host(host)
        except ValueError:
            return None
        pattern = re.escape(known.netloc.rpartition(":")[0] if _has_port(known.netloc) else known.netloc)
        found = re.fullmatch(pattern.replace(re.escape("{token}"), f"({TOKEN_PATTERN})"), name)
        if not found:
            return None
        default = 443 if known.scheme == "https" else 80
        expected = port if known.netloc.endswith(".localhost") else (known.port or default)
        return found[1] if (given or default) == expected else None

    def is_content(self, host: str) -> bool:
        """Does a Host header belong to the content origin's domain, whatever its token and port?"""
        if self.template is None:
            return False
        suffix = urlsplit(self.template).netloc.partition("{token}")[2].partition(":")[0]
        return host.rpartition("]")[2].partition(":")[0].lower().rstrip(".").endswith(suffix)

    def own_origins(self, host: str, scheme: str, port: int) -> tuple[str, ...]:
        """The origins of the studio's pages for a request that came to `host`."""
        if self.public:
            return (self.public, *self._loopback(port)) if self.local else (self.public,)
        return self._loopback(port) if self.local else (f"{scheme}://{host}",)

    def _loopback(self, port: int) -> tuple[str, ...]:
        names = dict.fromkeys((*_LOOPBACK_NAMES, f"[{self.bound}]" if ":" in self.bound else self.bound))
        return tuple(f"http://{name}{'' if port == 80 else f':{port}'}" for name in names)

    def content_origin(self, token: str, port: int) -> str | None:
        """The origin of one artifact's files, or None where they are below the studio's own address."""
        if self.template is None:
            return None
        suffix = f":{port}" if self.template.endswith(".localhost") and port != 80 else ""
        return self.template.replace("{token}", token) + suffix

    def content_url(self, token: str, path: str, port: int) -> str:
        """Where a browser finds one file of an artifact or job."""
        origin = self.content_origin(token, port)
        return f"{origin or f'{OWN_PATH}/{token}'}/{quoted(path)}"

    def frame_source(self, port: int) -> str:
        """The source expression that allows frames, images and media from the content origin in a policy."""
        return self.content_origin("*", port) or "'self'"


def _has_port(netloc: str) -> bool:
    return bool(re.search(r":[0-9]+$", netloc))


def _tiles(value: str) -> tuple[str, ...]:
    """The origins in the setting. Nothing else may get into a policy: no path, no quote, no further rule."""
    found = tuple(value.split())
    for source in found:
        if not re.fullmatch(r"https?://(\*\.)?[A-Za-z0-9.-]+(:[0-9]{1,5})?", source):
            raise ConfigurationError(
                f"STUDIO_TILE_SOURCES: {source[:80]!r} is no origin; give origins such as https://tile.example.org or "
                "https://*.tile.example.org, with blanks between"
            )
    return found


def _public(value: str | None) -> str | None:
    if not value:
        return None
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path not in {"", "/"} or parts.query:
        raise ConfigurationError("STUDIO_PUBLIC_URL: give scheme and host only, for example https://studio.example.org")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _check_template(template: str, public: str | None, bound: str) -> None:
    parts = urlsplit(template)
    if parts.scheme not in {"http", "https"} or not parts.netloc.startswith("{token}.") or parts.path or parts.query:
        raise ConfigurationError(
            "STUDIO_CONTENT_ORIGIN: give an origin whose first label is {token}, "
            "for example https://{token}.example.net, or `self` where there is no second domain"
        )
    if not public and not parts.netloc.endswith(".localhost"):
        raise ConfigurationError(
            "STUDIO_CONTENT_ORIGIN needs STUDIO_PUBLIC_URL too: the address by which people open the studio itself"
        )
    own = urlsplit(public).hostname if public else bound
    other = parts.netloc.partition("{token}.")[2].partition(":")[0]
    if own and other != "localhost" and registrable(own) == registrable(other):
        raise ConfigurationError(
            f"STUDIO_CONTENT_ORIGIN: {other} shares its registrable domain with the studio ({own}), so that files "
            "made by a model could set cookies for it. Use another registrable domain."
        )
