"""`str_replace_editor`: view, create and change files without shell quoting."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field, model_validator

from studio.models.types import Picture, ToolSchema
from studio.sandboxes.types import EditArguments
from studio.tools.arguments import read_arguments
from studio.tools.looking import look
from studio.tools.types import Answer, Workbench

EXPECTED = (
    '{"command": "view" | "create" | "str_replace" | "insert" | "undo_edit", "path": string, and for view '
    '"view_range": [first, last] (optional), for create "file_text": string, for str_replace "old_str": string and '
    '"new_str": string, for insert "insert_line": integer and "new_str": string}'
)
NEEDED = {"create": ("file_text",), "str_replace": ("old_str",), "insert": ("insert_line", "new_str")}


class _Arguments(BaseModel):
    command: Literal["view", "create", "str_replace", "insert", "undo_edit"]
    path: str = Field(min_length=1, max_length=4096)
    file_text: str | None = None
    old_str: str | None = None
    new_str: str | None = None
    insert_line: int | None = Field(default=None, ge=0)
    view_range: tuple[int, int] | None = None

    @model_validator(mode="after")
    def _complete(self) -> _Arguments:
        missing = [name for name in NEEDED.get(self.command, ()) if getattr(self, name) is None]
        if missing:
            raise ValueError(f"{self.command} needs " + " and ".join(f"`{name}`" for name in missing))
        if self.command == "str_replace" and not self.old_str:
            raise ValueError("`old_str` must not be empty; use insert or create instead")
        if "\0" in self.path:
            raise ValueError("`path` must not contain a NUL character")
        return self


class StrReplaceEditor:
    """Looks at and changes files; bytes pass as they are."""

    schema = ToolSchema(
        name="str_replace_editor",
        description=(
            "View, create and edit text files in the sandbox. `view` shows a file with line numbers, a folder two "
            "levels deep, or a picture (PNG, JPEG, GIF, WebP): itself to whoever sees pictures, else its format and "
            "size. `create` writes a whole file, making its folders; it overwrites what is there. `str_replace` "
            "replaces `old_str`, which must occur exactly once, by `new_str`. `insert` puts `new_str` after line "
            "`insert_line` (0: at the top). `undo_edit` takes back the last change of that file. Nothing is quoted or "
            "escaped: the text arrives as given."
        ),
        parameters={
            "type": "object",
            "properties": {
                "command": {"type": "string", "enum": ["view", "create", "str_replace", "insert", "undo_edit"]},
                "path": {"type": "string", "description": "Absolute path, e.g. /testbed/build.py"},
                "file_text": {"type": "string", "description": "create: the whole content of the file."},
                "old_str": {"type": "string", "description": "str_replace: text that occurs exactly once."},
                "new_str": {"type": "string", "description": "str_replace, insert: the text to put there."},
                "insert_line": {"type": "integer", "description": "insert: the line after which the text goes."},
                "view_range": {
                    "type": "array",
                    "items": {"type": "integer"},
                    "description": "view: first and last line, counted from 1; -1 is the end.",
                },
            },
            "required": ["command", "path"],
            "additionalProperties": False,
        },
    )

    def run(self, arguments: str, bench: Workbench) -> Answer:
        """Carry out one editor command. Raises ToolError with what was expected."""
        given, word = read_arguments(arguments, _Arguments, self.schema.name, EXPECTED)
        edit = EditArguments(
            command=given.command,
            path=given.path,
            file_text=given.file_text,
            old_str=given.old_str,
            new_str="" if given.command == "str_replace" and given.new_str is None else given.new_str,
            insert_line=given.insert_line,
            view_range=given.view_range,
        )
        result = bench.attend(lambda _on_output: bench.sandbox.edit(edit))
        text = result.text
        pictures: tuple[Picture, ...] = ()
        if result.image and bench.shows_pictures:
            text, pictures = _seen(text, bench, given.path)
        shown = f"{text}\n{word}" if word else text
        return Answer(
            shown=shown,
            output=text,
            seconds=result.seconds,
            files_changed=result.files_changed,
            pictures=pictures,
        )


def _seen(text: str, bench: Workbench, path: str) -> tuple[str, tuple[Picture, ...]]:
    """The words about a picture, and the picture itself where it can be shown."""
    found = bench.attend(lambda _on_output: look(bench.sandbox, path))
    if isinstance(found, str):
        return f"{text} It cannot be shown: {found}.", ()
    return f"{text} It follows at {found.width} x {found.height} pixels.", (found,)
