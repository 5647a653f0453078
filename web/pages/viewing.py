"""Which viewer shows a work, and what it needs. The choice is made here alone, by the type of the entry file.

An artifact and what a rejected job left are shown by the same viewers. Files are never opened here: a viewer is made
of addresses on the content origin, of the inspector's pictures, and of the facts in its report.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import ClassVar, Protocol, TypeAlias
from urllib.parse import quote

from pydantic import JsonValue

from studio.brief import Brief
from studio.contract import Report
from studio.gallery import ArtifactView
from studio.jobs import FileView, JobView
from studio.kinds import all_kinds
from web import content
from web.i18n import gettext, ngettext, pgettext
from web.pages.evidence import Evidence, Mark, evidence_of
from web.pages.facts import Chapter, Roll, Size, chapters_of, film_size, length_of, roll_of
from web.pages.steps import Passage, passage
from web.serving import shown_type
from web.state import studio

TEXT_CHARS = 40_000
WORDS = ("text/plain", "application/json", "application/geo+json", "text/vtt")
WINDOWS = (1280, 390)  # CSS px; widths at which the inspector sees a page
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
    scripts: ClassVar[tuple[str, ...]] = ("viewer.js", "evidence.js")
    pictures: list[Shown]
    view: Shown
    evidence: Evidence

    def link(self, mark: Mark) -> str | None:
        """Where a mark is to be seen."""
        return f"?file={quote(mark.path)}#{mark.anchor}" if mark.box and self.has(mark.path) else None

    def has(self, path: str) -> bool:
        """Is this file one of the pictures?"""
        return any(picture.path == path for picture in self.pictures)


@dataclass(frozen=True)
class Screen:
    """A screenshot of a page as the inspector saw it, in a window of so many CSS px; what was found is drawn on it."""

    picture: Shown
    window: int
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class PageViewer:
    """A page in a frame; `sandbox` is the frame's attribute."""

    name: ClassVar[str] = "page"
    scripts: ClassVar[tuple[str, ...]] = ("evidence.js",)
    url: str
    sandbox: str
    screens: tuple[Screen, ...]
    evidence: Evidence

    def link(self, mark: Mark) -> str | None:
        return f"#{mark.anchor}" if any(mark in screen.marks for screen in self.screens) else None

    @property
    def faulty(self) -> bool:
        """Is something that does not hold to be seen on the screenshots?"""
        return any(mark.look != "pass" for screen in self.screens for mark in screen.marks)


@dataclass(frozen=True)
class FilmViewer:
    """A film with its still and its chapters."""

    name: ClassVar[str] = "film"
    scripts: ClassVar[tuple[str, ...]] = ("film.js", "evidence.js")
    url: str
    media_type: str
    poster: Shown | None
    size: Size | None
    chapters: tuple[Chapter, ...]
    evidence: Evidence
    length_s: float | None

    def link(self, mark: Mark) -> str | None:
        return f"{self.url}#t={mark.shown_s:.2f}" if mark.shown_s is not None else None


@dataclass(frozen=True)
class MusicViewer:
    """A piano roll with the recording that it follows; `still` is its picture, for browsers without scripts."""

    name: ClassVar[str] = "music"
    scripts: ClassVar[tuple[str, ...]] = ("roll.js", "evidence.js")
    sound: str | None
    roll: Roll | None
    still: Shown | None
    waveform: Shown | None
    scores: list[Shown]
    evidence: Evidence
    length_s: float | None

    def link(self, mark: Mark) -> str | None:
        return f"{self.sound}#t={mark.time_s:.2f}" if self.sound and mark.time_s is not None else None


@dataclass(frozen=True)
class TextViewer:
    """A file of words or figures as text, never as markup; other pictures of the work below it."""

    name: ClassVar[str] = "text"
    scripts: ClassVar[tuple[str, ...]] = ()
    url: str
    path: str
    text: Passage
    pictures: list[Shown]
    evidence: Evidence = field(default_factory=Evidence)

    def link(self, mark: Mark) -> str | None:
        return None


@dataclass(frozen=True)
class StillViewer:
    """The inspector's picture of a file that no page shows, such as a PDF, and the file to take away."""

    name: ClassVar[str] = "still"
    scripts: ClassVar[tuple[str, ...]] = ()
    url: str
    path: str
    still: Shown | None
    evidence: Evidence = field(default_factory=Evidence)

    def link(self, mark: Mark) -> str | None:
        return None


@dataclass(frozen=True)
class NoViewer:
    """Nothing that a page can show."""

    name: ClassVar[str] = "none"
    scripts: ClassVar[tuple[str, ...]] = ()
    evidence: Evidence = field(default_factory=Evidence)

    def link(self, mark: Mark) -> str | None:
        return None


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
    evidence = evidence_of(work.report)
    if media_type.startswith("text/html"):
        foreign = studio().site.template is not None
        sandbox = "allow-scripts allow-same-origin" if foreign else "allow-scripts"
        return PageViewer(url, sandbox, _screens(work, evidence), evidence)
    if media_type.startswith("video/"):
        poster = _preview(work, "poster") or _preview(work, "thumbnail")
        size = film_size(work.report)
        length = length_of(work.report, "video")
        return FilmViewer(url, media_type, poster, size, chapters_of(work.report), evidence, length)
    if PurePosixPath(work.entry).suffix.lower() in MUSIC or media_type.startswith("audio/"):
        roll = roll_of(work.report)
        return MusicViewer(
            _sound(work),
            roll,
            None if media_type.startswith("audio/") else _preview(work, "thumbnail"),
            _preview(work, "waveform"),
            pictures_of(work),
            evidence,
            length_of(work.report, "audio") or (roll.end_s if roll else None),
        )
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
    view = next((picture for picture in pictures if picture.path == wanted), pictures[0])
    return PictureViewer(pictures, view, evidence_of(work.report))


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


def _screens(work: Work, evidence: Evidence) -> tuple[Screen, ...]:
    """The screenshots of a page; in older reports the wide one is but a thumbnail."""
    found = []
    for names, window in ((("wide", "thumbnail"), WINDOWS[0]), (("phone",), WINDOWS[1])):
        picture = next((shown for name in names if (shown := _preview(work, name))), None)
        if picture:
            found.append(Screen(picture, window, evidence.seen_at(work.entry, window)))
    return tuple(found)


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
        seconds = f"{value:g}" if isinstance(value, int | float) else ""
        return gettext("%(number)s s", number=seconds) if seconds else ""
    if view.kind == "travel_map":
        value = params.get("days")
        return ngettext("%(num)s day", "%(num)s days", value) if isinstance(value, int) else ""
    if view.kind == "piano_piece":
        value = params.get("key")
        return pgettext("field", value) if isinstance(value, str) and value else ""
    if view.kind == "open":
        entry = kind.entry_of(view.brief) if (kind := all_kinds().get(view.kind)) else ""
        return PurePosixPath(entry).suffix.removeprefix(".").upper()
    return ""
