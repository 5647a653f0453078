"""A Docker engine, or any that speaks its API: the only owner of the Docker SDK.

Everything is asked by the SDK's plain client and answered here in own types. Errors become ConfigurationError with the
remedy.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import docker
import requests
from docker.errors import DockerException, ImageNotFound, NotFound

from studio.errors import ConfigurationError
from studio.sandboxes.attached import AttachedConnection
from studio.settings import Settings

FAULTS = (DockerException, requests.RequestException, OSError)
ANSWER_S = 2.0
REQUEST_S = 60
BUILD_S = 1800
PLAIN = ("unix://", "tcp://", "http://")


@dataclass(frozen=True)
class StoredImage:
    """An image that the engine holds."""

    id: str
    labels: Mapping[str, str]
    size_bytes: int


@dataclass(frozen=True)
class State:
    """What the engine knows of a container's main process; `pid` as its own machine numbers it, 0 when it has ended."""

    running: bool
    pid: int
    exit_code: int
    out_of_memory: bool


@dataclass(frozen=True)
class Facts:
    """What the engine says of itself."""

    version: str
    host_name: str
    processors: int
    cgroup_version: int
    runtimes: tuple[str, ...]
    shares_this_machine: bool  # does it see the same files and processes as the studio?
    security: tuple[str, ...] = field(default=())


class DockerHost:
    """The engine at one address. May be used from any thread, and after a fork."""

    def __init__(self, settings: Settings) -> None:
        self.url = settings.docker_host
        self._lock = threading.Lock()
        self._clients: dict[int, Any] = {}
        self._facts: Facts | None = None

    def answers(self) -> bool:
        """Is an engine there?"""
        if not self.url.startswith(PLAIN):
            return False
        try:
            self._knock()
            client = docker.APIClient(base_url=self.url, version="auto", timeout=ANSWER_S)
        except FAULTS:
            return False
        client.close()
        return True

    def _knock(self) -> None:
        """Raise OSError where nobody listens: the SDK forgets to close a socket that did not connect."""
        if self.url.startswith("unix://"):
            with socket.socket(socket.AF_UNIX) as knocking:
                knocking.settimeout(ANSWER_S)
                knocking.connect(self.url.removeprefix("unix://"))

    def _client(self) -> Any:
        """The client of this process. Raises ConfigurationError."""
        if not self.url.startswith(PLAIN):
            raise ConfigurationError(
                f"STUDIO_DOCKER_HOST is {self.url!r}; the studio reaches an engine by unix:// or tcp:// (put a tunnel "
                "of your own before a remote one)"
            )
        own = os.getpid()
        with self._lock:
            if own not in self._clients:
                with told(f"no Docker engine answers at {self.url}"):
                    self._knock()
                    client = docker.APIClient(base_url=self.url, version="auto", timeout=REQUEST_S)
                    # The SDK would keep a connection open for every address that it asked, and each container has its
                    # own.
                    client.headers["Connection"] = "close"
                    self._clients[own] = client
            return self._clients[own]

    def facts(self) -> Facts:
        """What it says of itself, asked once. Raises ConfigurationError."""
        if self._facts is None:
            with told("the Docker engine says nothing of itself"):
                said = self._client().info()
            name = str(said.get("Name", ""))
            self._facts = Facts(
                version=str(said.get("ServerVersion", "")),
                host_name=name,
                processors=int(said.get("NCPU", 1)),
                cgroup_version=int(said.get("CgroupVersion", 1)),
                runtimes=tuple(sorted(said.get("Runtimes") or {})),
                shares_this_machine=self.url.startswith("unix://") and name == os.uname().nodename,
                security=tuple(said.get("SecurityOptions") or ()),
            )
        return self._facts

    def image(self, name: str) -> StoredImage | None:
        """The image called so, or None."""
        with told("the Docker engine does not tell of its images"):
            try:
                said = self._client().inspect_image(name)
            except ImageNotFound:
                return None
        return StoredImage(said["Id"], dict(said["Config"].get("Labels") or {}), int(said["Size"]))

    def image_names(self, repository: str) -> list[str]:
        """All names `repository:tag` that it holds."""
        with told("the Docker engine does not tell of its images"):
            found = self._client().images(repository)
        return sorted(tag for image in found for tag in image.get("RepoTags") or () if tag.startswith(f"{repository}:"))

    def remove_image(self, name: str) -> None:
        """Forget an image. Raises ConfigurationError while a container uses it."""
        with told(f"the image {name} cannot be removed"):
            self._client().remove_image(name, noprune=False)

    def pull(self, name: str) -> bool:
        """Fetch an image from its registry; False when none answers or has it."""
        try:
            for step in self._client().pull(name, stream=True, decode=True):
                if "error" in step:
                    return False
        except FAULTS:
            return False
        return self.image(name) is not None

    def load_root(self, archive: Path, repository: str, tag: str) -> None:
        """Make an image of one layer from a tar archive of a root folder. Raises ConfigurationError."""
        with told(f"the image {repository}:{tag} could not be imported"):
            self._client().import_image_from_file(str(archive), repository, tag, changes=['CMD ["bash"]'])

    def build(self, context: IO[bytes], tag: str, *, arguments: Mapping[str, str] | None = None) -> Iterator[str]:
        """Build an image from a tar archive with its Dockerfile; gives what the build prints.

        Raises ConfigurationError.
        """
        with told("the image could not be built"):
            steps = self._client().build(
                fileobj=context, custom_context=True, tag=tag, buildargs=dict(arguments or {}), rm=True,
                forcerm=True, decode=True, timeout=BUILD_S, network_mode="none",
            )  # fmt: skip
            for step in steps:
                if "error" in step:
                    raise ConfigurationError(f"the image could not be built: {str(step['error']).strip()[:500]}")
                if "stream" in step:
                    yield str(step["stream"])

    def drop_stages(self, label: str) -> None:
        """Remove images without a name that carry `label`: what a build of several stages leaves behind."""
        with told("what the build left cannot be removed"):
            self._client().prune_images({"dangling": True, "label": [label]})

    def create(self, name: str, config: Mapping[str, Any]) -> str:
        """Make a container from a body of `containers/create`; its id. Raises ConfigurationError."""
        with told("a container cannot be made"):
            return str(self._client().create_container_from_config(dict(config), name)["Id"])

    def attach(self, container: str) -> AttachedConnection:
        """The stream of a container that has not been started yet. Raises ConfigurationError."""
        with told("a container's stream cannot be had"):
            params = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            stream = self._client().attach_socket(container, params=params)
            # The SDK hands out the reader of a socket that its response goes on owning, and would close.
            return AttachedConnection(stream._sock.detach())

    def start(self, container: str) -> None:
        """Start it. Raises ConfigurationError."""
        with told("a container cannot be started"):
            self._client().start(container)

    def state(self, container: str) -> State | None:
        """How its main process is, or None when it is gone or the engine does not say."""
        try:
            said = self._client().inspect_container(container)["State"]
        except (*FAULTS, ConfigurationError):
            return None
        return State(bool(said["Running"]), int(said["Pid"]), int(said["ExitCode"]), bool(said["OOMKilled"]))

    def layer_bytes(self, container: str) -> int | None:
        """What it has written into its root, in bytes; None when it is gone or the engine does not say."""
        try:
            found = self._client().containers(size=True, filters={"id": container})
        except (*FAULTS, ConfigurationError):
            return None
        return int(found[0].get("SizeRw") or 0) if found else None

    def kill(self, container: str) -> None:
        """End all its processes; what it has written stays until it is removed. Never raises."""
        with contextlib.suppress(*FAULTS, ConfigurationError):
            self._client().kill(container)

    def remove(self, container: str) -> bool:
        """Kill it at once and remove it; True when it is gone. Never raises."""
        try:
            self._client().remove_container(container, v=True, force=True)
        except NotFound:
            return True
        except (*FAULTS, ConfigurationError):
            return self.state(container) is None
        return True

    def containers(self, label: str, value: str) -> list[tuple[str, str, dict[str, str]]]:
        """Id, name and labels of all containers with that label, ended ones included. Raises ConfigurationError."""
        with told("the Docker engine does not tell of its containers"):
            found = self._client().containers(all=True, filters={"label": f"{label}={value}"})
        return [(one["Id"], one["Names"][0].lstrip("/"), dict(one["Labels"])) for one in found if one.get("Names")]

    def run_inside(self, container: str, argv: list[str]) -> int:
        """Run a program in a running container by an exec of its own; its exit status (`studio bench`)."""
        with told("a program cannot be run in a container"):
            client = self._client()
            number = client.exec_create(container, argv)["Id"]
            client.exec_start(number)
            return int(client.exec_inspect(number)["ExitCode"])

    def stop(self, container: str, grace_s: int) -> None:
        """Ask it to end and kill it after `grace_s` seconds (`studio bench`)."""
        with told("a container cannot be stopped"):
            self._client().stop(container, timeout=grace_s)


@contextlib.contextmanager
def told(what: str) -> Iterator[None]:
    """Turn what the SDK raises into a ConfigurationError that a person can read."""
    try:
        yield
    except FAULTS as error:
        said = getattr(error, "explanation", None) or str(error)
        raise ConfigurationError(f"{what}: {str(said)[:400]}; see `studio doctor`") from None
