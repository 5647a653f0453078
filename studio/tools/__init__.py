"""The three calls that a model can make, and how one call is answered."""

from __future__ import annotations

from studio.errors import SandboxRefused, ToolError
from studio.tools.bash import ExecuteBash
from studio.tools.editor import StrReplaceEditor
from studio.tools.submit import Submit
from studio.tools.types import Answer, Attend, Submission, Tool, Workbench
from studio.trajectory import Call

__all__ = ["SCHEMAS", "TOOLS", "Answer", "Attend", "Submission", "Tool", "Workbench", "answer_call"]

TOOLS: dict[str, Tool] = {tool.schema.name: tool for tool in (ExecuteBash(), StrReplaceEditor(), Submit())}
SCHEMAS = tuple(tool.schema for tool in TOOLS.values())


def answer_call(call: Call, bench: Workbench) -> Answer:
    """The answer to one call. What the model can mend (ToolError, SandboxRefused) is an answer too, never an error."""
    tool = TOOLS.get(call.name)
    if tool is None:
        return Answer(
            shown=f"There is no tool called {call.name[:60]!r}. The tools are: {', '.join(TOOLS)}.", is_error=True
        )
    try:
        return tool.run(call.arguments, bench)
    except (ToolError, SandboxRefused) as error:
        return Answer(shown=str(error), is_error=True)
