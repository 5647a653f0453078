"""The web application as gunicorn loads it: settings come from the environment that the supervisor prepared."""

from __future__ import annotations

from studio.settings import Settings
from web.app import create_app

app = create_app(Settings())
