"""RabbitMQ from Debian's package, started in a folder of its own on ports of loopback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.servers import private_folder, unprivileged

# Debian's command of this name insists on a user of its own; this is what it starts.
PROGRAM = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
MISSING = "RabbitMQ is not installed: apt-get install rabbitmq-server"
PATIENCE_S = 120.0


@contextmanager
def rabbitmq() -> Iterator[str]:
    """A server; its broker URL."""
    with private_folder() as folder:
        names, node, distribution = _free_ports(3)
        environment = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8",
            "HOME": str(folder),
            "ERL_EPMD_PORT": str(names),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"studio-{node}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(node),
            "RABBITMQ_DIST_PORT": str(distribution),
            "RABBITMQ_CONF_ENV_FILE": "/dev/null",
            "RABBITMQ_CONFIG_FILE": str(folder / "none"),
            "RABBITMQ_GENERATED_CONFIG_DIR": str(folder / "config"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
            "RABBITMQ_MNESIA_BASE": str(folder / "database"),
            "RABBITMQ_LOG_BASE": str(folder / "logs"),
            "RABBITMQ_LOGS": "-",
        }
        started: list[subprocess.Popen[bytes]] = []
        try:
            with (folder / "log").open("wb") as log:
                # Erlang's own registry of nodes, which would stay behind where it starts by itself.
                for argv in (["epmd", "-port", str(names), "-address", "127.0.0.1"], [str(PROGRAM)]):
                    started.append(
                        subprocess.Popen(
                            unprivileged(argv), cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log,
                            stderr=log, start_new_session=True,
                        )
                    )  # fmt: skip
            _wait(node, started[-1], folder / "log")
            yield f"amqp://guest:guest@127.0.0.1:{node}//"
        finally:
            for process in reversed(started):
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _wait(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        assert server.poll() is None, log.read_text("utf-8", "replace")[-2000:]
        try:
            socket.create_connection(("127.0.0.1", port), 1.0).close()
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(log.read_text("utf-8", "replace")[-2000:])


def _free_ports(count: int) -> list[int]:
    probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports
