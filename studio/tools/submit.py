"""`submit`: the model says that it is done; the outputs are inspected before the run ends."""

from __future__ import annotations

import time

from pydantic import BaseModel

from studio.models.types import ToolSchema
from studio.tools.arguments import read_arguments
from studio.tools.types import Answer, Workbench

EXPECTED = '{"summary": string (optional)}'


class _Arguments(BaseModel):
    summary: str = ""


class Submit:
    """Hands the output folder over to the inspection."""

    schema = ToolSchema(
        name="submit",
        description=(
            "Say that the work is done. The files in /testbed/output are inspected on another, clean computer. When "
            "they hold, the run ends; otherwise the answer says what failed and by how much: mend it and submit again."
        ),
        parameters={
            "type": "object",
            "properties": {"summary": {"type": "string", "description": "What was made, in a sentence or two."}},
            "required": [],
            "additionalProperties": False,
        },
    )

    def run(self, arguments: str, bench: Workbench) -> Answer:
        """Have the outputs inspected; the answer ends the run when they are accepted or no repair is left."""
        given, word = read_arguments(arguments, _Arguments, self.schema.name, EXPECTED, sole="summary")
        started = time.monotonic()
        submission = bench.submit(given.summary)
        shown = f"{submission.text}\n{word}" if word else submission.text
        return Answer(
            shown=shown,
            output=submission.text,
            seconds=time.monotonic() - started,
            ends=submission.ends,
            pictures=submission.pictures,
        )
