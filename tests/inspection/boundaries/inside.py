"""Runs in a sandbox: inspects the deliveries in FOLDER/0, FOLDER/1, …, and prints a report for each, a line of JSON.

`inside.py FOLDER COUNT`; FOLDER holds inspector.zip.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"
FOLDER, COUNT = Path(sys.argv[1]), int(sys.argv[2])
sys.path[:0] = [str(FOLDER / "inspector.zip")]

# What checks import is imported once here, not in each of their processes.
import numpy  # noqa: E402, F401
import PIL.Image  # noqa: E402, F401
import pyloudnorm  # noqa: E402, F401
import scipy.signal  # noqa: E402, F401
from lxml import etree  # noqa: E402, F401

from sandbox_image.inspector.runner import inspect  # noqa: E402

for number in range(COUNT):
    work = FOLDER / str(number)
    outputs = work / "outputs"
    outputs.mkdir(parents=True, exist_ok=True)
    for name, size in json.loads((work / "sparse.json").read_bytes()).items():
        (outputs / name).touch()
        os.truncate(outputs / name, size)
    left = Path(f"/tmp/left-{number}")
    left.mkdir()
    tempfile.tempdir = os.environ["TMPDIR"] = str(left)
    print(json.dumps(inspect(work, outputs, work / "previews")), flush=True)  # noqa: T201
    shutil.rmtree(left, ignore_errors=True)  # a browser that is being killed may still be at its last file
