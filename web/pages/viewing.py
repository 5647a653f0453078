"""Which viewer shows a work, and what it needs. The choice is made here alone, by the type of the entry file.

An artifact and what a rejected job left are shown by the same viewers. Files are never opened here: a viewer is made
of addresses on the content origin, of the inspector's pictures, and of the facts in its report.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import ClassVar, Protocol, TypeAlias

from pydantic import JsonValue

from studio.brief import Brief
from studio.contract import Report
from studio.gallery import ArtifactView
from studio.jobs import FileView, JobView
from studio.kinds import all_kinds
from web import content
from web.pages.facts import Chapter, Roll, Size, chapters_of, film_size, roll_of
from web.pages.steps import Passage, passage
from web.serving import shown_type
from web.state import studio

TEXT_CHARS = 40_000
WORDS = ("text/plain", "application/json", "application/geo+json", "text/vtt")
MUSIC = frozenset({".mid", ".midi"})
SOUND_ORDER = (".wav", ".mp3", ".ogg", ".flac")


@dataclass(frozen=True)
class Work:
    """What viewers need of an artifact, or of a job that came to no artifact."""

    token: str
    entry: str
    text_equivalent: str | None
    files: list[FileView]
    previews: list[FileView]
    report: Report | None


@dataclass(frozen=True)
class Shown:
    """A picture as a page shows it; its size in pixels, where known, keeps its place while it loads."""

    path: str
    url: str
    label: str
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True)
class PictureViewer:
    """A picture that can be enlarged, other pictures of the work beside it."""

    name: ClassVar[str] = "picture"
    scripts: ClassVar[tuple[str, ...]] = ("viewer.js",)
    pictures: list[Shown]
    view: Shown


@dataclass(frozen=True)
class PageViewer:
    """A page in a frame; `sandbox` is the frame's attribute."""

    name: ClassVar[str] = "page"
    scripts: ClassVar[tuple[str, ...]] = ()
    url: str
    sandbox: str


@dataclass(frozen=True)
class FilmViewer:
    """A film with its still and its chapters."""

    name: ClassVar[str] = "film"
    scripts: ClassVar[tuple[str, ...]] = ("film.js",)
    url: str
    media_type: str
    poster: Shown | None
    size: Size | None
    chapters: tuple[Chapter, ...]


@dataclass(frozen=True)
class MusicViewer:
    """A piano roll with the recording that it follows; `still` is its picture, for browsers without scripts."""

    name: ClassVar[str] = "music"
    scripts: ClassVar[tuple[str, ...]] = ("roll.js",)
    sound: str | None
    roll: Roll | None
    still: Shown | None
    waveform: Shown | None
    scores: list[Shown]


@dataclass(frozen=True)
class TextViewer:
    """A file of words or figures as text, never as markup; other pictures of the work below it."""

    name: ClassVar[str] = "text"
    scripts: ClassVar[tuple[str, ...]] = ()
    url: str
    path: str
    text: Passage
    pictures: list[Shown]


@dataclass(frozen=True)
class StillViewer:
    """The inspector's picture of a file that no page shows, such as a PDF, and the file to take away."""

    name: ClassVar[str] = "still"
    scripts: ClassVar[tuple[str, ...]] = ()
    url: str
    path: str
    still: Shown | None


@dataclass(frozen=True)
class NoViewer:
    """Nothing that a page can show."""

    name: ClassVar[str] = "none"
    scripts: ClassVar[tuple[str, ...]] = ()


Viewer: TypeAlias = PictureViewer | PageViewer | FilmViewer | MusicViewer | TextViewer | StillViewer | NoViewer


def work_of_artifact(found: ArtifactView) -> Work:
    return Work(found.content_token, found.entry, found.text_equivalent, found.files, found.previews, found.report)


def work_of_job(job: JobView, files: list[FileView], previews: list[FileView]) -> Work:
    """What a job left; a kind that is gone has no entry."""
    kind = all_kinds().get(job.kind)
    return Work(
        job.content_token,
        kind.entry_of(job.brief) if kind else "",
        kind.text_equivalent_of(job.brief) if kind else None,
        files,
        previews,
        job.report,
    )


def viewer_of(work: Work, wanted: str | None = None) -> Viewer:
    """The viewer of a work; `wanted` is the path of the picture that is shown first."""
    paths = {file.path for file in work.files}
    media_type = shown_type(work.entry) or ""
    if work.entry not in paths:
        return _pictures(work, wanted)
    url = content.url(work.token, work.entry)
    if media_type.startswith("text/html"):
        foreign = studio().site.template is not None
        return PageViewer(url, "allow-scripts allow-same-origin" if foreign else "allow-scripts")
    if media_type.startswith("video/"):
        poster = _preview(work, "poster") or _preview(work, "thumbnail")
        size = film_size(work.report)
        return FilmViewer(url, media_type, poster, size, chapters_of(work.report))
    if PurePosixPath(work.entry).suffix.lower() in MUSIC or media_type.startswith("audio/"):
        still = None if media_type.startswith("audio/") else _preview(work, "thumbnail")
        return MusicViewer(_sound(work), roll_of(work.report), still, _preview(work, "waveform"), pictures_of(work))
    if media_type.startswith(WORDS):
        return TextViewer(url, work.entry, _passage(work, work.entry), pictures_of(work))
    if media_type.startswith("image/"):
        return _pictures(work, wanted)
    return StillViewer(url, work.entry, _preview(work, "thumbnail"))


def scripts_for(entry: str) -> tuple[str, ...]:
    """The scripts that a work with this entry may need, before there is one."""
    media_type = shown_type(entry) or ""
    if media_type.startswith("video/"):
        return FilmViewer.scripts
    if PurePosixPath(entry).suffix.lower() in MUSIC or media_type.startswith("audio/"):
        return MusicViewer.scripts
    return PictureViewer.scripts


def pictures_of(work: Work) -> list[Shown]:
    """The pictures among the deliverables, the one that is shown first of all."""
    files = [file for file in work.files if (shown_type(file.path) or "").startswith("image/")]
    files.sort(key=lambda file: (file.path != work.entry, file.path.count("/"), file.path))
    return [_shown(work, file) for file in files]


def _pictures(work: Work, wanted: str | None) -> Viewer:
    pictures = pictures_of(work)
    if not pictures:
        return NoViewer()
    return PictureViewer(pictures, next((picture for picture in pictures if picture.path == wanted), pictures[0]))


def _shown(work: Work, file: FileView) -> Shown:
    path = PurePosixPath(file.path)
    label = path.name if len(path.parts) == 1 else path.stem
    width, height = file.width, file.height
    if file.path == work.entry and width is None and work.previews:
        width, height = work.previews[0].width, work.previews[0].height  # its shape, for its place on the page
    return Shown(file.path, content.url(work.token, file.path), label, width, height)


def _preview(work: Work, name: str) -> Shown | None:
    """The inspector's picture of this name, whatever its ending."""
    found = next((file for file in work.previews if PurePosixPath(file.path).stem == name), None)
    if found is None:
        return None
    url = content.url(work.token, content.PREVIEWS + found.path)
    return Shown(found.path, url, name, found.width, found.height)


def _sound(work: Work) -> str | None:
    """The recording: the entry itself, or a preview in the best of the forms that are there."""
    if (shown_type(work.entry) or "").startswith("audio/"):
        return content.url(work.token, work.entry)
    paths = {file.path for file in work.files}
    named = (f"preview{ending}" for ending in SOUND_ORDER)
    found = next((path for path in named if path in paths), None)
    if found is None:
        by_ending = sorted((path for path in paths if path.lower().endswith(SOUND_ORDER)), key=_rank_of_sound)
        found = next(iter(by_ending), None)
    return content.url(work.token, found) if found else None


def _rank_of_sound(path: str) -> tuple[int, str]:
    return SOUND_ORDER.index(PurePosixPath(path).suffix.lower()), path


def text_equivalent(work: Work) -> Passage | None:
    """The work in words, where it has such a file: as text, never as markup."""
    if work.text_equivalent is None or all(file.path != work.text_equivalent for file in work.files):
        return None
    return _passage(work, work.text_equivalent)


def _passage(work: Work, path: str) -> Passage:
    """A file's text, read as far as it is shown; bytes that are no UTF-8 are marked."""
    file = next(file for file in work.files if file.path == path)
    with studio().blobs.open(file.sha256) as stream:
        return passage(stream.read(4 * TEXT_CHARS).decode("utf-8", "replace"), TEXT_CHARS)


class HasBrief(Protocol):
    """An artifact or a job as far as its badge goes."""

    kind: str
    brief: Brief


def badge_of(view: HasBrief) -> str:
    """What a tile says of a work besides its kind, in a word or two: a film's length, a trip's days, a piece's key."""
    params = view.brief.params
    value: JsonValue
    if view.kind == "countdown_video":
        value = params.get("duration_s")
        return f"{value:g} s" if isinstance(value, int | float) else ""
    if view.kind == "travel_map":
        value = params.get("days")
        return f"{value} day{'' if value == 1 else 's'}" if isinstance(value, int) else ""
    if view.kind == "piano_piece":
        value = params.get("key")
        return value if isinstance(value, str) else ""
    if view.kind == "open":
        entry = kind.entry_of(view.brief) if (kind := all_kinds().get(view.kind)) else ""
        return PurePosixPath(entry).suffix.removeprefix(".").upper()
    return ""
