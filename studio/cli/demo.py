"""`studio demo`: the whole product from one command. Set-up goes on while the pages are served already.

The samples of every kind with a recipe become jobs with the tag `sample`; a second run finds them and makes only what
is missing.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import click

from studio import gallery, jobs
from studio.brief import Brief, JobRequest
from studio.cli.preparing import SetupNotice, preparing
from studio.cli.supervisor import Supervisor, hold
from studio.cli.up import require_protections, serve_jobs, serve_web
from studio.database import Database, open_database
from studio.errors import StudioError
from studio.jobs import JobView
from studio.kinds import all_kinds, parse_brief
from studio.settings import Settings
from tasks.generate import enqueue

TAG = "sample"
ENDED = {"published", "accepted", "rejected", "failed", "canceled", "expired"}


def sample_jobs(database: Database, settings: Settings) -> list[JobView]:
    """One job for each sample of each kind with a recipe: found, published or under way, else made."""
    known: dict[str, JobView] = {}
    cursor: str | None = None
    while True:
        page = jobs.list_jobs(database, tag=TAG, cursor=cursor, limit=100)
        for job in page.data:
            if job.custom_id and job.state not in {"rejected", "failed", "canceled", "expired"}:
                known.setdefault(job.custom_id, job)
        if (cursor := page.next_cursor) is None:
            break
    chosen = []
    for kind in (each for each in all_kinds().values() if each.has_recipe):
        for sample in kind.samples():
            name = f"{kind.name}/{sample.name}"
            found = known.get(name)
            if (
                found is None
                or Brief.model_validate(found.brief) != parse_brief(sample.brief)
                or removed(database, found)
            ):
                request = JobRequest(brief=sample.brief, tags=[TAG], custom_id=name)
                job = jobs.create(database, request, settings, caller="demo")
                enqueue(job.id, database, settings)
                found = job
            chosen.append(found)
    return chosen


def removed(database: Database, job: JobView) -> bool:
    """Is a published job's artifact gone from the gallery?"""
    if job.state != "published" or job.artifact is None:
        return False
    try:
        gallery.get(database, job.artifact)
    except StudioError:
        return True
    return False


@dataclass
class Watch:
    """Says a line on standard output as each job ends."""

    database: Database
    url: str
    ids: list[str]
    ended: dict[str, str] = field(default_factory=dict)

    def done(self) -> bool:
        for job_id in self.ids:
            if job_id in self.ended:
                continue
            job = jobs.get(self.database, job_id)
            if job.state in ENDED:
                self.ended[job_id] = job.state
                where = f"artifacts/{job.artifact}" if job.artifact else f"jobs/{job.id}"
                reason = f" ({job.reason})" if job.reason else ""
                title = " ".join(job.title.split())
                click.echo(f"{job.state}{reason}  {job.kind}  {title}  {self.url}/{where}")
                sys.stdout.flush()
        return len(self.ended) == len(self.ids)


@click.command()
@click.option("--exit", "leave", is_flag=True, help="End when all samples are made: 0 when every one is published.")
def command(leave: bool) -> int:
    """Set everything up, make the samples with no key, and serve the gallery."""
    settings = Settings()
    require_protections(settings)
    with hold(settings.data_dir) as lock, Supervisor(settings, lambda text: click.echo(text, err=True)) as supervisor:
        notice = SetupNotice(settings.data_dir)
        notice.write("starting", "Looking at what is there", None, None)
        serving = serve_web(supervisor, click.echo)
        sys.stdout.flush()
        lock.seek(0)
        lock.truncate()
        lock.write(serving.url)
        lock.flush()
        database = open_database(settings)
        watch = Watch(database, serving.url, [job.id for job in sample_jobs(database, settings)])
        with preparing(serving.settings) as builder:
            supervisor.run(until=lambda: builder.poll() is not None)
        if builder.returncode and not supervisor.stop.is_set():
            return builder.returncode
        if not supervisor.stop.is_set():
            serve_jobs(supervisor, serving.settings.port)
            supervisor.run(until=watch.done)
        if supervisor.stop.is_set():
            return 130
        bad = sum(state != "published" for state in watch.ended.values())
        click.echo(f"{len(watch.ended) - bad} of {len(watch.ended)} samples published: {serving.url}/gallery", err=True)
        if not leave:
            click.echo("Serving until Ctrl-C.", err=True)
            supervisor.run()
        return 4 if bad else 0
