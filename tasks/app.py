"""The Celery application, and how its worker is started. Only ids of jobs travel on the queue."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from celery import Celery
from pydantic import SecretStr

from studio.errors import ConfigurationError
from studio.settings import Settings
from tasks.folder import QUEUE

TASK = "studio.generate"
POLL_S = 0.25


@cache
def app_for(settings: Settings) -> Celery:
    """The application of these settings; one for each process. Raises ConfigurationError."""
    app = Celery("studio")
    app.conf.update(
        task_default_queue=QUEUE,
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        # A worker holds no message beside those that it works on, so that another one can take what waits.
        task_acks_late=True,
        worker_prefetch_multiplier=1,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
        broker_connection_retry_on_startup=True,
        broker_connection_timeout=3,
        **_broker(settings),
    )
    return app


def _broker(settings: Settings) -> dict[str, Any]:
    if settings.broker_url:
        if "://" not in settings.broker_url:
            raise ConfigurationError("STUDIO_BROKER_URL: give redis://HOST:6379/0, or amqp://USER@HOST//")
        return {"broker_url": _with_password(settings.broker_url, settings.broker_password)}
    folder = queue_folder(settings)
    folder.mkdir(parents=True, exist_ok=True)
    return {
        "broker_url": "filesystem://localhost",
        "broker_transport": "tasks.folder:Transport",
        "broker_transport_options": {
            "data_folder_in": str(folder),
            "data_folder_out": str(folder),
            "control_folder": str(folder),
            "polling_interval": POLL_S,
        },
    }


def _with_password(url: str, password: SecretStr | None) -> str:
    """The address with a password that stands elsewhere, so that no file with settings holds it."""
    if password is None:
        return url
    parts = urlsplit(url)
    before, _, place = parts.netloc.rpartition("@")
    user = before.partition(":")[0]
    return parts._replace(netloc=f"{user}:{quote(password.get_secret_value(), safe='')}@{place}").geturl()


def queue_folder(settings: Settings) -> Path:
    """Where the embedded broker keeps its messages."""
    return settings.data_dir / "queue"


def worker_argv(settings: Settings) -> list[str]:
    """The command that works jobs on this machine, in an environment made by `settings.environment()`.

    SIGTERM gives the jobs under way back to the queue and ends it within seconds; SIGKILL loses nothing but time.
    """
    return [sys.executable, "-m", "tasks.worker"]


def reach(settings: Settings) -> None:
    """Connect to the broker once. Raises what its library raises when it does not answer within seconds."""
    with app_for(settings).connection_for_write() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0, timeout=3)
