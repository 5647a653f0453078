"""The tool host as one marshalled code object, which the image's bootstrap reads and executes.

Bytecode belongs to one version of Python. Where this Python and the image's are of one version, it is made here. Else
the first sandbox gets the source (marshalled text is the same in all versions), compiles it at each start, and is
asked for the bytecode too, which is kept for the following ones.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import marshal
import os
import sys
from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import CodeType
from typing import Any

# In the order in which they need each other.
MODULES = (
    "errors",
    "frames",
    "text",
    "changes",
    "children",
    "shell",
    "calls",
    "programs",
    "files",
    "viewing",
    "editor",
    "main",
)
PACKAGE = "sandbox_image.toolhost"
MAX_BYTES = 4 << 20

# Executed by the bootstrap: make the modules, each known by its full name before the next one asks for it.
LOADER = f"""
import sys
def load():
    module = type(sys)
    for name in ("sandbox_image", "{PACKAGE}"):
        package = sys.modules[name] = module(name)
        package.__path__ = []
    for name, code in MODULES:
        full = "{PACKAGE}." + name
        made = sys.modules[full] = module(full)
        setattr(package, name, made)
        exec(code, made.__dict__)
    made.main()
load()
"""

# Executed by whichever Python is to run the tool host: the loader's code, with the compiled modules as a constant.
BUILDER = """
def build(loader, sources):
    def compiled(name, text):
        return compile(text, "<toolhost." + name + ">", "exec", dont_inherit=True, optimize=2)
    modules = tuple((name, compiled(name, text)) for name, text in sources)
    code = compiled("loader", "MODULES = ()\\n" + loader)
    return code.replace(co_consts=tuple(modules if constant == () else constant for constant in code.co_consts))
"""
BUILD_INSIDE = (
    BUILDER
    + """
import json, marshal, sys
sys.stdout.buffer.write(marshal.dumps(build(*json.load(sys.stdin))))
"""
)

Run = Callable[[list[str], bytes], bytes]


@lru_cache(maxsize=1)
def sources() -> list[tuple[str, str]]:
    """Name and text of each module."""
    return [(name, (files(PACKAGE) / f"{name}.py").read_text("utf-8")) for name in MODULES]


@lru_cache(maxsize=1)
def native() -> bytes:
    """The tool host as bytecode of the Python that runs this."""
    scope: dict[str, Any] = {}
    exec(BUILDER, scope)
    code: CodeType = scope["build"](LOADER, sources())
    return framed(marshal.dumps(code))


@lru_cache(maxsize=1)
def plain() -> bytes:
    """The tool host as source, for any Python."""
    return framed(marshal.dumps(f"MODULES = {sources()!r}\n{LOADER}"))


def framed(data: bytes) -> bytes:
    """What the bootstrap reads: a 4-byte length before the marshalled object."""
    return len(data).to_bytes(4, "big") + data


class Payload:
    """What to send first to an image with a certain Python ("3.11.2"); foreign bytecode is kept in a folder."""

    def __init__(self, python: str, image_digest: str, folder: Path) -> None:
        self._same = python.split(".")[:2] == [str(part) for part in sys.version_info[:2]]
        text = json.dumps([LOADER, sources(), image_digest])
        self._path = folder / f"{hashlib.sha256(text.encode()).hexdigest()}.bin"
        self._kept: bytes | None = None

    def content(self) -> bytes:
        """Bytecode where there is some, else source."""
        if self._same:
            return native()
        if self._kept is None:
            with contextlib.suppress(OSError):
                self._kept = framed(self._path.read_bytes())
        return self._kept or plain()

    @property
    def wanted(self) -> bool:
        """Would bytecode from a sandbox save the next one its compilation?"""
        return not self._same and self._kept is None

    def keep(self, run: Run) -> None:
        """Have a fresh sandbox compile the sources; `run` gives standard output for a program and its input."""
        made = run(["python3", "-I", "-c", BUILD_INSIDE], json.dumps([LOADER, sources()]).encode())
        if not 0 < len(made) <= MAX_BYTES:
            return
        self._kept = framed(made)
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            draft = self._path.with_suffix(f".{os.getpid()}")
            draft.write_bytes(made)
            draft.rename(self._path)
