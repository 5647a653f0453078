"""Who may come in, and what browsers are told to forbid.

Three guards stand before every route, in this order: the Host header, the origin of unsafe methods, and access. Then
every response gets the policies of WEB.md ("Safe"). The content origin has its own (web/content.py).
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from flask import Flask, Response, g, request, session
from flask_wtf import CSRFProtect

from studio import keys, passwords
from studio.database import Database
from studio.errors import ConfigurationError
from studio.keys import Scope
from web.i18n import gettext
from web.problems import Refused, request_id
from web.security_hosts import Site
from web.state import Studio, studio

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OPERATOR = "operator"
_FREE_ENDPOINTS = frozenset(
    {
        *("static", "words.style", "language.choose", "health.alive", "content.own"),
        *("signin.show", "signin.enter", "signin.ask", "signin.by_password"),
        *("shared.page", "shared.file"),
    }
)
# What a visitor may ask for where the gallery is open to all; each answers from what is public (web/visitors.py).
_OPEN_ENDPOINTS = frozenset(
    {
        *("start.home", "gallery.wall", "gallery.artifact"),
        *("api.list_artifacts", "api.list_facets", "api.get_artifact", "api.artifact_file"),
    }
)
_RECORD_ENDPOINTS = frozenset({"gallery.trajectory", "gallery.step", "gallery.found_steps", "api.artifact_trajectory"})
PASSWORD = "password"  # noqa: S105  # in a session: the stamp of the password that it was opened by
_PERMISSIONS = (
    "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), midi=(), "
    "display-capture=(), browsing-topics=()"
)


@dataclass(frozen=True)
class Principal:
    """Whoever asks: a key by its name, the operator signed in, or the person at this machine."""

    name: str
    scopes: frozenset[Scope]
    anonymous: bool = False

    def may(self, scope: Scope) -> bool:
        return scope in self.scopes or "admin" in self.scopes


LOCAL = Principal("local", frozenset({"admin"}))
SIGNED_IN = Principal(OPERATOR, frozenset({"admin"}))
ANONYMOUS = Principal("anonymous", frozenset(), anonymous=True)
VISITOR = Principal("visitor", frozenset({"read"}), anonymous=True)  # where the gallery is open, and only there


def principal() -> Principal:
    """Whoever makes the present request."""
    found: Principal = g.get("principal", ANONYMOUS)
    return found


def require(scope: Scope) -> None:
    """Refuse the present request unless its maker has `scope`."""
    if not principal().may(scope):
        raise Refused(403, gettext("This key may not do that; it needs the scope %(scope)s.", scope=repr(scope)))


def server_port() -> int:
    """The port that this server listens on."""
    return int(request.environ.get("SERVER_PORT") or 0)


def is_open(site: Site, db: Database) -> bool:
    """Is the studio open to whoever is at this machine? Decided at start: loopback only, and no key or password."""
    return site.local and site.public is None and not keys.any_valid(db) and not passwords.is_set(db)


def install(app: Flask, services: Studio, *, open_to_machine: bool) -> CSRFProtect:
    """Put the guards before, and the policies behind, every route of `app`."""
    site = services.site
    app.config.update(
        SECRET_KEY=secret_key(services.settings.data_dir),
        # Cookies ignore ports: two studios on one machine must not share one.
        SESSION_COOKIE_NAME="__Host-studio" if site.secure else f"studio-{services.settings.port}",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=site.secure,
        SESSION_COOKIE_PATH="/",
        PERMANENT_SESSION_LIFETIME=timedelta(days=14),
        WTF_CSRF_TIME_LIMIT=None,  # as long as the session: a form left open over night is not lost
        WTF_CSRF_SSL_STRICT=False,  # the origin of unsafe methods is checked below, keyed or not
    )
    app.before_request(_check_host)
    app.before_request(_check_origin)
    app.before_request(lambda: _check_access(open_to_machine))
    app.after_request(_policies)
    return CSRFProtect(app)


def secret_key(folder: Path) -> str:
    """The key that signs cookies; made once, readable by its owner alone. Raises ConfigurationError."""
    path = folder / "secret_key"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".secret_key.{secrets.token_hex(8)}")
        if not path.exists():
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as out:
                out.write(secrets.token_hex(32))
            try:
                os.link(fresh, path)  # never replaces the key of a process that was quicker
            except FileExistsError:
                pass
            finally:
                fresh.unlink()
        key = path.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"STUDIO_DATA_DIR: cannot keep a secret key in {path}: {error}") from None
    if len(key) < 64:
        raise ConfigurationError(f"{path} is damaged; remove it (everyone signs in again) and start once more")
    return key


def _check_host() -> None:
    site = studio().site
    if not site.owns(request.environ.get("HTTP_HOST", ""), server_port()):
        raise Refused(
            421,
            gettext(
                "The studio does not answer to this Host. Open it by the address that it printed, "
                "or set STUDIO_PUBLIC_URL to the one that people use."
            ),
        )


def _check_origin() -> None:
    """Unsafe methods only from the studio's own pages, or from what is no page at all (no such headers)."""
    if request.method in SAFE_METHODS:
        return
    site = studio().site
    origin = request.headers.get("Origin")
    if origin is not None and origin not in site.own_origins(request.host, request.scheme, server_port()):
        raise Refused(403, gettext("Requests from pages of another origin are refused."))
    if request.headers.get("Sec-Fetch-Site", "none") not in {"same-origin", "none"}:
        raise Refused(403, gettext("Requests from pages of another site are refused."))


def _check_access(open_to_machine: bool) -> None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        key = keys.authenticate(studio().db, token.strip())
        if key is None:
            raise Refused(401, gettext("This key is unknown or revoked."), headers=_challenge("invalid_token"))
        g.principal = Principal(f"key:{key.id}", frozenset(key.scopes))
    elif open_to_machine:
        g.principal = LOCAL
    elif session.get(OPERATOR) and _still_counts():
        g.principal = SIGNED_IN
    else:
        g.principal = VISITOR if _is_open_to_visitors() else ANONYMOUS
        if g.principal is VISITOR or request.endpoint in _FREE_ENDPOINTS:
            return
        raise Refused(
            401,
            gettext(
                "Sign in with the operator’s password, or by the address that the studio printed at its start; or send "
                "`Authorization: Bearer` with a key made by `studio keys create`."
            ),
            headers=_challenge(),
        )
    if request.endpoint not in _FREE_ENDPOINTS:
        require("read" if request.method in SAFE_METHODS else "create")


def _still_counts() -> bool:
    """Who signed in by a password is out when there is another one."""
    return PASSWORD not in session or session[PASSWORD] == passwords.stamp(studio().db)


def _is_open_to_visitors() -> bool:
    settings = studio().settings
    if not settings.anonymous_gallery or request.method not in SAFE_METHODS:
        return False
    return request.endpoint in _OPEN_ENDPOINTS or (settings.anonymous_record and request.endpoint in _RECORD_ENDPOINTS)


def _challenge(error: str | None = None) -> dict[str, str]:
    return {"WWW-Authenticate": 'Bearer realm="studio"' + (f', error="{error}"' if error else "")}


def csp_nonce() -> str:
    """The nonce of the present response; scripts and styles that carry it run."""
    if "csp_nonce" not in g:
        g.csp_nonce = secrets.token_urlsafe(18)
    found: str = g.csp_nonce
    return found


def page_policy() -> str:
    """The Content-Security-Policy of the studio's own pages."""
    content = studio().site.frame_source(server_port())
    nonce = csp_nonce()
    tiles = "".join(f" {origin}" for origin in g.get("tile_origins", ()))  # of a map on a form
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'nonce-{nonce}'",
            f"style-src 'self' 'nonce-{nonce}'",
            f"img-src 'self' data: {content}{tiles}",
            f"media-src 'self' {content}",
            "font-src 'self'",
            "connect-src 'self'",
            f"frame-src {content}",
            "manifest-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    )


def _policies(response: Response) -> Response:
    headers = response.headers
    headers.setdefault("Content-Security-Policy", page_policy())
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
    headers.setdefault("Permissions-Policy", _PERMISSIONS)
    headers["X-Request-Id"] = request_id()
    if studio().site.secure:
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    if request.endpoint != "static":
        headers.setdefault("Cache-Control", "private, no-cache")  # no-store would lose a form on the way back to it
    return response
