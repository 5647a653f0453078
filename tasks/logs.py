"""How the background processes write their logs: lines on standard error."""

from __future__ import annotations

import logging

from studio.settings import Settings


def set_up_logs(settings: Settings) -> None:
    """Send every logger's lines from `log_level` up to standard error."""
    logging.basicConfig(
        level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True
    )
