"""The headers and the frame in which the gallery shows a page that a model made, so that it is judged under the same.

A test holds that they are those of the web server (web/content.py).
"""

from __future__ import annotations

from dataclasses import dataclass

STUDIO = "http://localhost"
TOKEN = "inspected"


@dataclass(frozen=True)
class Setting:
    """Where a page is opened: its address, its policy, and the frame around it."""

    name: str
    base: str  # address of the folder of outputs
    own: str  # the policy's source expression for it
    sandboxed: bool

    @property
    def policy(self) -> str:
        rules = [
            "default-src 'none'",
            f"script-src 'unsafe-inline' {self.own} data: blob:",
            f"style-src 'unsafe-inline' {self.own} data:",
            f"img-src {self.own} data: blob:",
            f"media-src {self.own} data: blob:",
            f"font-src {self.own} data:",
            f"connect-src {self.own}",
            f"worker-src {self.own} blob:",
            "form-action 'none'",
            "base-uri 'none'",
            f"frame-ancestors {STUDIO}",
        ]
        return "; ".join([*rules, "sandbox allow-scripts"] if self.sandboxed else rules)

    @property
    def headers(self) -> dict[str, str]:
        headers = {
            "Content-Security-Policy": self.policy,
            "Cross-Origin-Resource-Policy": "cross-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Origin-Agent-Cluster": "?1",
            "Referrer-Policy": "no-referrer",
            "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=()",
            "X-Content-Type-Options": "nosniff",
        }
        return headers | ({"Access-Control-Allow-Origin": "*"} if self.sandboxed else {})

    def frame(self, address: str) -> str:
        """The studio's page around it: nothing but the frame, as large as the window."""
        sandbox = "allow-scripts" if self.sandboxed else "allow-scripts allow-same-origin"
        return (
            "<!doctype html><html lang=en><title>Studio</title><style>html,body{margin:0;height:100%;overflow:hidden}"
            "iframe{display:block;border:0;width:100%;height:100%}</style>"
            f'<iframe title="Artifact" sandbox="{sandbox}" src="{address}"></iframe></html>'
        )


FOREIGN = Setting("an origin of its own", f"http://{TOKEN}.localhost/", "'self'", sandboxed=False)
OPAQUE = Setting("an opaque origin", f"{STUDIO}/content/{TOKEN}/", f"{STUDIO}/content/{TOKEN}/", sandboxed=True)
