"""Jobs and artifacts as a worker leaves them, put there through the services that a worker uses."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence

from studio import gallery, jobs
from studio.blobs import Blobs
from studio.brief import JobRequest, JsonObject
from studio.contract import Finding, Place, Preview, Report
from studio.database import Database
from studio.jobs import Claim, FileView, JobEnd, JobView
from studio.kinds import get_kind
from studio.settings import Settings
from studio.trajectory import (
    Call,
    Event,
    Header,
    JobStarted,
    MadeBy,
    ModelReply,
    ModelRequest,
    ReplyUsage,
    Reported,
    StateChanged,
    ToolCalled,
    ToolResult,
    Usage,
)

# Around the words of `svg(title)`.
FAINT = Place(file="poster.svg", box=(32, 484, 300, 34), page=(0, 0, 420, 594), label="9:00")
HUES = ("#1b2a49", "#7a1f2b", "#0f4c3a", "#4b2e83", "#8a5a00", "#202020")


def brief(
    title: str = "Evening of Chamber Music", prompt: str = "", language: str = "en", **params: object
) -> JsonObject:
    event = {"name": title, "date": "Friday, 3 July 2026", "venue": "Old Harbour Hall"}
    return {
        "kind": "poster",
        "title": title[:120],
        "prompt": prompt,
        "language": language,
        "params": {"event": event, **params},
    }


def svg(title: str, width: int = 420, height: int = 594) -> bytes:
    """A picture that stands for a poster."""
    hue = HUES[sum(title.encode()) % len(HUES)]
    x, y = width * 0.68, height * 0.36
    rings = "".join(
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{n * 22}" fill="none" stroke="#fff" opacity=".35"/>' for n in range(1, 9)
    )
    text = title.replace("&", "&amp;").replace("<", "&lt;")[:24]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<rect width="100%" height="100%" fill="{hue}"/>{rings}'
        f'<text x="8%" y="86%" font-family="sans-serif" font-size="{width / 14:.0f}" fill="#fff">{text}</text></svg>'
    ).encode()


class Seed:
    """Puts jobs in every state into one data directory."""

    def __init__(self, db: Database, blobs: Blobs, settings: Settings) -> None:
        self.db, self.blobs, self.settings = db, blobs, settings

    def queued(self, request: JsonObject | None = None, **more: object) -> JobView:
        value = JobRequest.model_validate({"brief": request or brief(), **more})
        return jobs.create(self.db, value, self.settings, caller="test")

    def running(self, request: JsonObject | None = None, **more: object) -> tuple[JobView, Claim]:
        job = self.queued(request, **more)
        claim = jobs.claim(self.db, job.id, "worker-test", 3600.0)
        assert claim is not None
        self.record(claim, JobStarted(engine="local", limits=claim.run.limits.model_dump(), network="none"))
        self.record(claim, StateChanged(state="running"))
        return jobs.get(self.db, job.id), claim

    def record(self, claim: Claim, *events: Event) -> None:
        for event in events:
            jobs.record_event(self.db, claim, event)

    def call(
        self, claim: Claim, number: int, name: str, arguments: JsonObject, output: str | None = "", **more: object
    ) -> None:
        """A call of prepared programs; without output it is still running."""
        call_id = f"call-{number}"
        self.record(claim, ToolCalled(id=call_id, name=name, arguments=arguments))
        if output is not None:
            result = {"id": call_id, "output": output, "exit_status": 0, "seconds": 0.4, **more}
            self.record(claim, ToolResult.model_validate(result))

    def turn(
        self, claim: Claim, number: int, text: str, name: str, arguments: JsonObject, output: str = "", **more: object
    ) -> None:
        """One turn of a model: its words, one call, the result."""
        call = Call(id=f"call-{number}", name=name, arguments=json.dumps(arguments))
        usage = ReplyUsage(prompt_tokens=1000 * number, completion_tokens=210)
        self.record(claim, ModelRequest(messages_sha256="0" * 64, messages_bytes=1000, messages_count=2 * number))
        self.record(
            claim,
            ModelReply(
                text=text, reasoning="Margins first." if number == 1 else "", calls=[call], usage=usage, seconds=3.2
            ),
        )
        self.call(claim, number, name, arguments, output, **more)

    def stored(self, path: str, content: bytes, media_type: str, **more: object) -> FileView:
        sha256, size = self.blobs.put_stream(io.BytesIO(content))
        return FileView.model_validate(
            {"path": path, "media_type": media_type, "bytes": size, "sha256": sha256, **more}
        )

    def files(self, title: str, width: int = 420, height: int = 594, text: str = "# Colours\n") -> list[FileView]:
        picture = svg(title, width, height)
        return [
            self.stored("poster.svg", picture, "image/svg+xml"),
            self.stored("design_specs.md", text.encode(), "text/markdown"),
            self.stored("social_media_versions/instagram.svg", svg(title, 540, 540), "image/svg+xml"),
            self.stored("social_media_versions/twitter.svg", svg(title, 600, 338), "image/svg+xml"),
            self.stored("thumbnail.svg", picture, "image/svg+xml", role="preview", width=width, height=height),
        ]

    def report(self, claim: Claim, fails: Mapping[str, str] | None = None) -> Report:
        """A report on the claim's contract; `fails` names the checks that fail, each with its sentence."""
        fails = fails or {}
        contract = get_kind(claim.brief.kind).contract(claim.brief)
        findings = [
            Finding(
                id=check.id,
                severity=check.severity,
                verdict="fail" if check.id in fails else "pass",
                expected=check.expected,
                measured=2.1 if check.id in fails else 7.4,
                message=fails.get(check.id, ""),
                place=FAINT if check.id in fails else None,
            )
            for check in contract.checks
        ]
        return Report(
            kind=claim.brief.kind,
            verdict="reject" if fails else "accept",
            checks=findings,
            previews=[Preview(path="thumbnail.svg", width=420, height=594)],
            unmeasured=list(contract.unmeasured),
            elapsed_s=1.4,
        )

    def work(self, claim: Claim, model: str | None = None) -> None:
        """The record of a short run."""
        if model:
            by = MadeBy(model=model)
            jobs.set_header(self.db, claim, Header(made_by=by, brief=claim.brief))
            self.turn(
                claim,
                1,
                "I will draw the poster as one SVG, from a grid.",
                "execute_bash",
                {"command": "ls -la /testbed/input\ncat /testbed/input/brief.json"},
                "total 8\nbrief.json\nrun.json\n",
            )
            self.turn(
                claim,
                2,
                "Now the file.",
                "str_replace_editor",
                {"command": "create", "path": "/testbed/make.py", "file_text": "print('poster')\n" * 30},
                "created",
                files_changed=["make.py"],
            )
            self.turn(
                claim, 3, "", "execute_bash", {"command": "python3 make.py"}, "Traceback: no such font\n", exit_status=1
            )
        else:
            self.call(
                claim,
                1,
                "str_replace_editor",
                {"command": "create", "path": "/testbed/poster/make.py", "file_text": "import json\n" * 40},
                "created",
                files_changed=["poster/make.py"],
            )
            self.call(
                claim,
                2,
                "execute_bash",
                {"command": "cd /testbed && python3 -m poster.make"},
                "layout: grid\nwrote poster.svg\n",
                seconds=4.2,
            )

    def published(
        self,
        request: JsonObject | None = None,
        *,
        model: str | None = None,
        size: Sequence[int] = (420, 594),
        text: str = "# Colours\n",
        **more: object,
    ) -> str:
        """The id of a new artifact."""
        job, claim = self.running(request, **more)
        self.work(claim, model)
        report = self.report(claim)
        self.record(
            claim, StateChanged(state="inspecting"), Reported(report=report, repair=0), StateChanged(state="publishing")
        )
        usage = Usage(
            steps=3,
            wall_s=9.3,
            tool_s=4.6,
            inspect_s=1.4,
            prompt_tokens=6000 if model else None,
            completion_tokens=630 if model else None,
        )
        end = JobEnd("published", usage=usage, report=report, files=self.files(job.title, size[0], size[1], text=text))
        artifact = gallery.publish(self.db, claim, end)
        assert artifact is not None
        return artifact

    def rejected(self, request: JsonObject | None = None, fails: Mapping[str, str] | None = None) -> JobView:
        job, claim = self.running(request)
        self.work(claim)
        report = self.report(
            claim, fails or {"poster.contrast": '"9:00" is #888 on #999; make the text darker or the ground lighter.'}
        )
        self.record(claim, StateChanged(state="inspecting"), Reported(report=report, repair=0))
        end = JobEnd(
            "rejected", "checks_failed", usage=Usage(steps=3, wall_s=7.0), report=report, files=self.files(job.title)
        )
        return jobs.finish(self.db, claim, end)

    def failed(self, request: JsonObject | None = None, reason: str = "sandbox_lost", message: str = "") -> JobView:
        _, claim = self.running(request)
        self.work(claim)
        return jobs.finish(self.db, claim, JobEnd("failed", reason, message, usage=Usage(steps=2, wall_s=5.0)))
