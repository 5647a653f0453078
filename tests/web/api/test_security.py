"""Who may come in: by Host, Origin, Sec-Fetch-Site, key, scope, sign-in; and what browsers are told to forbid."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import httpx
import pytest

from studio import keys
from studio.errors import ConfigurationError
from studio.settings import Settings
from tests.web.api.conftest import Keyed
from tests.web.seeding import brief
from tests.web.served import Served, served
from web.security import secret_key
from web.security_hosts import Site

JOB = {"brief": brief("Guarded")}


def hosts(port: int) -> list[tuple[str, int]]:
    return [
        (f"localhost:{port}", 200),
        (f"127.0.0.1:{port}", 200),
        (f"[::1]:{port}", 200),
        (f"LOCALHOST:{port}", 200),
        ("localhost", 421),
        (f"localhost:{port + 1}", 421),
        (f"evil.example:{port}", 421),
        (f"localhost.evil.example:{port}", 421),
        (f"0.0.0.0:{port}", 421),
        (f"127.0.0.1.nip.io:{port}", 421),
        (f"localhost:{port}@evil.example", 421),
        ("", 421),
    ]


@pytest.mark.parametrize("index", range(12))
def test_only_the_studio_s_own_hosts_are_answered(opened: Served, http: httpx.Client, index: int) -> None:
    host, status = hosts(opened.port)[index]
    for path in ("/api/v1/kinds", "/", "/gallery"):
        answer = http.get(path, headers={"Host": host})
        refused = (400, 421)  # the server itself refuses what is no host at all
        assert answer.status_code == 200 if status == 200 else answer.status_code in refused, (host, path)


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),  # a program: it sends neither
        ({"Origin": "own"}, True),
        ({"Origin": "own", "Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "none"}, True),
        ({"Origin": "null"}, False),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "http://localhost:1"}, False),
        ({"Origin": "content"}, False),
        ({"Origin": ""}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Origin": "own", "Sec-Fetch-Site": "cross-site"}, False),
    ],
)
@pytest.mark.parametrize("key", [False, True])
def test_unsafe_methods_from_foreign_pages_are_refused_keyed_or_not(
    opened: Served, keyed: Keyed, headers: dict[str, str], allowed: bool, key: bool
) -> None:
    studio = keyed.studio if key else opened
    places = {"own": studio.url, "content": f"http://abcdefabcdefabcdef.localhost:{studio.port}"}
    sent = {name: places.get(value, value) for name, value in headers.items()}
    if key:
        sent["Authorization"] = f"Bearer {keyed.keys['create']}"
        sent["Host"] = f"localhost:{studio.port}"
    for path, body in (("/api/v1/jobs", JOB), ("/api/v1/jobs?dry_run=1", JOB)):
        answer = studio.http.post(path, json=body, headers=sent)
        assert answer.is_success == allowed, (answer.status_code, answer.text)
        if not allowed:
            assert answer.status_code == 403
            assert answer.headers["Content-Type"] == "application/problem+json"
    assert studio.http.get("/api/v1/kinds", headers=sent).status_code == 200  # safe methods are not asked


def test_pages_forms_need_their_token(http: httpx.Client) -> None:
    refused = http.post("/new/poster", data={"title": "A"}, headers={"Accept": "text/html"})
    assert refused.status_code == 400
    assert "Traceback" not in refused.text
    page = http.get("/new/poster")
    token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page.text)
    assert token
    sent = http.post("/new/poster", data={"csrf_token": token[1], "title": ""})
    assert sent.status_code != 400


@pytest.mark.parametrize(
    ("key", "method", "path", "status"),
    [
        (None, "GET", "/api/v1/kinds", 401),
        (None, "POST", "/api/v1/jobs", 401),
        (None, "GET", "/", 401),
        (None, "GET", "/gallery", 401),
        (None, "GET", "/readyz", 401),
        (None, "GET", "/api/v1/nothing", 401),
        (None, "GET", "/healthz", 200),
        ("read", "GET", "/api/v1/kinds", 200),
        ("read", "GET", "/gallery", 200),
        ("read", "POST", "/api/v1/jobs", 403),
        ("create", "GET", "/api/v1/kinds", 200),
        ("create", "POST", "/api/v1/jobs", 202),
        ("admin", "POST", "/api/v1/jobs", 202),
        ("revoked", "GET", "/api/v1/kinds", 401),
        ("revoked", "POST", "/api/v1/jobs", 401),
    ],
)
def test_off_loopback_everything_asks_for_a_key(
    keyed: Keyed, key: str | None, method: str, path: str, status: int
) -> None:
    headers = {"Authorization": f"Bearer {keyed.keys[key]}"} if key else {}
    body = JOB if method == "POST" else None
    answer = keyed.studio.http.request(method, path, json=body, headers=headers)
    assert answer.status_code == status, answer.text
    if status == 401:
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("text", ["studio_", "x" * 5000, "studio_" + "A" * 43, "é", "Bearer", "a b"])
def test_what_is_no_key_is_refused(keyed: Keyed, opened: Served, text: str) -> None:
    headers = [("Authorization", f"Bearer {text}".encode())]
    for studio in (keyed.studio, opened):  # a wrong key is a mistake also where none is needed
        assert studio.http.get("/api/v1/kinds", headers=headers).status_code == 401


def test_the_sign_in_address_works_once(keyed: Keyed) -> None:
    studio = keyed.studio
    address = f"/sign-in/{keyed.sign_in}"
    with httpx.Client(base_url=studio.url) as browser:
        for _ in range(2):  # looking at it uses up nothing
            page = browser.get(address, headers={"Accept": "text/html"})
            assert page.status_code == 200
        token = re.search(r'name="csrf_token" value="([^"]+)"', page.text)
        assert token
        assert browser.get("/gallery").status_code == 401
        entered = browser.post(address, data={"csrf_token": token[1]})
        assert (entered.status_code, entered.headers["Location"]) == (303, "/")
        cookie = entered.headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        assert browser.get("/gallery").status_code == 200
        assert browser.post("/api/v1/jobs", json=JOB, headers={"Origin": studio.url}).status_code == 202
        assert browser.post("/api/v1/jobs", json=JOB, headers={"Origin": "https://evil.example"}).status_code == 403
    with httpx.Client(base_url=studio.url) as other:
        page = other.get(address)
        token = re.search(r'name="csrf_token" value="([^"]+)"', page.text)
        assert token
        assert other.post(address, data={"csrf_token": token[1]}).status_code == 403
        assert other.get("/gallery").status_code == 401
    assert keyed.sign_in not in studio.log


def test_a_sign_in_address_that_nobody_made_is_refused(keyed: Keyed) -> None:
    with httpx.Client(base_url=keyed.studio.url) as browser:
        page = browser.get("/sign-in/invented")
        token = re.search(r'name="csrf_token" value="([^"]+)"', page.text)
        assert token
        assert browser.post("/sign-in/invented", data={"csrf_token": token[1]}).status_code == 403
        assert browser.post("/sign-in/invented", data={}).status_code == 400


def test_secrets_are_stored_as_hashes_only(keyed: Keyed) -> None:
    stored = b"".join(path.read_bytes() for path in keyed.studio.settings.data_dir.glob("studio.sqlite3*"))
    for text in (*keyed.keys.values(), keyed.sign_in):
        assert text.encode() not in stored
    listed = keys.list_keys(keyed.studio.db)
    assert {key.name for key in listed} >= {"read", "create", "admin"}


def test_behind_tls_the_cookie_is_bound_to_the_host(tmp_path: Path) -> None:
    with served(tmp_path, public_url="https://studio.example.org") as studio:
        home = {"Host": "studio.example.org"}
        assert studio.http.get("/api/v1/kinds", headers=home).status_code == 401  # behind a proxy nobody is local
        page = studio.http.get("/sign-in/x", headers=home)
        cookie = page.headers["Set-Cookie"]
        assert cookie.startswith("__Host-")
        assert "Secure" in cookie
        assert "Path=/" in cookie
        assert "Domain" not in cookie
        assert page.headers["Strict-Transport-Security"]
        assert studio.http.get("/healthz", headers={"Host": "evil.example"}).status_code == 421


@pytest.mark.parametrize(
    "path", ["/", "/gallery", "/jobs", "/new/poster", "/nothing", "/api/v1/kinds", "/api/v1/nothing"]
)
def test_every_answer_carries_the_policies(opened: Served, http: httpx.Client, path: str) -> None:
    answer = http.get(path)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    scripts = re.search(r"script-src 'nonce-([\w-]{20,})'(;|$)", policy)
    assert scripts
    assert http.get(path).headers["Content-Security-Policy"] != policy  # a nonce is used once
    assert f"frame-src http://*.localhost:{opened.port}" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in answer.headers["Permissions-Policy"]
    for tag in re.findall(r"<script[^>]*>", answer.text):
        assert f'nonce="{scripts[1]}"' in tag
    assert not re.search(r"\son\w+=", answer.text)


def test_the_secret_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    key = secret_key(tmp_path / "data")
    assert secret_key(tmp_path / "data") == key
    assert len(key) == 64
    assert stat.S_IMODE((tmp_path / "data" / "secret_key").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["secret_key"]
    (tmp_path / "data" / "secret_key").write_text("short")
    with pytest.raises(ConfigurationError, match="damaged"):
        secret_key(tmp_path / "data")


@pytest.mark.parametrize(
    ("given", "word"),
    [
        (
            {"public_url": "https://a.example.org", "content_origin": "https://{token}.content.example.org"},
            "registrable",
        ),
        ({"public_url": "https://example.org", "content_origin": "https://{token}.example.org"}, "registrable"),
        ({"host": "0.0.0.0", "content_origin": "https://{token}.example.net"}, "STUDIO_PUBLIC_URL"),
        ({"public_url": "https://a.example.org", "content_origin": "https://files.example.net"}, "{token}"),
        ({"public_url": "https://a.example.org", "content_origin": "{token}.example.net"}, "{token}"),
        ({"public_url": "studio.example.org"}, "STUDIO_PUBLIC_URL"),
    ],
)
def test_an_unfit_content_origin_is_refused_at_the_start(tmp_path: Path, given: dict[str, str], word: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(word)):
        Site.of(Settings.model_validate({"data_dir": tmp_path, **given}))


def test_a_content_origin_of_another_domain_is_taken(tmp_path: Path) -> None:
    given = {"public_url": "https://studio.example.org", "content_origin": "https://{token}.example.net"}
    site = Site.of(Settings.model_validate({"data_dir": tmp_path, "host": "0.0.0.0", **given}))  # noqa: S104
    token = "0123456789abcdef0123456789abcdef01234567"
    assert site.content_url(token, "a b/é.svg", 8765) == f"https://{token}.example.net/a%20b/%C3%A9.svg"
    assert site.token_in(f"{token}.example.net", 8765) == token
    assert site.token_in("studio.example.org", 8765) is None
    assert site.frame_source(8765) == "https://*.example.net"
    assert site.owns("studio.example.org", 8765)
    assert not site.owns(f"{token}.example.net", 8765)
