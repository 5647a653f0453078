"""Runs the program that comes in by standard input: its length in four bytes, then its marshalled code."""

import marshal
import os


def read(size: int) -> bytes:
    got = b""
    while len(got) < size:
        part = os.read(0, size - len(got))
        if not part:
            raise SystemExit(71)
        got += part
    return got


exec(marshal.loads(read(int.from_bytes(read(4), "big"))))
