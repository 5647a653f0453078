"""Texts, tables and JSON at their limits, on both sides."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox_image.inspector.checks.content import csv_parses, json_parses, readable
from sandbox_image.inspector.subject import Entry, Evidence, Subject, Unfit


def measured(check: object, content: bytes, tmp_path: Path) -> Evidence:
    """What a check finds in a file, as the inspector calls it."""
    (tmp_path / "f").write_bytes(content)
    entries = (Entry("f", "file", len(content)),)
    subject = Subject("open", "f", (), {}, entries, truncated=False, outputs=tmp_path)
    try:
        found = check(subject, {"file": "f"})  # type: ignore[operator]
    except Unfit as problem:
        return Evidence(False, None, str(problem), problem.file)
    assert isinstance(found, Evidence)
    return found


@pytest.mark.parametrize(
    ("content", "good"),
    [
        (b"a", True),
        ("\ufeffmarked".encode(), True),
        ("…".encode(), True),
        (b"tab\tline\r\npage\x0c\n", True),
        (b"", False),
        (b" \n\t\n", False),
        (b"caf\xe9", False),
        ("wide".encode("utf-16"), False),
        (b"bell\x07", False),
        (b"nul\0", False),
        ("next line \u0085".encode(), False),
        ("nobody \ufffe".encode(), False),
    ],
)
def test_text(content: bytes, good: bool, tmp_path: Path) -> None:
    found = measured(readable, content, tmp_path)
    assert found.passed is good, found
    assert bool(found.message) is not good


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        (b"a,b\n1,2\n", "2 rows \xd7 2 columns, divided by commas"),
        (b"a;b;c\n1,5;2;3\n", "2 rows \xd7 3 columns, divided by semicolons"),
        (b"a\tb\n1\t2", "2 rows \xd7 2 columns, divided by tabs"),
        (b"a|b\r\n1|2\r\n", "2 rows \xd7 2 columns, divided by bars"),
        (b"one\ntwo\n", "2 rows \xd7 1 columns, divided by commas"),
        (b'a,b\n"1,\n""2""",3\n', "2 rows \xd7 2 columns, divided by commas"),
        (b"a,b\n\n1,2\n\n", "2 rows \xd7 2 columns, divided by commas"),
        ("\ufeffa,b\nä,ö\n".encode(), "2 rows \xd7 2 columns, divided by commas"),
    ],
)
def test_a_table(content: bytes, columns: str, tmp_path: Path) -> None:
    found = measured(csv_parses, content, tmp_path)
    assert (found.passed, found.measured) == (True, columns), found.message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no row"),
        (b"\n\n", "no row"),
        (b"a,b\n1,2,3\n", "line 2: 3 fields (divided by commas), the first row has 2"),
        (b"# from the archive\nday,height\n1,2\n", "line 2"),
        (b'a,b\n"1,2\n', "never closed"),
        (b'a,b\n"1"x,2\n', "line 2"),
        (b"a,b\n1,\0\n", "U+0000"),
        (b"a,b\n1,\xe9\n", "not UTF-8"),
    ],
)
def test_no_table(content: bytes, words: str, tmp_path: Path) -> None:
    found = measured(csv_parses, content, tmp_path)
    assert not found.passed
    assert words in found.message


@pytest.mark.parametrize(
    "content",
    [b"null", b" 0 ", b'""', b"[]", b'{"a": {"a": 1e999}}', b'"\\ud800"', b"9" * 9000, b'{"a": 1, "a": 2}'],
)
def test_json(content: bytes, tmp_path: Path) -> None:
    found = measured(json_parses, content, tmp_path)
    assert found.passed, found.message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "It is empty"),
        (b"NaN", "holds NaN"),
        (b"[-Infinity]", "holds -Infinity"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b"{}\n{}\n", "One file holds one value"),
        (b"{'a': 1}", 'Write "'),
        (b"{a: 1}", "line 1, column 2"),
        (b"// note\n{}", "no comments"),
        (b"[1,]", "comma before it"),
        (b'"a\nb"', "control character"),
        (b"[01]", "not JSON"),
        (b'"\xe9"', "not UTF-8"),
    ],
)
def test_no_json(content: bytes, words: str, tmp_path: Path) -> None:
    found = measured(json_parses, content, tmp_path)
    assert not found.passed
    assert words in found.message
