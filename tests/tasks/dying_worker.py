"""A worker that works one job and is killed by SIGKILL as soon as so many events are committed.

`python -m tests.tasks.dying_worker JOB TYPE COUNT`: the process ends itself at the moment when COUNT events of TYPE
("" for any) are durable, before it does anything else.
"""

from __future__ import annotations

import os
import signal
import sys

from sqlalchemy import event, text
from sqlalchemy.orm import Session

from studio.blobs import open_blobs
from studio.database import open_database
from studio.pipeline.run import run_job
from studio.sandboxes import engine_for
from studio.settings import Settings


def main() -> None:
    job_id, kind, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    settings = Settings()
    db = open_database(settings)
    look = text("SELECT COUNT(*) FROM events WHERE job_id = :job AND type LIKE :kind")

    def after_commit(session: Session) -> None:
        with db.engine.connect() as connection:
            committed = connection.scalar(look, {"job": job_id, "kind": kind or "%"})
        if (committed or 0) >= count:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Session, "after_commit", after_commit)
    run_job(job_id, db, open_blobs(settings), engine_for(settings), settings, "dying")


if __name__ == "__main__":
    main()
