"""Python client of the studio's HTTP API.

    from studio.client import Studio

    with Studio("http://localhost:8765") as studio:
        job = studio.wait(studio.create({"kind": "poster", "title": "Open day", "params": {…}}).id)
        studio.download(job.id, Path("poster"))

Errors are the studio's own: BriefError for a refused request (its problems carry JSON Pointers), NotFound, Conflict,
ConfigurationError where no studio answers or the key is refused, StudioError for anything else.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, Literal
from urllib.parse import urlsplit
from uuid import UUID

import httpx

from studio.answered import ENDED, Batch, Checked, Job, Live, RemoteFile, Reproduced, Upload
from studio.brief import Brief, JsonObject
from studio.contract import Report
from studio.errors import BriefError, ConfigurationError, Conflict, NotFound, Problem, StudioError
from studio.streamed import read_stream
from studio.trajectory import Event, StateChanged

__all__ = ["Batch", "Checked", "Job", "Live", "NoAnswer", "RemoteFile", "Studio", "Upload", "safe_path"]

QUIET_S = 45.0  # a stream without even a heartbeat (one every 15 s) for so long is dead
GIVE_UP_S = 60.0


class NoAnswer(ConfigurationError):
    """No studio answers at this address."""


class Studio:
    """One studio at `url`. Use it as a context manager, or close it."""

    def __init__(self, url: str = "http://localhost:8765", key: str | None = None, timeout_s: float = 30.0) -> None:
        self.url = url.rstrip("/")
        host = urlsplit(self.url).hostname
        if urlsplit(self.url).scheme not in {"http", "https"} or not host:
            raise ConfigurationError(f"{url!r} is not the address of a studio, for example http://localhost:8765")
        self._http = httpx.Client(
            base_url=f"{self.url}/api/v1",
            headers={"Accept": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})},
            timeout=timeout_s,
            trust_env=host not in {"localhost", "127.0.0.1", "::1"},  # no proxy for this machine
        )

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def create(
        self,
        brief: Brief | JsonObject,
        *,
        run: JsonObject | None = None,
        attachments: Sequence[JsonObject] = (),
        tags: Sequence[str] = (),
        custom_id: str | None = None,
    ) -> Job:
        """Make something; the job, queued. `attachments` are `{upload, name, role}` with ids of `upload`.

        Raises BriefError when the request is refused, pointers from the request's root (/brief/…, /run/…).
        """
        body = _request(brief, run=run, attachments=list(attachments), tags=list(tags), custom_id=custom_id)
        return Job.model_validate(self._ask("POST", "/jobs", json=body))

    def check(self, brief: Brief | JsonObject, **given: Any) -> Checked:
        """What a request to `create` with the same arguments would become, and may take; nothing is made.

        Raises BriefError as `create` does.
        """
        body = _request(brief, **given)
        return Checked.model_validate(self._ask("POST", "/jobs", json=body, params={"dry_run": "1"}))

    def upload(self, files: Iterable[tuple[str, Path]]) -> list[Upload]:
        """Send files under the names given; what they are called in the studio, in the same order."""
        with ExitStack() as stack:
            parts = [("file", (name, stack.enter_context(path.open("rb")))) for name, path in files]
            answer = self._ask("POST", "/uploads", files=parts, headers={"X-Studio-Upload": "1"})
        return [Upload.model_validate(item) for item in answer["data"]]

    def batch(
        self,
        lines: Path | list[JsonObject],
        *,
        kind: str | None = None,
        template: JsonObject | None = None,
        run: JsonObject | None = None,
        tags: Sequence[str] = (),
        name: str | None = None,
        key: str | None = None,
        strategy: str | None = None,
        otherwise: str | None = None,
    ) -> Batch:
        """Make many: of a file (JSON Lines, an array, CSV) or of briefs. `key`: sent again, it is the same batch.

        Raises BriefError for what is wrong with the whole; a line that does not hold is among its `line_errors`.
        """
        headers = {"Idempotency-Key": key} if key else {}
        waiting = httpx.Timeout(30.0, read=600.0)
        given = {"kind": kind, "template": template, "run": run, "tags": list(tags), "name": name}
        given |= {"strategy": strategy, "otherwise": otherwise}
        body: JsonObject = {field: value for field, value in given.items() if value}
        if not isinstance(lines, Path):
            body["rows" if template is not None else "lines"] = lines
            return Batch.model_validate(self._ask("POST", "/batches", json=body, headers=headers, timeout=waiting))
        fields = {field: json.dumps(value) for field, value in body.items() if field in ("template", "run")}
        fields |= {field: str(body[field]) for field in ("kind", "name", "strategy", "otherwise") if field in body}
        form: dict[str, Any] = {**fields, "tag": list(tags)}
        with lines.open("rb") as stream:
            answer = self._ask(
                "POST",
                "/batches",
                data=form,
                files={"file": (lines.name, stream)},
                headers={"X-Studio-Upload": "1", **headers},
                timeout=waiting,
            )
        return Batch.model_validate(answer)

    def batch_state(self, batch_id: str) -> Batch:
        """How a batch stands."""
        return Batch.model_validate(self._ask("GET", f"/batches/{_part(batch_id)}"))

    def cancel_batch(self, batch_id: str) -> Batch:
        """Cancel a batch; a second time changes nothing."""
        return Batch.model_validate(self._ask("POST", f"/batches/{_part(batch_id)}/cancel", json={}))

    def line_results(self, batch_id: str) -> Iterator[JsonObject]:
        """The lines whose works were accepted so far."""
        return self._lines(f"/batches/{_part(batch_id)}/results")

    def line_errors(self, batch_id: str) -> Iterator[JsonObject]:
        """The lines that ended without an accepted work, each with why."""
        return self._lines(f"/batches/{_part(batch_id)}/errors")

    def batch_archive(self, batch_id: str, target: Path) -> None:
        """Everything that a batch gave so far, as one ZIP."""
        self._save(f"/batches/{_part(batch_id)}/archive", target)

    def archive(self, job_id: str, target: Path) -> None:
        """A job's outputs, programs, brief, report and record, as one ZIP."""
        self._save(f"/jobs/{_part(job_id)}/archive", target)

    def _save(self, path: str, target: Path) -> None:
        with self._open("GET", path, {"Accept": "*/*"}) as response, target.open("wb") as out:
            for chunk in response.iter_bytes():
                out.write(chunk)

    def _lines(self, path: str) -> Iterator[JsonObject]:
        with self._open("GET", path, {"Accept": "*/*"}) as response:
            for line in response.iter_lines():
                if line:
                    yield json.loads(line)

    def job(self, job_id: str) -> Job:
        """One job."""
        return Job.model_validate(self._ask("GET", f"/jobs/{_part(job_id)}"))

    def revise(self, job_id: str, note: str, *, brief: JsonObject | None = None, run: JsonObject | None = None) -> Job:
        """The next version of what a job made, by a person's words; the new job. Raises BriefError, Conflict."""
        given = {"note": note, "brief": brief, "run": run}
        body = {name: value for name, value in given.items() if value is not None}
        return Job.model_validate(self._ask("POST", f"/jobs/{_part(job_id)}/revise", json=body))

    def note(self, job_id: str, text: str) -> None:
        """Say something to the model of a job under way. Raises Conflict where nobody would read it."""
        self._ask("POST", f"/jobs/{_part(job_id)}/notes", json={"text": text})

    def cancel(self, job_id: str) -> Job:
        """Cancel a job; a second time changes nothing."""
        return Job.model_validate(self._ask("POST", f"/jobs/{_part(job_id)}/cancel", json={}))

    def retry(self, job_id: str) -> Job:
        """The same request again, as a new job."""
        return Job.model_validate(self._ask("POST", f"/jobs/{_part(job_id)}/retry", json={}))

    def remix(
        self,
        job_id: str,
        *,
        brief: JsonObject | None = None,
        patch: JsonObject | None = None,
        run: JsonObject | None = None,
    ) -> Job:
        """A changed brief (whole, or a JSON Merge Patch of the old one) by an accepted job's recipe; no model is asked.

        Raises NotFound, Conflict where the job gave no accepted work, BriefError.
        """
        given = {"brief": brief, "patch": patch, "run": run}
        body = {name: value for name, value in given.items() if value is not None}
        return Job.model_validate(self._ask("POST", f"/jobs/{_part(job_id)}/remix", json=body))

    def reproduce(self, job_id: str) -> Job:
        """The job's recorded calls in a fresh sandbox, what they make compared; as a new job."""
        return Job.model_validate(self._ask("POST", f"/jobs/{_part(job_id)}/reproduce", json={}))

    def reproduction(self, job_id: str) -> Reproduced:
        """What a reproducing job found. Raises NotFound while there is nothing."""
        return Reproduced.model_validate(self._ask("GET", f"/jobs/{_part(job_id)}/reproduction"))

    def job_of(self, some_id: str) -> str:
        """The id of a job, given its own or its artifact's. Raises NotFound."""
        try:
            return self.job(some_id).id
        except NotFound:
            return str(self._ask("GET", f"/artifacts/{_part(some_id)}")["job_id"])

    def report(self, job_id: str) -> Report:
        """What was found of the job's outputs. Raises NotFound while there is no report."""
        return Report.model_validate(self._ask("GET", f"/jobs/{_part(job_id)}/report"))

    def wait(self, job_id: str, timeout_s: float | None = None) -> Job:
        """The job when it has ended. Raises TimeoutError after `timeout_s` seconds."""
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        for _ in self._items(job_id, 0, deadline):
            pass
        job = self.job(job_id)
        if not job.ended:
            raise TimeoutError(f"job {job_id} is {job.state} after {timeout_s:g} s")
        return job

    def events(self, job_id: str, after: int = 0) -> Iterator[Event | Live]:
        """What happens in a job behind event `after`, as it happens, until the job has ended.

        A broken connection is made again without a gap or a repeat. Raises NoAnswer (a ConfigurationError) when there
        is none at the start, or none for a minute later on.
        """
        return (item for item in self._items(job_id, after, None) if item is not None)

    def trajectory(self, job_id: str, form: Literal["studio", "atif", "openai"] = "studio") -> Iterator[bytes]:
        """The record of a job in pieces: `studio` (JSON Lines), `atif` or `openai` (JSON)."""
        path = f"/jobs/{_part(job_id)}/trajectory?format={form}"
        with self._open("GET", path, {"Accept": "*/*"}) as response:
            yield from response.iter_bytes()

    def files(self, job_id: str) -> list[RemoteFile]:
        """The job's outputs."""
        return [RemoteFile.model_validate(item) for item in self._ask("GET", f"/jobs/{_part(job_id)}/files")["data"]]

    def download(self, job_id: str, folder: Path) -> list[Path]:
        """Fetch all outputs into `folder`, which is made; nothing is written outside of it. The paths written."""
        written = []
        for file in self.files(job_id):
            target = folder / safe_path(file.path)
            target.parent.mkdir(parents=True, exist_ok=True)
            with self._open("GET", f"{self.url}{file.download}", {}) as response, target.open("wb") as out:
                for chunk in response.iter_bytes():
                    out.write(chunk)
            written.append(target)
        return written

    def _items(self, job_id: str, after: int, deadline: float | None) -> Iterator[Event | Live | None]:
        """Events, running output, and None for a heartbeat; connects again where the line breaks."""
        seen = after
        reached: float | None = None
        while deadline is None or time.monotonic() < deadline:
            headers = {"Accept": "text/event-stream", "Last-Event-ID": str(seen)}
            try:
                with self._open("GET", f"/jobs/{_part(job_id)}/events", headers, read_s=QUIET_S) as response:
                    for item in read_stream(response.iter_bytes()):
                        reached = time.monotonic()
                        if item is not None and not isinstance(item, Live):
                            seen = item.seq
                        yield item
                        over = isinstance(item, StateChanged) and item.state in ENDED
                        if over or (deadline is not None and reached >= deadline):
                            return
                if self.job(job_id).ended:
                    return
            except (httpx.TransportError, NoAnswer):
                if reached is None or time.monotonic() - reached > GIVE_UP_S:
                    raise
                time.sleep(0.1 if time.monotonic() - reached < 1.0 else 1.0)

    def _ask(self, method: str, path: str, **given: Any) -> Any:
        try:
            response = self._http.request(method, path, **given)
        except httpx.TransportError as error:
            raise self._unreachable(error) from error
        if response.is_error:
            raise error_of(response)
        try:
            return response.json()
        except ValueError:
            raise StudioError(f"{self.url} did not answer in JSON; is it a studio?") from None

    @contextmanager
    def _open(
        self, method: str, path: str, headers: Mapping[str, str], read_s: float | None = None
    ) -> Iterator[httpx.Response]:
        timeout = httpx.Timeout(30.0, read=read_s or 60.0)
        request = self._http.build_request(method, path, headers=dict(headers), timeout=timeout)
        try:
            response = self._http.send(request, stream=True)
        except httpx.TransportError as error:
            raise self._unreachable(error) from error
        try:
            if response.is_error:
                response.read()
                raise error_of(response)
            yield response
        finally:
            response.close()

    def _unreachable(self, error: httpx.TransportError) -> NoAnswer:
        return NoAnswer(
            f"no studio answers at {self.url} ({error or type(error).__name__}); "
            "start one with `studio up`, or set STUDIO_URL to the one that runs"
        )


def _request(brief: Brief | JsonObject, **given: Any) -> JsonObject:
    body: JsonObject = {"brief": brief.model_dump(mode="json") if isinstance(brief, Brief) else brief}
    return body | {name: value for name, value in given.items() if value}


def _part(text: str) -> str:
    """One segment of a path, whatever was given as an id."""
    try:
        return str(UUID(text))
    except ValueError:
        raise NotFound(f"{text[:60]!r} is not an id; ids look like {UUID(int=0)}") from None


def safe_path(path: str) -> PurePosixPath:
    """A server's file name as a path below a folder. Raises StudioError for one that leaves it."""
    found = PurePosixPath(path)
    if found.is_absolute() or not found.parts or ".." in found.parts or "\0" in path:
        raise StudioError(f"the studio names a file that would lie outside of the folder: {path[:200]!r}")
    return found


def error_of(response: httpx.Response) -> StudioError:
    """The studio's error for an answer with an error status (RFC 9457 documents are read)."""
    try:
        document = response.json()
        detail = str(document.get("detail") or document.get("title") or "")
        items = [item for item in document.get("errors", []) if isinstance(item, dict)]
    except (ValueError, AttributeError):
        detail, items = f"the server answered {response.status_code}", []
    status = response.status_code
    if status in (400, 413, 415, 422):
        problems = [Problem(str(item.get("pointer", "")), str(item.get("detail", ""))) for item in items]
        return BriefError(problems or [Problem("", detail)])
    if status == 404:
        return NotFound(detail)
    if status == 409:
        return Conflict(detail)
    if status in (401, 403):
        return ConfigurationError(f"{detail} (STUDIO_API_KEY or --key)")
    return StudioError(f"{status}: {detail}")
