"""A secret is found in every form that it may take in a text."""

from __future__ import annotations

import base64
import html
import json
import logging
import sys
from urllib.parse import quote, quote_plus

import pytest

from studio.secrets import MASK, MaskingFormatter, masked

SECRET = 'sk-pröj/a"b\\c+d=e f-0123456789-0123456789-0123456789-0123456789-0123456789'
RAW = SECRET.encode()


@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        json.dumps(SECRET),
        json.dumps(SECRET, ensure_ascii=False),
        repr(SECRET),
        html.escape(SECRET),
        quote(SECRET),
        quote(SECRET, safe=""),
        quote_plus(SECRET),
        quote(SECRET, safe="").lower(),
        RAW.hex(),
        RAW.hex().upper(),
        *(base64.b64encode(before + RAW + behind).decode() for before in (b"", b"u", b"u:") for behind in (b"", b"x")),
        base64.urlsafe_b64encode(RAW).decode(),
        base64.encodebytes(b"Bearer " + RAW).decode(),
        json.dumps(base64.encodebytes(RAW).decode()),
    ],
)
def test_no_form_of_it_is_left(form: str) -> None:
    found = masked(f"before {form} behind", [SECRET])
    assert MASK in found
    assert found.startswith("before ")
    assert found.endswith(" behind")
    assert "0123456789" not in found
    assert len(found) < 40 + len(MASK)


def test_a_short_one_and_other_texts_are_left_alone() -> None:
    assert masked("none of this is a secret", ["none", SECRET]) == "none of this is a secret"


def test_a_log_holds_none_not_even_in_a_traceback() -> None:
    try:
        raise ValueError(f"bad key {SECRET}")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "f", 1, "with %s", (SECRET,), sys.exc_info())
    line = MaskingFormatter([SECRET]).format(record)
    assert "Traceback" in line
    assert SECRET not in line
    assert line.count(MASK) == 2
