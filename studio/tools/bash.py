"""`execute_bash`: one command in the sandbox's persistent shell."""

from __future__ import annotations

from pydantic import BaseModel, Field

from studio.errors import ToolError
from studio.models.types import ToolSchema
from studio.sandboxes.types import CommandResult
from studio.tools.arguments import read_arguments
from studio.tools.types import Answer, Workbench

DEFAULT_TIMEOUT_S = 120.0
EXPECTED = '{"command": string, "timeout": number of seconds (optional)}'


class _Arguments(BaseModel):
    command: str
    timeout: float | None = Field(default=None, gt=0, allow_inf_nan=False)


class ExecuteBash:
    """Runs a command; the shell's folder, variables and functions stay from call to call."""

    schema = ToolSchema(
        name="execute_bash",
        description=(
            "Run a command in the sandbox's bash and return its output and exit status. The shell stays between calls: "
            "folder, variables, functions and activated environments are kept. Standard input is empty, so use "
            "non-interactive flags. A long output is shown as its beginning and its end, with the file that holds "
            "all of it. A command that takes longer than its timeout is stopped; start a long one in the background "
            "(`program > log 2>&1 &`) and look at its log."
        ),
        parameters={
            "type": "object",
            "properties": {
                "command": {"type": "string", "description": "The command; several lines and here-documents are fine."},
                "timeout": {
                    "type": "number",
                    "description": "Seconds after which it is stopped; 120 when not given, at most the job's limit.",
                },
            },
            "required": ["command"],
            "additionalProperties": False,
        },
    )

    def run(self, arguments: str, bench: Workbench) -> Answer:
        """Run one command. Raises ToolError for bad arguments; a command that fails is an answer, not an error."""
        given, word = read_arguments(arguments, _Arguments, self.schema.name, EXPECTED, sole="command")
        if "\0" in given.command:
            raise ToolError("execute_bash was not run: the command contains a NUL character; leave it out.")
        if not given.command.strip():
            raise ToolError(f"execute_bash was not run: `command` is empty. Expected {EXPECTED}.")
        asked = (given.timeout or DEFAULT_TIMEOUT_S) * bench.slack
        timeout = min(asked, bench.command_s, max(bench.time_left(), 1.0))
        if given.timeout and given.timeout > bench.command_s:
            word = f"{word}\n[timeout: at most {bench.command_s:g} s in this job]".strip()
        result = bench.attend(lambda on_output: bench.sandbox.execute(given.command, timeout, on_output))
        return _answer(result, word)


def _answer(result: CommandResult, word: str) -> Answer:
    # A timeout and a restarted shell are told within the output, by the tool host.
    lines = [result.shown.rstrip("\n")] if result.shown.strip() else ["(no output)"]
    status = "none (killed)" if result.exit_status is None else str(result.exit_status)
    lines.append(f"[exit status {status}, in {result.cwd}]")
    if word:
        lines.append(word)
    return Answer(
        shown="\n".join(lines),
        output=result.output,
        exit_status=result.exit_status,
        timed_out=result.timed_out,
        cut_chars=result.cut_chars,
        output_file=result.output_file,
        cwd=result.cwd,
        seconds=result.seconds,
        files_changed=result.files_changed,
    )
