"""The tool host as one marshalled code object, which the image's two-line bootstrap reads and executes.

Bytecode belongs to one version of Python. Where this Python and the image's are of one version, it is made here; else
the source travels (marshalled text is the same in all versions), which costs a compilation at each start.
"""

from __future__ import annotations

import marshal
import sys
from functools import lru_cache
from importlib.resources import files

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


@lru_cache(maxsize=4)
def payload(python: str) -> bytes:
    """What to send first to an image whose Python has the version `python` ("3.11.2"): length and marshalled code."""
    sources = [(name, (files(PACKAGE) / f"{name}.py").read_text("utf-8")) for name in MODULES]
    own = f"{sys.version_info.major}.{sys.version_info.minor}."
    body: object
    if python.startswith(own):
        compiled = tuple((name, compile(text, f"<{PACKAGE}.{name}>", "exec", optimize=2)) for name, text in sources)
        text = "MODULES = ()\n" + LOADER
        code = compile(text, "<toolhost>", "exec", optimize=2)
        body = code.replace(co_consts=tuple(compiled if constant == () else constant for constant in code.co_consts))
    else:
        body = f"MODULES = {sources!r}\n{LOADER}"
    data = marshal.dumps(body)
    return len(data).to_bytes(4, "big") + data
