"""Checks of a film: its container, every frame and sample, movement, the numbers and the last words."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor, wait

from sandbox_image.inspector.film import Film, longest_black, longest_rest, read_header
from sandbox_image.inspector.last_words import Found
from sandbox_image.inspector.numerals import Reading
from sandbox_image.inspector.registry import Picture, check, preview
from sandbox_image.inspector.subject import Evidence, Json, Spot, Subject, Unfit

SHOWN = 3  # findings that a message spells out
LARGE = 0.2  # of the short side: figures in parts that are smaller are taken for none
REST_TOLERANCE_S = 0.15  # by the rate at which stillness is sampled
SOUND_FRAME_S = 0.03  # 1024 samples of AAC at 44.1 kHz are 0.023 s
PATIENCE_S = 20.0  # with the look for the name, where the numbers are looked for once more
FLAT_SHARE, FLAT_LEVELS = 0.9995, 12  # of a frame in one colour, as a codec leaves it
LATE_INDEX = (
    "The index (moov) comes after the data, so a browser must load all of it first; add `-movflags +faststart`."
)
FORMATS = ("yuv420p", "yuvj420p")
# Parts of the names of profiles that hardware and most programs cannot play, whatever is coded in them.
RARE_PROFILES = ("4:4:4", "4:2:2", "High 10", "Intra", "Extended")


@check("video.decodes", limit_s=70.0)
def decodes(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Every packet of picture and sound is decoded once by ffmpeg; any complaint about the file counts.

    The file's boxes are whole (ISO/IEC 14496-12, 4.2), and nearly all frames that its index counts come out.
    """
    path = args["file"]
    film = Film.of(subject, path)
    header = film.header
    width, height = header.size
    size = {"width": width, "height": height}
    subject.note(path, "video", {"duration_s": round(header.duration_s, 3), **size, "fps": round(header.fps, 3)})
    told = header.video.get("nb_frames", "")
    expected = int(told) if str(told).isdecimal() else film.frames
    faults = list(film.faults)
    if header.layout.cut:
        faults.insert(0, "the file ends before its last box does")
    measured: Json = {"frames": film.frames, "seconds": round(film.seconds, 2)}
    if not film.frames:
        return Evidence(False, measured, f"No frame of {args['file']} can be decoded. {_told(faults)}", args["file"])
    if faults:
        message = f"{args['file']} is broken: {_told(faults)} Encode it again and let ffmpeg finish."
        return Evidence(False, measured, message, file=args["file"], time_s=film.seconds)
    if film.frames < expected - max(2, expected // 100) and film.seconds < header.duration_s - 0.5:
        message = f"Only {film.frames} of {expected} frames can be decoded; encode {args['file']} again."
        return Evidence(False, measured, message, file=args["file"], time_s=film.seconds)
    return Evidence(True, measured)


def _told(faults: list[str]) -> str:
    more = f" ({len(faults) - SHOWN} more)" if len(faults) > SHOWN else ""
    return "; ".join(fault[:160] for fault in faults[:SHOWN]) + more + ("." if faults else "")


@check("video.plays_in_browsers")
def plays_in_browsers(subject: Subject, args: dict[str, Json]) -> Evidence:
    """What every browser plays: ISO BMFF (ISO/IEC 14496-12), its index (`moov`) before the data (`mdat`) or fragments,
    H.264 (14496-10) up to High with 4:2:0 and 8 bits in even sizes, sound in AAC (14496-3).

    With `index_anywhere` the index may come last, as it may where a server hands out parts of a file.
    """
    header = read_header(subject, args["file"])
    video, audio = header.video, header.audio
    sentences = []
    if video.get("codec_name") != "h264":
        sentences.append(f"The picture is {video.get('codec_name', 'unknown')}; encode it with libx264.")
    elif video.get("pix_fmt") not in FORMATS:
        sentences.append(f"The pixel format is {video.get('pix_fmt', 'unknown')}; add `-pix_fmt yuv420p`.")
    elif any(name in str(video.get("profile")) for name in RARE_PROFILES):
        sentences.append(
            f"The profile is {video['profile']}, as lossless coding makes it; write `-crf 18` instead of `-qp 0`."
        )
    if video["width"] % 2 or video["height"] % 2:
        sentences.append(f"The size {video['width']} × {video['height']} is odd; make both sides even.")
    if not header.layout.streams and not args.get("index_anywhere"):
        sentences.append(LATE_INDEX)
    if audio and audio.get("codec_name") != "aac":
        sentences.append(f"The sound is {audio.get('codec_name', 'unknown')}; encode it with `-c:a aac`.")
    measured = {
        "video": video.get("codec_name"),
        "pixels": video.get("pix_fmt"),
        "audio": audio.get("codec_name") if audio else None,
        "boxes": list(header.layout.boxes[:6]),
    }
    return Evidence(not sentences, measured, " ".join(sentences), file=args["file"])


@check("video.starts_at_once")
def starts_at_once(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The index (`moov`) before the data (`mdat`), or fragments (ISO/IEC 14496-12): it plays from its first bytes."""
    layout = read_header(subject, args["file"]).layout
    boxes = list(layout.boxes[:6])
    return Evidence(layout.streams, boxes, "" if layout.streams else f"{args['file']}: {LATE_INDEX}", file=args["file"])


@check("video.duration", limit_s=70.0)
def duration(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The length of the picture as decoded, and the one that the file claims, both within the tolerance.

    Claimed is the longest track's duration (ISO/IEC 14496-12, 8.2.2 `mvhd`), as ffprobe tells it; a track of sound ends
    with a whole frame of the encoder's.
    """
    film = Film.of(subject, args["file"])
    lengths = {"file": round(film.header.duration_s, 2), "picture": round(film.seconds, 2)}
    off = max(lengths.values(), key=lambda seconds: abs(seconds - args["seconds"]))
    allowed = {"file": args["tolerance_s"] + SOUND_FRAME_S, "picture": args["tolerance_s"] + 1e-6}
    if all(abs(lengths[name] - args["seconds"]) <= allowed[name] for name in lengths):
        return Evidence(True, off)
    which = "The film lasts"
    if abs(lengths["file"] - lengths["picture"]) >= 0.3:
        which = "The picture lasts" if off == lengths["picture"] else "With its sound the file lasts"
    change = "cut" if off > args["seconds"] else "add"
    message = (
        f"{which} {off:,.2f} s; {args['seconds']:g} s are asked for, ± {args['tolerance_s']:g} s: {change} "
        f"{abs(off - args['seconds']):,.2f} s."
    )
    least, most = sorted((off, float(args["seconds"])))
    return Evidence(False, off, message, args["file"], spots=(Spot(time_s=least, until_s=most),))


@check("video.size")
def size(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Width and height as shown: turned by the display matrix, with the shape of the pixels.

    ISO/IEC 14496-12, 8.3.2 (`tkhd`, matrix) and 12.1.4.2 (`pasp`), as ffprobe tells them.
    """
    header = read_header(subject, args["file"])
    width, height = header.size
    measured = f"{width} × {height}"
    if (width, height) == (args["width"], args["height"]):
        return Evidence(True, measured)
    stored = f"{header.video['width']} × {header.video['height']}"
    turned = stored == f"{height} × {width}"
    advice = "turned by its display matrix" if turned else "write square pixels with `setsar=1`"
    hint = "" if stored == measured else f" (stored as {stored}; {advice})"
    message = f"The film shows {measured} px{hint}; make it {args['width']} × {args['height']} px."
    return Evidence(False, measured, message, file=args["file"])


@check("video.fps", limit_s=70.0)
def fps(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Frames a second on average, by the times of all samples in the index (ISO/IEC 14496-12, 8.6.1.2 `stts`)."""
    header = read_header(subject, args["file"])
    measured = round(header.fps, 3)
    if abs(measured - args["fps"]) <= args["tolerance"] * args["fps"]:
        return Evidence(True, measured)
    message = f"The film has {measured:g} frames a second; write it with {args['fps']:g}, as by `-r {args['fps']:g}`."
    return Evidence(False, measured, message, file=args["file"])


@check("video.moves", limit_s=70.0)
def moves(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Ten small grey frames a second: how long nothing changes, and how long all is black (`film.longest_rest`).

    Still: fewer than 4 of 160 × 90 px differ by more than 14 of 255 levels; black: below 32 levels but for specks.
    """
    film = Film.of(subject, args["file"])
    if not len(film.grey):
        raise Unfit(f"No frame of {args['file']} can be decoded.", args["file"])
    rest, rest_at = longest_rest(film)
    black, black_at = longest_black(film)
    measured = {"still_s": round(rest, 1), "black_s": round(black, 1)}
    limit = args["longest_s"] + REST_TOLERANCE_S
    if black > limit or black >= 0.6 * len(film.grey) / 10:
        message = f"The picture is black for {black:.1f} s from {black_at:.1f} s on; show something there."
        return Evidence(
            False, measured, message, args["file"], spots=(Spot(time_s=black_at, until_s=black_at + black),)
        )
    if rest > limit:
        message = (
            f"The picture stands still for {rest:.1f} s from {rest_at:.1f} s on; let the background move all the time."
        )
        return Evidence(False, measured, message, args["file"], spots=(Spot(time_s=rest_at, until_s=rest_at + rest),))
    return Evidence(True, measured)


@check("video.not_blank", limit_s=70.0)
def not_blank(subject: Subject, args: dict[str, Json]) -> Evidence:
    """At least one still is more than one flat colour: a film may begin in black, but not end in it unseen."""
    from sandbox_image.inspector.pictures import dominant_share

    path = args["file"]
    film = Film.of(subject, path)
    if not film.stills:
        raise Unfit(f"No frame of {path} can be decoded.", path)
    order = sorted(range(len(film.stills)), key=lambda number: abs(number - len(film.stills) / 3))
    least = 1.0
    for number in order:
        least = min(least, dominant_share(film.still(number), FLAT_LEVELS))
        if least <= FLAT_SHARE:
            return Evidence(True, round(least, 4))
    message = f"Every frame of {path} is one flat colour; look at a frame of it, and draw what it shall show."
    return Evidence(False, round(least, 4), message, file=path)


@check("video.counts", limit_s=100.0)
def counts(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The numbers in order, each by its slot, read by Tesseract from the largest shapes of a few stills a slot.

    See `numerals`, `segments` (figures of seven segments are read by their bars), `figures` (what neither reads is held
    against specimens of typefaces) and `counting`.
    """
    from sandbox_image.inspector.counting import Count, best_count, misplaced, repeated, times_seen

    film = Film.of(subject, args["file"])
    numbers = [int(number) for number in args["numbers"]]
    needed = args["share"] * len(numbers) - 1e-9

    def counted(read: list[list[Reading]]) -> tuple[dict[int, list[float]], Count]:
        seen = times_seen(numbers, list(zip(film.times(), read, strict=True)))
        return seen, best_count(numbers, seen, film.seconds, args["finale_s"], args["within_s"])

    read = _numbers_read(subject, args["file"], film)
    seen, count = counted(read)
    # What is not read so may be figures of seven segments, of a rare typeface or size, or in parts.
    if len(count.times) < needed:
        seen, count = counted(_segments_read(subject, args["file"], film, read, args["finale_s"], frozenset(numbers)))
    if len(count.times) < needed:
        other, found = counted(_figures_read(subject, args["file"], film, read, args["finale_s"]))
        if len(found.times) >= needed:
            seen, count = other, found
    if len(count.times) < needed:
        seen, count = counted(_in_parts_read(subject, args["file"], film, read, args["finale_s"]))
    subject.facts.setdefault("video", {})["numbers"] = [
        {"n": number, "time_s": round(time, 2)} for number, time in count.times.items()
    ]
    measured = f"{len(count.times)} of {len(numbers)} read"
    until_s = film.seconds - args["finale_s"]
    again = repeated(numbers, seen, count, until_s)
    astray = misplaced(numbers, seen, count, until_s)
    spots = tuple(Spot(time_s=time, label=str(number)) for number, time in count.times.items())
    if len(count.times) >= needed and count.in_order and not again and not astray:
        return Evidence(True, measured, file=args["file"] if spots else None, spots=spots)
    if len(count.times) >= needed and not astray:
        message = f"The numbers do not come in order; count from {numbers[0]} to {numbers[-1]}, each once."
        return Evidence(False, f"{measured}, not in order", message, file=args["file"], spots=spots)
    missing = astray or [number for number in numbers if number not in count.times]
    begins = {number: numbers.index(number) * count.slot for number in missing}
    slots = tuple(Spot(time_s=at, until_s=at + count.slot, label=str(number)) for number, at in begins.items())
    shown = ", ".join(map(str, missing[:8])) + (" …" if len(missing) > 8 else "")
    elsewhere = {number: seen[number] for number in missing if number in seen}
    late = next(iter(elsewhere), None)
    hint = f" {late} was seen at {elsewhere[late][0]:.1f} s, outside its slot." if late is not None else ""
    message = (
        f"{shown} cannot be read within {args['within_s']:g} s of their slots ({count.slot:.2f} s each).{hint} "
        "Show each number large, plain and in front, for the same time."
    )
    return Evidence(False, measured, message, file=args["file"], spots=slots)


def _numbers_read(subject: Subject, path: str, film: Film) -> list[list[Reading]]:
    """The numbers in each still."""
    from sandbox_image.inspector.numerals import read_shapes, shapes_of

    def read() -> list[list[Reading]]:
        found = shapes_of(len(film.stills), film.still, film.known)
        _look_for_the_name(subject, path)
        return read_shapes(found)

    return subject.shared(f"numbers {path}", read)


_looking: dict[str, Future[Found]] = {}  # for the name, by film; of this process


def _look_for_the_name(subject: Subject, path: str) -> None:
    """Begin it, where the contract asks for it: whoever reads the numbers waits for programs most of the time."""
    asked = next(
        (each.args for each in subject.checks if each.id == "video.finale" and each.args["file"] == path), None
    )
    film = Film.of(subject, path)
    if asked and film.stills:
        _looking[path] = ThreadPoolExecutor(1).submit(_name, subject, film, asked)


def _name(subject: Subject, film: Film, asked: dict[str, Json]) -> Found:
    from sandbox_image.inspector.last_words import find_name

    return find_name(film, asked["text"], str(subject.brief.get("language", "en")), asked["last_s"])


def _segments_read(
    subject: Subject,
    path: str,
    film: Film,
    read: list[list[Reading]],
    least_finale_s: float,
    numbers: frozenset[int],
) -> list[list[Reading]]:
    """The same, and in every second still what figures of seven segments say, where there are some.

    A clock has all its numbers in such figures. Where fewer than half of them are seen so, it was letters.
    """
    from sandbox_image.inspector.segments import read_segments

    counted = range(0, min(len(read), round((film.seconds - least_finale_s) * film.still_rate)), 2)

    def looked() -> list[list[Reading]]:
        found = read_segments(len(counted), lambda place: film.still(counted[place]))
        if len({reading.number for readings in found for reading in readings} & numbers) * 2 < len(numbers):
            return read
        told = {number: readings for number, readings in zip(counted, found, strict=True) if readings}
        return [told.get(number, readings) for number, readings in enumerate(read)]

    return subject.shared(f"numbers of segments {path}", looked)


def _figures_read(
    subject: Subject, path: str, film: Film, read: list[list[Reading]], least_finale_s: float
) -> list[list[Reading]]:
    """The same, and what figures say in every second still when they are held against specimens."""
    from sandbox_image.inspector.figures import read_figures

    counted = range(0, min(len(read), round((film.seconds - least_finale_s) * film.still_rate)), 2)

    def looked() -> list[list[Reading]]:
        found = read_figures(len(counted), lambda place: film.still(counted[place]))
        told = {number: readings for number, readings in zip(counted, found, strict=True) if readings}
        return [told.get(number, readings) for number, readings in enumerate(read)]

    return subject.shared(f"numbers of specimens {path}", looked)


def _in_parts_read(
    subject: Subject, path: str, film: Film, read: list[list[Reading]], least_finale_s: float
) -> list[list[Reading]]:
    """The same, and what is read in some stills where nothing was: figures in parts, as of segments or under lines."""
    from sandbox_image.inspector.numerals import read_numbers
    from sandbox_image.inspector.pictures import joined

    # There are four stills a slot; of the last words none need be looked at.
    counted = (film.seconds - least_finale_s) * film.still_rate
    dumb = [number for number, found in enumerate(read) if not found and number < counted][::3]

    def again() -> list[list[Reading]]:
        more = read_numbers(2 * len(dumb), lambda place: joined(film.still(dumb[place // 2]))[place % 2])
        large = [[reading for reading in found if reading.tall >= LARGE] for found in more]
        light, dark = large[::2], large[1::2]
        told = dict(zip(dumb, (one or other for one, other in zip(light, dark, strict=True)), strict=True))
        return [told.get(number, found) for number, found in enumerate(read)]

    if begun := _looking.get(path):
        wait([begun], timeout=PATIENCE_S)  # no process is forked beside a thread that works
    return subject.shared(f"numbers in parts {path}", again)


@check("video.finale", limit_s=100.0)
def finale(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The name among the words that Tesseract reads in stills of the last seconds, in several layouts and masks."""
    film = Film.of(subject, args["file"])
    if not film.stills:
        raise Unfit(f"No frame of {args['file']} can be decoded.", args["file"])
    begun = _looking.pop(args["file"], None)
    found = begun.result() if begun else _name(subject, film, args)
    if found.time_s is not None:
        subject.facts.setdefault("video", {})["finale_s"] = round(found.time_s, 2)
        return Evidence(True, f"read at {found.time_s:.1f} s", file=args["file"], time_s=found.time_s)
    lacking = ", ".join(args.get("lacking", ()))
    if lacking:
        message = f"{args['text']!r} cannot be read here, as there is no text recognition for {lacking}; look yourself."
        return Evidence(False, found.words[:200], message, file=args["file"])
    message = (
        f"{args['text']!r} cannot be read in the last {args['last_s']:g} s; what was read: {found.words[:120]!r}. "
        "Show the name large, in one colour, on a calm ground, to the end."
    )
    last = Spot(time_s=max(0.0, film.seconds - args["last_s"]), until_s=film.seconds)
    return Evidence(False, found.words[:200], message, file=args["file"], spots=(last,))


@preview("thumbnail.webp", ("countdown_video",), endings=(".mp4",))
def thumbnail(subject: Subject) -> Picture:
    """A frame that tells what the film is: of a countdown the last words, settled; of others one after a third."""
    from sandbox_image.inspector.pictures import thumbnail

    film = Film.of(subject, subject.entry)
    if not film.stills:
        raise Unfit(f"No frame of {subject.entry} can be decoded.", subject.entry)
    usual = max(0.0, film.seconds - 0.7) if subject.kind == "countdown_video" else film.seconds / 3
    read_at = subject.facts.get("video", {}).get("finale_s", usual)
    number = min(len(film.stills) - 1, round(read_at * film.still_rate))
    return thumbnail(film.still(number))
