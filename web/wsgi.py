"""The web application as gunicorn loads it: settings come from the environment that the supervisor prepared."""

from __future__ import annotations

import signal
import threading
from types import FrameType

from studio.settings import Settings
from web.app import create_app
from web.state import Studio

app = create_app(Settings())


def end_streams_on_sigterm() -> None:
    """Let open streams end when the server is asked to: it waits for its threads, and they would never end."""
    if threading.current_thread() is not threading.main_thread():
        return
    server = signal.getsignal(signal.SIGTERM)

    def end(number: int, frame: FrameType | None) -> None:
        services: Studio = app.extensions["studio"]
        threading.Thread(target=services.events.close).start()  # a handler must not wait for locks
        if callable(server):
            server(number, frame)

    signal.signal(signal.SIGTERM, end)
    signal.siginterrupt(signal.SIGTERM, False)


end_streams_on_sigterm()
