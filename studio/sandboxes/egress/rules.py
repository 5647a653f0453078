"""What a sandbox may reach, as Squid's configuration (squid.conf, "Access controls")."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from studio.errors import ConfigurationError

HTTP, HTTPS = 80, 443
# What is no address of the public internet: IANA's registries of special-purpose addresses (RFC 6890 and its updates),
# and IPv6 forms that carry an IPv4 address (RFC 6052, RFC 8215, RFC 3056).
INNER = (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/4", "240.0.0.0/4", "::/127", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001:db8::/32", "2002::/16",
    "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
)  # fmt: skip
LINK_LOCAL = ("169.254.0.0/16", "fe80::/10")  # where clouds answer for a machine's credentials
NAME = re.compile(r"\.?(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$")


@dataclass(frozen=True, order=True)
class Admitted:
    """A host and a port that may be reached; a host that begins with a dot means all names below that domain."""

    host: str
    port: int

    @property
    def whole_domain(self) -> bool:
        return self.host.startswith(".")


@dataclass(frozen=True)
class Rules:
    """What is admitted. `all_public` admits the web of the public internet beside it."""

    admitted: frozenset[Admitted]
    all_public: bool = False


def of_address(address: str) -> Admitted | None:
    """The host and port of an http(s) address; None for others (`file:`, `cdrom:`) and for what is none."""
    parts = urlsplit(address.strip())
    try:
        port = parts.port or {"http": HTTP, "https": HTTPS}[parts.scheme]
        return Admitted(_name(parts.hostname or ""), port)
    except (KeyError, ValueError):
        return None


def of_setting(text: str) -> frozenset[Admitted]:
    """What STUDIO_EGRESS_ALLOW names: `host`, `host:port` or `.domain`, with blanks between.

    Without a port 80 and 443 are meant. Raises ConfigurationError.
    """
    found: set[Admitted] = set()
    for word in text.replace(",", " ").split():
        host, colon, port = word.rpartition(":") if not word.endswith("]") else (word, "", "")
        try:
            ports = [int(port)] if colon else [HTTP, HTTPS]
            if not all(0 < number < 65536 for number in ports):
                raise ValueError
            found.update(Admitted(_name((host if colon else word).strip("[]")), number) for number in ports)
        except ValueError:
            raise ConfigurationError(
                f"STUDIO_EGRESS_ALLOW: {word[:80]!r} is no host, host:port or .domain, as in mirror.example.org:8080"
            ) from None
    return frozenset(found)


def _name(host: str) -> str:
    """A host's name or address as Squid compares it. Raises ValueError."""
    lowered = host.lower().rstrip(".")
    try:
        return str(ipaddress.ip_address(lowered))
    except ValueError:
        if not NAME.match(lowered):
            raise ValueError(host) from None
        return lowered


def configuration(rules: Rules, port: int, log: str, pages: str) -> str:
    """Squid's configuration for one sandbox: listening on loopback's `port`, one line in `log` for each request, the
    words of its refusals from the folder `pages`.

    An admitted host may have any address but a link-local one, as mirrors of companies have private ones; what is below
    an admitted domain, and what only the rule for all of the web admits, must have a public address.
    """
    lines = [*BASE, f"http_port 127.0.0.1:{port}", f"access_log stdio:{log} fetched", f"error_directory {pages}"]
    lines += [f"acl inner dst {' '.join((*INNER, *own_addresses()))}", f"acl link_local dst {' '.join(LINK_LOCAL)}"]
    lines += ["http_access deny manager", "http_access deny !reading"]
    for number, one in enumerate(sorted(rules.admitted)):
        # Looked at after the name, so that no name is resolved but an admitted one: it could carry words out.
        judged = "inner" if one.whole_domain else "link_local"
        lines += [f"acl host{number} dstdomain -n {one.host}", f"acl port{number} port {one.port}"]
        lines.append(f"http_access allow host{number} port{number} !{judged}")
    if rules.all_public:
        lines += ["http_access deny inner", f"acl web port {HTTP} {HTTPS}", "http_access allow web"]
    return "\n".join((*lines, "http_access deny all", ""))


BASE = (
    "visible_hostname sandbox",
    "pid_filename none",
    "coredump_dir none",
    "cache_log /dev/null",
    "cache deny all",
    "cache_mem 0",
    "memory_pools off",
    "memory_cache_shared off",
    "pinger_enable off",
    "max_filedescriptors 1024",
    "shutdown_lifetime 0 seconds",
    "connect_timeout 30 seconds",
    # A name's address is kept so long at least: what is judged is what is connected to.
    "negative_dns_ttl 60 seconds",
    "via off",
    "forwarded_for delete",
    "strip_query_terms off",
    "logformat fetched %Ss %<st %>rd %>rP %rm %ru",
    "acl reading method GET HEAD CONNECT",
    "deny_info ERR_UNSUP_REQ reading",
)


def own_addresses(table: Path = Path("/proc/net/fib_trie"), table_6: Path = Path("/proc/net/if_inet6")) -> list[str]:
    """This machine's own addresses (proc(5)): a public one of them is a way to services that trust this machine."""
    found: dict[str, None] = {}
    try:
        last = ""
        for line in table.read_text().splitlines():
            if words := re.match(r"\s*\|-- (\S+)$", line):
                last = words[1]
            elif "host LOCAL" in line:
                found[last] = None
    except OSError:
        pass
    try:
        for line in table_6.read_text().splitlines():
            found[str(ipaddress.IPv6Address(bytes.fromhex(line.split()[0])))] = None
    except (OSError, ValueError, IndexError):
        pass
    spaces = [ipaddress.ip_network(space) for space in INNER]
    return [text for text in found if not _within(text, spaces)]


def _within(text: str, spaces: Iterable[ipaddress.IPv4Network | ipaddress.IPv6Network]) -> bool:
    address = ipaddress.ip_address(text)
    return any(address in space for space in spaces)
