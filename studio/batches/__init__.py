"""Batches: many briefs as one request. Lines are stored first, and become jobs in a bounded window.

The front doors read lines (`read_file`, `Plan.line`) and hand them to `create` or `preview`; upkeep calls `feed` and
`advance`; everyone may `get`, list, `cancel` and read results.
"""

from studio.batches.archive import members
from studio.batches.feeding import advance, cancel, feed
from studio.batches.files import read_file
from studio.batches.lines import Line, Plan
from studio.batches.queries import ended_lines, error_of, errors, get, list_batches, result_of, results
from studio.batches.storing import MAX_LINES, create, preview
from studio.batches.views import (
    OPEN,
    BatchState,
    BatchView,
    Counts,
    LineError,
    LineProblem,
    LineResult,
    Otherwise,
    Preview,
    PreviewLine,
    Strategy,
)

__all__ = [
    "MAX_LINES",
    "OPEN",
    "BatchState",
    "BatchView",
    "Counts",
    "Line",
    "LineError",
    "LineProblem",
    "LineResult",
    "Otherwise",
    "Plan",
    "Preview",
    "PreviewLine",
    "Strategy",
    "advance",
    "cancel",
    "create",
    "ended_lines",
    "error_of",
    "errors",
    "feed",
    "get",
    "list_batches",
    "members",
    "preview",
    "read_file",
    "result_of",
    "results",
]
