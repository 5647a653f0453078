"""Reads a standard MIDI file (Standard MIDI Files 1.0, MIDI Manufacturers Association) event by event.

Strict where a player would stumble: chunk lengths, the number of tracks, running status, the end of each track.
"""

from __future__ import annotations

from dataclasses import dataclass

from sandbox_image.inspector.subject import Unfit

MAX_BYTES = 4 << 20
MAX_EVENTS = 400_000
_DATA_BYTES = {0x80: 2, 0x90: 2, 0xA0: 2, 0xB0: 2, 0xC0: 1, 0xD0: 1, 0xE0: 2}


@dataclass(frozen=True)
class Event:
    """One event at an absolute time in ticks. `status` is 0x80..0xEF with its channel, or 0xFF with `meta`'s type."""

    tick: int
    track: int
    status: int
    content: bytes
    meta: int = -1

    @property
    def kind(self) -> int:
        """The status without its channel."""
        return self.status & 0xF0

    @property
    def channel(self) -> int:
        """0..15."""
        return self.status & 0x0F


@dataclass(frozen=True)
class Score:
    """All events of a file, each track's in its order, and what a quarter is divided into."""

    format: int
    ticks_per_quarter: int
    events: tuple[Event, ...]
    end_tick: int


def read_score(path: str, content: bytes) -> Score:
    """The events of a file. Raises Unfit with what is wrong and where."""
    if content[:4] != b"MThd" or len(content) < 14:
        raise Unfit(f"{path} is not a MIDI file: it does not begin with MThd.", path)
    length, kind, count, division = (
        int.from_bytes(content[4:8], "big"),
        *(int.from_bytes(content[at : at + 2], "big") for at in (8, 10, 12)),
    )
    if length < 6 or kind > 1:
        raise Unfit(f"{path} has format {kind}; write a MIDI file of format 0 or 1.", path)
    if kind == 0 and count != 1:
        raise Unfit(f"{path} has format 0 and {count} tracks; format 0 has one. Write format 1.", path)
    if division & 0x8000 or division == 0:
        raise Unfit(f"{path} counts time in frames, not in parts of a quarter; give it ticks per quarter.", path)
    tracks = _tracks(path, content, 8 + length)
    if len(tracks) != count:
        raise Unfit(f"{path} promises {count} tracks and holds {len(tracks)}; write the file anew.", path)
    events: list[Event] = []
    end = 0
    for number, (begin, stop) in enumerate(tracks):
        end = max(end, _read_track(path, content, begin, stop, number, events))
    return Score(kind, division, tuple(events), end)


def _tracks(path: str, content: bytes, at: int) -> list[tuple[int, int]]:
    """Where each MTrk chunk's events begin and end; other chunks are passed over, as the standard asks."""
    found = []
    while at < len(content):
        begin = at + 8
        stop = begin + int.from_bytes(content[at + 4 : at + 8], "big")
        if begin > len(content) or stop > len(content):
            raise Unfit(f"{path} ends in the middle of a chunk at byte {at}; write the file anew.", path)
        if content[at : at + 4] == b"MTrk":
            found.append((begin, stop))
        at = stop
    return found


def _read_track(path: str, content: bytes, at: int, stop: int, track: int, events: list[Event]) -> int:
    """Append a track's events; its last tick."""
    tick = status = 0

    def broken(what: str) -> Unfit:
        return Unfit(f"{path}: track {track + 1} {what} at byte {at}; write the file anew.", path)

    def number() -> int:
        """A variable-length quantity: at most four bytes."""
        nonlocal at
        value = 0
        for _ in range(4):
            if at >= stop:
                raise broken("ends in the middle of an event")
            byte = content[at]
            at += 1
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                return value
        raise broken("has a time or length of more than four bytes")

    while at < stop:
        tick += number()
        if at >= stop:
            raise broken("ends in the middle of an event")
        if content[at] >= 0x80:
            status = content[at]
            at += 1
        if status in (0xF0, 0xF7, 0xFF):
            meta = -1
            if status == 0xFF:
                if at >= stop:
                    raise broken("ends in the middle of an event")
                meta = content[at]
                at += 1
            size = number()
            if at + size > stop:
                raise broken("ends in the middle of an event")
            if meta == 0x2F:
                return tick
            if meta >= 0:
                events.append(Event(tick, track, 0xFF, content[at : at + size], meta))
            at += size
            status = 0  # these end running status
        else:
            size = _DATA_BYTES.get(status & 0xF0, 0) if status < 0xF0 else 0
            if not size:
                raise broken("has data without a status" if status < 0x80 else f"has the unknown status {status:#x}")
            parts = content[at : at + size]
            if at + size > stop or max(parts) > 0x7F:
                raise broken("has an event that is cut short")
            events.append(Event(tick, track, status, parts))
            at += size
        if len(events) > MAX_EVENTS:
            raise Unfit(f"{path} has more than {MAX_EVENTS:,} events; make it smaller.", path)
    raise Unfit(f"{path}: track {track + 1} has no end-of-track event; write the file anew.", path)
