"""What must hold for a brief's outputs, as data, and what was found: Check, Contract, Report (`studio.report/1`)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

Severity: TypeAlias = Literal["must", "should"]
CheckVerdict: TypeAlias = Literal["pass", "fail", "error"]
ReportVerdict: TypeAlias = Literal["accept", "reject", "error"]

MAX_FILES = 200
MAX_OUTPUT_BYTES = 200 * 1024 * 1024
MAX_PLACES = 24  # that one finding shows


class Check(BaseModel):
    """One condition: its id (KINDS.md), how severe, the expectation in words, and the arguments to measure it by.

    The argument `file` names the deliverable that is looked at; a contract may have a check once for each of several.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    severity: Severity = "must"
    expected: str
    args: dict[str, JsonValue] = Field(default_factory=dict)
    if_present: str | None = Field(
        default=None, description="Asked only where this optional deliverable was made; else the report is silent on it"
    )

    @property
    def file(self) -> str | None:
        """The one deliverable that this check looks at, where it is one."""
        found = self.args.get("file")
        return found if isinstance(found, str) else None


class Contract(BaseModel):
    """All checks of one brief, in the order in which they are reported."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str
    entry: str = Field(description="The deliverable that is shown, e.g. poster.svg")
    checks: tuple[Check, ...]
    max_files: int = MAX_FILES
    max_bytes: int = MAX_OUTPUT_BYTES
    unmeasured: tuple[str, ...] = ("prompt",)

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        """Answers are matched by id and file, so no two checks may have both in common."""
        keys = [(check.id, check.file) for check in self.checks]
        if len(set(keys)) < len(keys):
            raise ValueError("two checks have the same id and the same file")
        return self

    def for_delivery(self, paths: Collection[str]) -> Contract:
        """What is asked of a delivery with these paths: without the checks of optional files that are not there."""
        asked = tuple(check for check in self.checks if check.if_present is None or check.if_present in paths)
        return self if asked == self.checks else self.model_copy(update={"checks": asked})


class Place(BaseModel):
    """Where a finding is: a file; in it a box, a time, or a stretch of time.

    `box` is x, y, width, height, y downwards, and `page` is the whole of what it lies on in the same units, so that
    (box − page's corner) ÷ page's size is the place as a share of the picture, whatever the units are. They are the
    file's own: of an SVG its viewBox, of a picture and of a film its pixels, of a web page the CSS px of the window in
    its first view, whose width tells at which width it was seen (1280 or 390). A box may reach beyond the page.

    `time_s` is in seconds from the begin of a film, a recording or a MIDI file; with `until_s` it is a stretch.
    `label` names what is there, as the words of a text or the name of a stop.
    """

    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)

    file: str = Field(max_length=1000)
    box: tuple[float, float, float, float] | None = None
    page: tuple[float, float, float, float] | None = None
    time_s: float | None = None
    until_s: float | None = None
    label: str = Field(default="", max_length=200)


class Finding(BaseModel):
    """The verdict on one check, with a sentence that a person can act on.

    `place` is the first place that it is about, also of a pass; `places` are all of them, where there are several.
    """

    model_config = ConfigDict(extra="ignore")

    id: str = Field(max_length=80)
    severity: Severity
    verdict: CheckVerdict
    expected: str = Field(default="", max_length=2000)
    measured: JsonValue = None
    message: str = Field(default="", max_length=4000)
    place: Place | None = None
    places: list[Place] = Field(default_factory=list, max_length=MAX_PLACES)


class ReportedFile(BaseModel):
    """One regular file of the outputs."""

    path: str
    media_type: str
    bytes: int
    sha256: str


class Preview(BaseModel):
    """A picture that the inspector made; `path` is below the previews folder."""

    path: str = Field(pattern=r"^[a-z0-9_.-]{1,60}$")
    width: int = Field(ge=0, le=1_000_000)
    height: int = Field(ge=0, le=1_000_000)


class Report(BaseModel):
    """`report.json`: what was found. The verdict follows from the findings (`verdict_of`), not a sandbox's word."""

    model_config = ConfigDict(populate_by_name=True, extra="ignore")

    schema_: Literal["studio.report/1"] = Field(default="studio.report/1", alias="schema")
    kind: str
    verdict: ReportVerdict
    checks: list[Finding] = Field(max_length=500)
    files: list[ReportedFile] = Field(default_factory=list, max_length=MAX_FILES + 1)
    previews: list[Preview] = Field(default_factory=list, max_length=20)
    facts: dict[str, JsonValue] = Field(default_factory=dict)
    unmeasured: list[str] = Field(default_factory=list)
    elapsed_s: float = 0.0

    @property
    def failed(self) -> list[Finding]:
        """Findings that did not pass, must-checks first."""
        return sorted((f for f in self.checks if f.verdict != "pass"), key=lambda f: f.severity != "must")


def verdict_of(findings: list[Finding]) -> ReportVerdict:
    """A failed must → reject; else a must that errored → error; else accept (KINDS.md, "The report")."""
    musts = {finding.verdict for finding in findings if finding.severity == "must"}
    if "fail" in musts:
        return "reject"
    return "error" if "error" in musts else "accept"
