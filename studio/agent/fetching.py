"""What a sandbox asked of the network, from its proxy's log into the record and the sums."""

from __future__ import annotations

from studio.agent.budget import Budget
from studio.agent.recorder import Recorder
from studio.sandboxes.types import Sandbox
from studio.trajectory import NetworkUsed


def record_network(sandbox: Sandbox, recorder: Recorder, budget: Budget, attempt: int) -> None:
    """Keep what was asked since the last time: an event for each host."""
    for use in sandbox.fetched():
        event = NetworkUsed(
            attempt=attempt,
            host=use.host,
            port=use.port,
            bytes=use.bytes,
            admitted=use.admitted,
            requests=use.requests,
            files=list(use.files),
        )
        budget.count_fetched(event)
        recorder.record(event)
