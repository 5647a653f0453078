"""Runs an inspection: reads what was asked, has the groups measured side by side, and makes the one report."""

from __future__ import annotations

import base64
import ctypes
import json
import math
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from sandbox_image.inspector import registry
from sandbox_image.inspector.limited import Answer, Crew, Task, fault
from sandbox_image.inspector.listing import list_files
from sandbox_image.inspector.places import MOST, places_of
from sandbox_image.inspector.subject import Asked, Evidence, Json, Subject

TOTAL_LIMIT_S = 110.0
PREVIEW_BYTES = 4 << 20
MESSAGE_CHARS = 2000
MEASURED_BYTES = 16 << 10
FACTS_BYTES = 1 << 20
_PR_SET_DUMPABLE = 4


def inspect(folder: Path, outputs: Path, previews: Path) -> Json:
    """The report on `outputs`, as JSON; pictures are written into `previews`. Severities are the studio's to add."""
    began = time.monotonic()
    _hide_from_children()
    subject = Subject.read(folder, outputs)
    tasks = [Task("files", "files", 60.0, lambda subject: {"files": list_files(subject)})]
    for asked in subject.checks:
        if entry := registry.find_check(asked.id):
            tasks.append(Task(asked.name, entry.group, entry.limit_s, _measuring(entry, asked)))
    makers = registry.previews_of(subject.kind, subject.entry)
    first = {maker.name: maker for maker in reversed(makers)}
    tasks += [_drawing_task(maker) for maker in first.values()]
    crew = Crew(subject, tasks, width=2, deadline=began + TOTAL_LIMIT_S)
    crew.run()
    # Another maker of a picture is needed only where the preferred one had none.
    if others := [
        _drawing_task(each)
        for each in makers
        if each is not first[each.name] and not _has_drawn(first[each.name], crew.answers)
    ]:
        second = Crew(subject, others, width=2, deadline=began + TOTAL_LIMIT_S)
        second.run()
        crew.answers.update(second.answers)
    return {
        "schema": "studio.report/1",
        "kind": subject.kind,
        "checks": [_finding(asked, crew.answers.get(asked.name)) for asked in subject.checks],
        "files": crew.answers.get("files", {}).get("files", []),
        "previews": _save_previews(makers, crew.answers, previews),
        "facts": crew.facts if _fits(crew.facts, FACTS_BYTES) else {},
        "elapsed_s": round(time.monotonic() - began, 3),
    }


def _hide_from_children() -> None:
    """Non-dumpable, so that a broken-into child cannot write the report through /proc or ptrace (prctl(2))."""
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def _measuring(entry: registry.CheckEntry, asked: Asked) -> Callable[[Subject], Answer]:
    def run(subject: Subject) -> Answer:
        return _answer(subject, entry.measure(subject, asked.args))

    return run


def _answer(subject: Subject, evidence: Evidence) -> Answer:
    answer: Answer = {
        "verdict": "pass" if evidence.passed else "fail",
        "measured": evidence.measured,
        "message": evidence.message,
    }
    if places := places_of(subject, evidence):
        answer |= {"place": places[0], "places": places}
    return answer


def _drawing_task(maker: registry.PreviewEntry) -> Task:
    return Task(_name_of(maker), maker.group, 40.0, _drawing(maker))


def _name_of(maker: registry.PreviewEntry) -> str:
    return f"{maker.name}:{maker.rank}"


def _has_drawn(maker: registry.PreviewEntry, answers: dict[str, Answer]) -> bool:
    return "content" in answers.get(_name_of(maker), {})


def _drawing(maker: registry.PreviewEntry) -> Callable[[Subject], Answer]:
    def run(subject: Subject) -> Answer:
        picture = maker.draw(subject)
        content = base64.b64encode(picture.content).decode()
        return {"width": picture.width, "height": picture.height, "content": content}

    return run


def _finding(asked: Asked, answer: Answer | None) -> Json:
    """A finding in the report's shape; a child's answer is a stranger's and is cut to what is allowed."""
    if registry.find_check(asked.id) is None:
        answer = fault("error", f"This inspector does not know the check {asked.id}.")
    elif answer is None or answer.get("verdict") not in ("pass", "fail", "error"):
        answer = fault("error", "No answer came for this check.")
    if trace := answer.get("trace"):
        print(f"{asked.name}: {trace}", file=sys.stderr)
    finding = {
        "id": asked.id,
        "file": asked.file,
        "verdict": answer["verdict"],
        "measured": answer["measured"] if _fits(answer.get("measured"), MEASURED_BYTES) else None,
        "message": str(answer.get("message", ""))[:MESSAGE_CHARS],
    }
    places = answer.get("places") or [answer.get("place")]
    found = [_place(place) for place in places[:MOST] if isinstance(place, dict)] if isinstance(places, list) else []
    if found:
        finding |= {"place": found[0], "places": found if len(found) > 1 else []}
    return finding


def _place(told: Json) -> Json:
    return {
        "file": str(told.get("file", ""))[:1000],
        "box": _numbers(told.get("box"), 4),
        "page": _numbers(told.get("page"), 4),
        "time_s": _number(told.get("time_s")),
        "until_s": _number(told.get("until_s")),
        "label": str(told.get("label", ""))[:200],
    }


def _fits(value: Json, limit: int) -> bool:
    return value is not None and len(json.dumps(value)) <= limit


def _number(value: Json) -> float | None:
    return round(float(value), 2) if isinstance(value, int | float) and math.isfinite(value) else None


def _numbers(value: Json, count: int) -> list[float] | None:
    if not isinstance(value, list) or len(value) != count:
        return None
    numbers = [number for number in map(_number, value) if number is not None]
    return numbers if len(numbers) == count else None


def _save_previews(makers: list[registry.PreviewEntry], answers: dict[str, Answer], folder: Path) -> Json:
    """Write the best picture of each name, and say its size."""
    folder.mkdir(parents=True, exist_ok=True)
    saved: dict[str, Json] = {}
    for maker in makers:
        if maker.name in saved or not _has_drawn(maker, answers):
            continue
        answer = answers[_name_of(maker)]
        content = base64.b64decode(answer["content"])
        if len(content) <= PREVIEW_BYTES:
            (folder / maker.name).write_bytes(content)
            saved[maker.name] = {"path": maker.name, "width": int(answer["width"]), "height": int(answer["height"])}
    return list(saved.values())


def main() -> None:
    """`python3 -I inspector.zip FOLDER OUTPUTS`: the report on standard output, pictures in FOLDER/previews."""
    folder, outputs = Path(sys.argv[1]), Path(sys.argv[2])
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    report = inspect(folder, outputs, folder / "previews")
    # What came from files may hold half characters, which no encoding has.
    sys.stdout.buffer.write(json.dumps(report, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace"))
