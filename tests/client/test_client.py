"""The Python client against a real server, and against lines that break."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio import jobs, keys
from studio.client import Live, Studio, safe_path
from studio.errors import BriefError, ConfigurationError, NotFound, StudioError
from studio.jobs import JobEnd
from studio.streamed import read_stream
from studio.trajectory import Note
from tests.web.seeding import brief
from tests.web.served import Served, served


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("open")) as studio:
        yield studio


@pytest.fixture
def client(opened: Served) -> Iterator[Studio]:
    with Studio(opened.url) as studio:
        yield studio


def test_from_a_brief_to_the_files(opened: Served, client: Studio, tmp_path: Path) -> None:
    file = tmp_path / "photo.png"
    file.write_bytes(b"\x89PNG")
    upload = client.upload([("фото.png", file)])[0]
    attachment = {"upload": upload.id, "name": upload.name, "role": "document"}
    job = client.create(brief("Downloaded"), run={"seed": 3}, attachments=[attachment], tags=["a"], custom_id="1")
    assert (job.state, job.custom_id, job.ended) == ("queued", "1", False)
    with pytest.raises(NotFound):
        client.report(job.id)
    opened.publish(job.id)
    ended = client.wait(job.id, 60)
    assert ended.state == "published"
    assert ended.artifact
    assert client.report(job.id).verdict == "accept"
    written = client.download(job.id, tmp_path / "out")
    assert sorted(str(path.relative_to(tmp_path / "out")) for path in written) == [
        "design_specs.md",
        "poster.svg",
        "social_media_versions/instagram.svg",
        "social_media_versions/twitter.svg",
    ]
    assert b"<svg" in (tmp_path / "out" / "poster.svg").read_bytes()


def test_errors_are_the_studio_s_own(opened: Served, client: Studio) -> None:
    with pytest.raises(BriefError) as refused:
        client.create({"kind": "poster", "title": "A", "params": {}})
    assert [problem.pointer for problem in refused.value.problems] == ["/brief/params/event"]
    with pytest.raises(NotFound):
        client.job("00000000-0000-7000-8000-000000000000")
    with pytest.raises(NotFound):
        client.cancel("../kinds")
    with pytest.raises(ConfigurationError, match="unknown or revoked"), Studio(opened.url, "studio_wrong") as wrong:
        wrong.job("00000000-0000-7000-8000-000000000000")
    _, text = keys.create(opened.db, "reader", ["read"])
    with pytest.raises(ConfigurationError, match="scope"), Studio(opened.url, text) as reader:
        reader.create(brief())
    with pytest.raises(ConfigurationError, match="address"):
        Studio("localhost:8765")
    with pytest.raises(ConfigurationError, match="no studio answers"), Studio("http://127.0.0.1:9") as nobody:
        next(nobody.events("00000000-0000-7000-8000-000000000000"))


def test_waiting_ends_in_time(opened: Served, client: Studio) -> None:
    job = client.create(brief("Never worked"))
    client.cancel(job.id)
    assert client.wait(job.id, 30).state == "canceled"
    _, claim = opened.seed.running(brief("Slow"))
    opened.seed.record(claim, Note(text="still at it"))
    with pytest.raises(TimeoutError):
        client.wait(claim.job_id, 0.0)


class Breaking(threading.Thread):
    """Passes bytes between a client and a server, and cuts each connection after a number of bytes."""

    def __init__(self, port: int, most: int) -> None:
        super().__init__(daemon=True)
        self.target, self.most, self.connections = port, most, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]

    def run(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def _pass(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError), client, socket.create_connection(("127.0.0.1", self.target)) as server:
            threading.Thread(target=self._forth, args=(client, server), daemon=True).start()
            left = self.most
            while left > 0 and (chunk := server.recv(min(left, 4096))):
                client.sendall(chunk)
                left -= len(chunk)
            client.shutdown(socket.SHUT_RDWR)

    def _forth(self, client: socket.socket, server: socket.socket) -> None:
        try:
            while chunk := client.recv(4096):
                server.sendall(chunk.replace(b"127.0.0.1:%d" % self.port, b"localhost:%d" % self.target))
        except OSError:
            pass


def test_a_line_that_breaks_is_made_again_without_a_gap(opened: Served) -> None:
    job, claim = opened.seed.running(brief("Broken lines"))
    opened.seed.record(claim, *(Note(text=f"note {number} " + "x" * 300) for number in range(30)))
    jobs.finish(opened.db, claim, JobEnd("failed", "no_output"))
    line = Breaking(opened.port, 4000)
    line.start()
    with Studio(f"http://127.0.0.1:{line.port}") as client:
        seen = [event.seq for event in client.events(job.id) if not isinstance(event, Live)]
    line.listener.close()
    assert seen == list(range(1, jobs.get(opened.db, job.id).last_seq + 1))
    assert line.connections > 2


def test_a_stream_is_read_alike_however_it_is_cut() -> None:
    text = (
        ": hello\r\n\r\nretry: 2000\n\n"
        'id: 1\nevent: note\ndata: {"type":"note","seq":1,"text":"a\u2028b\u0085c 🎈"}\n\n'
        ": ping\n\n"
        'event: live\ndata: {"call_id":"c","text":"x"}\n\n'
        "event: of-the-future\ndata: {}\n\n"
        "data: broken\n\n"
    ).encode()
    for size in (1, 2, 7, len(text)):
        chunks = [text[at : at + size] for at in range(0, len(text), size)]
        items = [item for item in read_stream(chunks) if item is not None]
        assert [type(item) for item in items] == [Note, Live]
        assert isinstance(items[0], Note)
        assert items[0].text == "a\u2028b\u0085c 🎈"


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "a/../../x", "", "a\0b"])
def test_no_file_is_written_outside_of_the_folder(path: str) -> None:
    with pytest.raises(StudioError):
        safe_path(path)
