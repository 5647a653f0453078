"""Ways to spoil a file, each drawn from a seeded generator: the same number gives the same bytes.

Runs in a sandbox beside `inside.py`; the standard library is all that it needs.
"""

from __future__ import annotations

import random
import re
import struct
import zlib
from collections.abc import Callable

Mutation = Callable[[bytes, random.Random], bytes]

EXTREMES = (0, 1, 7, 8, 0x7F, 0x80, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF)


def flip_bits(content: bytes, draw: random.Random) -> bytes:
    spoiled = bytearray(content)
    for _ in range(draw.choice((1, 2, 4, 16, 64))):
        spoiled[draw.randrange(len(spoiled))] ^= 1 << draw.randrange(8)
    return bytes(spoiled)


def truncate(content: bytes, draw: random.Random) -> bytes:
    return content[: draw.randrange(len(content))]


def cut_out(content: bytes, draw: random.Random) -> bytes:
    begin = draw.randrange(len(content))
    return content[:begin] + content[begin + draw.choice((1, 4, 100, 5000)) :]


def double(content: bytes, draw: random.Random) -> bytes:
    begin = draw.randrange(len(content))
    part = content[begin : begin + draw.choice((1, 4, 100, 5000))]
    return content[:begin] + part * draw.choice((2, 3, 50)) + content[begin:]


def zeros(content: bytes, draw: random.Random) -> bytes:
    begin, length = draw.randrange(len(content)), draw.choice((1, 16, 512, 4096))
    return (content[:begin] + bytes(length) + content[begin + length :])[: len(content)]


def noise(content: bytes, draw: random.Random) -> bytes:
    begin, length = draw.randrange(len(content)), draw.choice((3, 40, 1000))
    return content[:begin] + draw.randbytes(length) + content[begin + length :]


def extreme_number(content: bytes, draw: random.Random) -> bytes:
    """A 32-bit field of the first kilobyte, where headers are, or of anywhere."""
    if len(content) < 8:
        return flip_bits(content, draw)
    begin = draw.randrange(min(len(content) - 4, draw.choice((64, 1024, 1 << 30))))
    return content[:begin] + struct.pack(draw.choice("<>") + "I", draw.choice(EXTREMES)) + content[begin + 4 :]


def appended(content: bytes, draw: random.Random) -> bytes:
    return content + draw.choice((b"\0", b"\xff" * 300, content, draw.randbytes(2000)))


def emptied(content: bytes, draw: random.Random) -> bytes:
    return draw.choice((b"", b"\0", b"\n", content[:4], content[:8], content[:12]))


COMMON: tuple[Mutation, ...] = (
    flip_bits,
    flip_bits,
    flip_bits,
    truncate,
    truncate,
    cut_out,
    double,
    zeros,
    noise,
    extreme_number,
    extreme_number,
    appended,
    emptied,
)


# Boxes of ISO BMFF (ISO/IEC 14496-12, 4.2): a length of 32 bits, then the type.


def boxes(content: bytes) -> list[bytes]:
    found, at = [], 0
    while at + 8 <= len(content):
        length = int.from_bytes(content[at : at + 4], "big") or len(content) - at
        if length < 8:
            break
        found.append(content[at : at + length])
        at += length
    return found


def swap_boxes(content: bytes, draw: random.Random) -> bytes:
    found = boxes(content)
    draw.shuffle(found)
    return b"".join(found)


def drop_or_double_box(content: bytes, draw: random.Random) -> bytes:
    found = boxes(content) or [content]
    place = draw.randrange(len(found))
    return b"".join(found[:place] + [found[place]] * draw.choice((0, 2, 3)) + found[place + 1 :])


def lying_box(content: bytes, draw: random.Random) -> bytes:
    """A box within the index, or at the top, whose length is not true."""
    names = (b"moov", b"mdat", b"trak", b"mdia", b"minf", b"stbl", b"stsd", b"stts", b"stsz", b"stco", b"avcC", b"mvhd")
    at = content.find(draw.choice(names))
    if at < 4:
        return flip_bits(content, draw)
    return content[: at - 4] + struct.pack(">I", draw.choice((*EXTREMES, len(content) * 2))) + content[at:]


def lying_table(content: bytes, draw: random.Random) -> bytes:
    """Counts, sizes and offsets of a sample table."""
    at = content.find(draw.choice((b"stts", b"stsz", b"stco", b"stsc", b"ctts", b"mdhd", b"tkhd", b"mvhd", b"elst")))
    if at < 0:
        return flip_bits(content, draw)
    place = at + 8 + 4 * draw.randrange(6)
    return content[:place] + struct.pack(">I", draw.choice(EXTREMES)) + content[place + 4 :]


def nested_boxes(content: bytes, draw: random.Random) -> bytes:
    inner = b""
    for _ in range(draw.choice((50, 5000))):
        inner = struct.pack(">I", 8 + len(inner)) + draw.choice((b"moov", b"trak", b"udta")) + inner
    return content[:32] + inner + content[32:]


# Chunks of PNG (ISO/IEC 15948, 5.3): length, type, content, CRC.


def chunks(content: bytes) -> list[tuple[bytes, bytes]]:
    found, at = [], 8
    while at + 12 <= len(content):
        length = int.from_bytes(content[at : at + 4], "big")
        found.append((content[at + 4 : at + 8], content[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


def png_of(parts: list[tuple[bytes, bytes]]) -> bytes:
    packed = (struct.pack(">I", len(b)) + n + b + struct.pack(">I", zlib.crc32(n + b)) for n, b in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def png_size(content: bytes, draw: random.Random) -> bytes:
    sides = (0, 1, 7, 40, 65_000, 0x7FFFFFFF, 0xFFFFFFFF)
    head = struct.pack(">II", draw.choice(sides), draw.choice(sides))
    return png_of([(n, head + b[8:] if n == b"IHDR" else b) for n, b in chunks(content)])


def png_header(content: bytes, draw: random.Random) -> bytes:
    """Depth, colour type, method, filter, interlacing."""
    own = bytes(draw.choice((0, 1, 2, 3, 4, 6, 8, 16, 255)) for _ in range(5))
    return png_of([(n, b[:8] + own if n == b"IHDR" else b) for n, b in chunks(content)])


def png_chunks(content: bytes, draw: random.Random) -> bytes:
    found = chunks(content) or [(b"IHDR", b"")]
    for _ in range(draw.choice((1, 3))):
        what, place = draw.randrange(4), draw.randrange(len(found))
        if what == 0:
            found.insert(place, (draw.choice((b"IDAT", b"PLTE", b"tRNS", b"acTL", b"iCCP", b"tEXt", b"IEND")), b""))
        elif what == 1:
            found.insert(place, found[draw.randrange(len(found))])
        elif what == 2 and len(found) > 1:
            found.pop(place)
        else:
            draw.shuffle(found)
    return png_of(found)


def png_bomb(content: bytes, draw: random.Random) -> bytes:
    """A text or a picture that unpacks to far more than it should be."""
    zero = zlib.compress(bytes(draw.choice((1 << 20, 40 << 20))), 9)
    if draw.randrange(2):
        return png_of([*chunks(content)[:1], (b"zTXt", b"a\0\0" + zero), *chunks(content)[1:]])
    return png_of([(n, zero if n == b"IDAT" else b) for n, b in chunks(content)])


# Chunks of RIFF and of MIDI files.


def wave_format(content: bytes, draw: random.Random) -> bytes:
    """A field of the format chunk, which is the first."""
    place = draw.choice((4, 16, 20, 22, 24, 28, 32, 34, 40))
    wide = place in (4, 16, 24, 28, 40)
    value = draw.choice(EXTREMES)
    packed = struct.pack("<I", value) if wide else struct.pack("<H", value & 0xFFFF)
    return content[:place] + packed + content[place + len(packed) :]


def wave_chunks(content: bytes, draw: random.Random) -> bytes:
    extra = draw.choice((b"LIST", b"data", b"fmt ", b"fact", b"\0\0\0\0")) + struct.pack(
        "<I", draw.choice((0, 1, 2, 16))
    )
    extra += bytes(draw.choice((0, 1, 2, 16)))
    place = draw.choice((12, 36, len(content)))
    spoiled = content[:place] + extra + content[place:]
    return spoiled[:4] + struct.pack("<I", len(spoiled) - 8) + spoiled[8:] if draw.randrange(2) else spoiled


def midi_header(content: bytes, draw: random.Random) -> bytes:
    place = draw.choice((4, 6, 8, 10, 12, 18, 20))
    return (
        content[:place]
        + struct.pack(">H", draw.choice((0, 1, 2, 6, 0x7FFF, 0x8000, 0xE250, 0xFFFF)))
        + content[place + 2 :]
    )


def midi_events(content: bytes, draw: random.Random) -> bytes:
    """Events put in after the first track's head, the track's length kept true."""
    event = draw.choice(
        (
            b"\x00\xff\x51\x03\x00\x00\x00",
            b"\x00\xff\x51\x03\xff\xff\xff",
            b"\xff\xff\xff\x7f\xff\x01\x00",
            b"\x00\xf0\x00",
            b"\x00\xf4",
            b"\x00\x90\x3c\x40" * 3000,
            b"\x00\xff\x2f\x00",
            b"\x00\xff\x58\x04\x00\x00\x00\x00",
            b"\x00\xff\x59\x02\x7f\x05",
            b"\x00\x3c\x40",
            b"\x00\xff\x01\xff\xff\xff\x7f",
            b"\x00\xff\x01\x00" * 20_000,
        )
    )
    length = int.from_bytes(content[18:22], "big") + len(event)
    return content[:18] + struct.pack(">I", length) + event + content[22:]


def jpeg_segments(content: bytes, draw: random.Random) -> bytes:
    """A segment dropped, doubled, or with a wrong length; or an impossible size (ITU-T T.81, B.1)."""
    starts = [at for at in range(2, len(content) - 4) if content[at] == 0xFF and 0xC0 <= content[at + 1] <= 0xFE]
    if not starts:
        return content
    at = draw.choice(starts)
    end = min(len(content), at + 2 + int.from_bytes(content[at + 2 : at + 4], "big"))
    way = draw.randrange(4)
    if way == 0:
        return content[:at] + content[end:]
    if way == 1:
        return content[:end] + content[at:end] + content[end:]
    if way == 2:
        return content[: at + 2] + draw.randbytes(2) + content[at + 4 :]
    frame = next((each for each in starts if content[each + 1] in (0xC0, 0xC2)), at)
    return content[: frame + 5] + draw.choice((b"\xff\xff\xff\xff", b"\0\0\0\0")) + content[frame + 9 :]


def pdf_numbers(content: bytes, draw: random.Random) -> bytes:
    """A number of the file, an object's or an offset or a length, becomes another one."""
    numbers = list(re.finditer(rb"\b\d{1,10}\b", content))
    if not numbers:
        return content
    number = draw.choice(numbers)
    other = draw.choice((b"0", b"-1", b"4294967295", b"99999999999999999999", b"1", b"3"))
    return content[: number.start()] + other + content[number.end() :]


def pdf_nested(content: bytes, draw: random.Random) -> bytes:
    """Something is nested thousands of times."""
    at = max(0, content.find(b"<<") + 2)
    depth = draw.choice((200, 5_000, 100_000))
    return content[:at] + b" /Deep " + b"[" * depth + b"]" * depth + content[at:]


def json_nested(content: bytes, draw: random.Random) -> bytes:
    """Lists in lists, closed or not."""
    depth = draw.choice((50, 990, 5_000, 200_000))
    return b"[" * depth + content + b"]" * draw.choice((depth, depth - 1))


def json_words(content: bytes, draw: random.Random) -> bytes:
    """A word that is no JSON, a number beyond all bounds, half a character."""
    word = draw.choice(
        (b"NaN", b"-Infinity", b"1e999", b"9" * 5_000, b'"\\ud800"', b'"\xc3"', b"'pier'", b"01", b"// no")
    )
    return content.replace(b"true", word)


BY_FORMAT: dict[str, tuple[Mutation, ...]] = {
    "mp4": (*COMMON, swap_boxes, drop_or_double_box, lying_box, lying_box, lying_table, lying_table, nested_boxes),
    "png": (*COMMON, png_size, png_header, png_chunks, png_chunks, png_bomb),
    "wav": (*COMMON, wave_format, wave_format, wave_chunks),
    "midi": (*COMMON, midi_header, midi_events, midi_events),
    "jpeg": (*COMMON, jpeg_segments, jpeg_segments),
    "mp3": COMMON,
    "pdf": (*COMMON, pdf_numbers, pdf_numbers, pdf_nested),
    "json": (*COMMON, json_nested, json_words, json_words),
}
