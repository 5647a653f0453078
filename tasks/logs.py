"""How the background processes write their logs: lines on standard error."""

from __future__ import annotations

import logging

from studio.secrets import MaskingFormatter
from studio.settings import Settings


def set_up_logs(settings: Settings) -> None:
    """Send every logger's lines from `log_level` up to standard error, without the secrets."""
    handler = logging.StreamHandler()
    handler.setFormatter(MaskingFormatter(settings.secrets))
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
