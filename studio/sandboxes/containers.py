"""The Docker engine: each sandbox a container whose main process is the tool host, over one attached stream."""

from __future__ import annotations

import contextlib
import logging
import os
import time
import uuid
from collections.abc import Callable
from pathlib import Path

from studio.errors import ConfigurationError, ImageMissing, SandboxError, SandboxLost
from studio.sandboxes import protections
from studio.sandboxes.accounting import resident, written
from studio.sandboxes.attached import AttachedConnection
from studio.sandboxes.cgroups import NO_GROUP, Group
from studio.sandboxes.client import ToolHostSandbox
from studio.sandboxes.connection import Connection
from studio.sandboxes.container_config import fetching, sealed
from studio.sandboxes.docker import DockerHost
from studio.sandboxes.egress.doors import FOLDER, ShownDoor
from studio.sandboxes.egress.gate import Ways
from studio.sandboxes.image import contained
from studio.sandboxes.layers import LayerWatch
from studio.sandboxes.local import check, told
from studio.sandboxes.payload import Payload
from studio.sandboxes.records import COMMAND_LINE, Records, began, runs
from studio.sandboxes.types import (
    DOCUMENTS,
    INPUT,
    OUTPUT,
    Profile,
    Protection,
    ResourceUse,
    Sandbox,
    SandboxSpec,
    Started,
    Upload,
)
from studio.settings import Settings

log = logging.getLogger(__name__)

NAME = "docker"
LABEL = "sandbox-studio"
KILLED = 128 + 9
ENDED_S = 1.0
# A limit by user would count the processes of all containers together; the container's own limit holds instead.
NO_LIMIT_BY_USER = 1 << 22
CGROUPS, PROCESSES = Path("/sys/fs/cgroup"), Path("/proc")
# As the image itself was made: nothing that is only recommended, no translations; and no waiting for a disk that is
# thrown away.
INSTALLING = (
    Upload("/etc/apt/apt.conf.d/50studio", b'APT::Install-Recommends "false";\nAcquire::Languages "none";\n'),
    Upload("/etc/dpkg/dpkg.cfg.d/50studio", b"force-unsafe-io\n"),
)


class ContainerProcess:
    """One running container with its tool host."""

    engine = NAME

    def __init__(self, name: str, host: DockerHost, container: str, connection: AttachedConnection) -> None:
        self.id = name
        self.connection: Connection = connection
        self._stream = connection
        self.inner: int | None = None
        self.group = NO_GROUP
        self._host = host
        self._container = container
        self._gone = False
        self._layer: LayerWatch | None = None

    def watch_layer(self, limit: int) -> None:
        """Kill it once what it has written into its root is more than `limit` bytes."""
        self._layer = LayerWatch(self._host, self._container, limit)

    def look(self) -> None:
        """Find its process and control group, where they are this machine's."""
        state = self._host.state(self._container)
        if state is not None and state.running and self._host.facts().shares_this_machine:
            self.group = group_of(state.pid, self._container)
            self.inner = state.pid if self.group.folders else None

    def kill(self) -> None:
        """End every process at once and remove the container; never raises; idempotent."""
        if not self._gone:
            self._gone = self._host.remove(self._container)
        if self._layer:
            self._layer.end()

    def why(self) -> str | None:
        """Why it ended, where the engine can tell."""
        if self._layer and self._layer.over:
            return self._layer.over
        until = time.monotonic() + ENDED_S
        while (state := self._host.state(self._container)) is not None and state.running and time.monotonic() < until:
            time.sleep(0.02)
        if state is None:
            return "its container was removed"
        if state.running:
            return None
        if state.out_of_memory and state.exit_code == KILLED:
            return "its memory limit was reached and the system killed it"
        return self._stream.said() or f"its main process ended ({state.exit_code})"

    def kills(self) -> int:
        """How many processes the memory limit has cost; of an engine elsewhere only whether it has cost any."""
        if self.group.folders:
            return self.group.kills()
        state = self._host.state(self._container)
        return int(state is not None and state.out_of_memory)

    def use(self) -> ResourceUse:
        """What the control group has counted; nothing is known of an engine elsewhere."""
        used = self.group.use()
        pids = self.group.processes()
        return ResourceUse(used.peak_memory_bytes, used.cpu_s, written(pids) if pids else None)

    def resident(self) -> int | None:
        """The memory of all its processes and of the engine's one that minds them (PSS), in bytes."""
        return None if self.inner is None else with_minder(self.inner, self.group)


class DockerEngine:
    """Starts sandboxes as containers."""

    name = NAME

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._host = DockerHost(settings)
        self._records = Records(settings.data_dir)
        self._doors = settings.data_dir.resolve() / FOLDER
        self._payloads: dict[str, Payload] = {}
        self._images: dict[Profile, contained.ContainerImage] = {}
        self._ways = Ways(settings, self._records)

    def ready(self) -> bool:
        """Does an engine answer, and has it the image?"""
        try:
            return self._host.answers() and contained.find(self._host) is not None
        except ConfigurationError:
            return False

    def start(self, spec: SandboxSpec) -> Sandbox:
        """Start a sandbox. Raises ConfigurationError (ImageMissing, …) with the remedy; SandboxLost when killed."""
        return self._started(spec)[0]

    def image_digest(self) -> str:
        """What its image is made of. Raises ImageMissing with the remedy."""
        return self._found().digest

    def _found(self, profile: Profile = "full") -> contained.ContainerImage:
        if profile not in self._images:
            self._images[profile] = contained.require(self._host, profile)
        return self._images[profile]

    def _payload(self, image: contained.ContainerImage) -> Payload:
        if image.digest not in self._payloads:
            folder = self._settings.data_dir / "toolhost"
            self._payloads[image.digest] = Payload(image.python, image.digest, folder)
        return self._payloads[image.digest]

    def _started(self, spec: SandboxSpec) -> tuple[ToolHostSandbox, ContainerProcess]:
        check(spec)
        image = self._found(spec.profile)
        payload = self._payload(image)
        shared = self._host.facts().shares_this_machine
        bind = spec.outputs is not None and shared
        name = f"sb-{uuid.uuid4().hex[:12]}"
        door = self._door(name, shared) if spec.network != "none" else None
        try:
            process = self._launch(name, spec, image.name, bind, door)
        except BaseException:
            if door:
                door.close()
            raise
        sandbox = ToolHostSandbox(process, spec)
        folders = [str(OUTPUT)] if spec.outputs else [str(INPUT), str(DOCUMENTS), str(OUTPUT)]
        try:
            # The engine is asked while the container's Python starts.
            sandbox.begin(payload.content(), folders, pids=NO_LIMIT_BY_USER, more=told(door), meanwhile=process.look)
            if payload.wanted:
                payload.keep(lambda argv, stdin: sandbox.run(argv, stdin=stdin)[1])
            if spec.outputs is not None and not bind:
                sandbox.upload(handed_over(spec.outputs))
            if door:
                process.watch_layer(spec.workspace_bytes)
                sandbox.upload(INSTALLING)
                self._ways.open(sandbox, door, spec)
        except SandboxError as error:
            sandbox.kill()
            raise SandboxLost(f"the sandbox was lost while it started: {error}") from None
        except BaseException:
            sandbox.kill()
            raise
        finally:
            if door:
                door.close()
        return sandbox, process

    def _door(self, name: str, shared: bool) -> ShownDoor:
        if not shared:
            raise ConfigurationError(
                f"run.network needs a Docker engine on this machine, reached by a Unix socket; {self._host.url} is none"
            )
        return ShownDoor(self._doors / name)

    def _launch(self, name: str, spec: SandboxSpec, image: str, bind: bool, door: ShownDoor | None) -> ContainerProcess:
        own = os.getpid()
        labels = {
            f"{LABEL}.studio": self._records.studio,
            f"{LABEL}.job": spec.owner,
            f"{LABEL}.host": os.uname().nodename,
            f"{LABEL}.starter": str(own),
            f"{LABEL}.began": str(began(own) or 0),
        }
        runtime = self._settings.docker_runtime
        config = sealed(image, spec, self._host.facts(), labels, runtime=runtime, bind=bind)
        if door:
            config = fetching(config, spec, door.folder)
        container = self._host.create(name, config)
        connection = None
        try:
            connection = self._host.attach(container)
            self._host.start(container)
        except BaseException:
            if connection is not None:
                connection.close()
            self._host.remove(container)
            raise
        return ContainerProcess(name, self._host, container, connection)

    def protections(self) -> list[Protection]:
        """Which protections and limits hold with this engine."""
        try:
            facts = self._host.facts()
        except ConfigurationError as error:
            remedy = "start a Docker engine, or name it in STUDIO_DOCKER_HOST; or choose STUDIO_ENGINE=local"
            return [Protection("Docker engine", False, str(error), remedy)]
        how = f"{facts.version} at {self._host.url}, control group v{facts.cgroup_version}"
        found = [Protection("Docker engine", True, how)]
        wanted = self._settings.docker_runtime
        if wanted:
            remedy = f"install it in the engine, or name one of {', '.join(facts.runtimes)} in STUDIO_DOCKER_RUNTIME"
            found.append(Protection("container runtime", wanted in facts.runtimes, wanted, remedy))
        try:
            sandbox, process = self._started(SandboxSpec(owner=COMMAND_LINE))
        except ImageMissing as error:
            return [*found, Protection("sandbox image (docker)", False, str(error), contained.REMEDY)]
        except (ConfigurationError, SandboxLost) as error:
            return [*found, Protection("a sandbox starts", False, str(error), "mend what is missing above")]
        try:
            seen = protections.from_inside(sandbox, process.inner, process.group)
        finally:
            sandbox.kill()
        if process.inner is None:  # an engine elsewhere: what it is outside cannot be seen from here
            seen = [one for one in seen if one.name not in protections.SEEN_FROM_OUTSIDE]
        return [*found, *seen]

    def reap(self, owned_by_living_job: Callable[[str], bool]) -> list[str]:
        """Remove what no live owner has; only what this studio started. Nothing while the engine does not answer:
        the jobs of a lost worker go on all the same, and a later sweep finds what it left.
        """
        return self._removed(lambda labels: self._lives(labels, owned_by_living_job))

    def _removed(self, lives: Callable[[dict[str, str]], bool]) -> list[str]:
        removed = []
        try:
            found = self._host.containers(f"{LABEL}.studio", self._records.studio)
        except ConfigurationError as error:
            log.warning("containers are not looked after: %s", error)
            return []
        for container, name, labels in found:
            if not lives(labels) and self._host.remove(container):
                removed.append(name)
        return sorted(removed)

    def answers(self) -> bool:
        """Is an engine there?"""
        return self._host.answers()

    def started(self) -> list[Started]:
        """What this studio has started there and not removed yet. Raises ConfigurationError."""
        found = []
        for container, name, labels in self._host.containers(f"{LABEL}.studio", self._records.studio):
            state = self._host.state(container)
            host, starter = labels.get(f"{LABEL}.host", ""), labels.get(f"{LABEL}.starter", "")
            found.append(
                Started(
                    NAME,
                    name,
                    labels.get(f"{LABEL}.job", ""),
                    host,
                    int(starter) if starter.isdigit() else 0,
                    _starter_lives(labels),
                    state is not None and state.running,
                )
            )
        return found

    def remove_all(self) -> list[str]:
        """Remove every sandbox of this studio, also one that lives; their names. None where no engine answers."""
        return self._removed(lambda labels: False)

    @staticmethod
    def _lives(labels: dict[str, str], owned_by_living_job: Callable[[str], bool]) -> bool:
        owner = labels.get(f"{LABEL}.job", "")
        if _starter_lives(labels) is False:
            return False
        return owner == COMMAND_LINE or owned_by_living_job(owner)


def _starter_lives(labels: dict[str, str]) -> bool | None:
    """Is the process there that started it? None where that is another machine's, whose numbers say nothing here."""
    if labels.get(f"{LABEL}.host") != os.uname().nodename:
        return None
    starter, start = labels.get(f"{LABEL}.starter", ""), labels.get(f"{LABEL}.began", "")
    return starter.isdigit() and start.isdigit() and runs(int(starter), int(start))


def group_of(pid: int, container: str, top: Path = CGROUPS, processes: Path = PROCESSES) -> Group:
    """The control group that the engine made for a container, or NO_GROUP where `pid` is not of this machine."""
    try:
        lines = (processes / str(pid) / "cgroup").read_text().splitlines()
    except OSError:
        return NO_GROUP
    folders: dict[str, Path] = {}
    unified: dict[str, Path] = {}
    for line in lines:
        _, controllers, place = line.split(":", 2)
        if container not in place:
            continue
        below = place.lstrip("/")
        if controllers == "":
            unified = dict.fromkeys(("memory", "pids", "cpu"), top / below)
        for controller in {"memory", "pids", "cpu", "cpuacct"} & set(controllers.split(",")):
            folders[controller] = top / controller / below
    for version, found in ((1, folders), (2, unified)):
        there = {controller: at for controller, at in found.items() if at.is_dir()}
        if there:
            return Group(version, there)
    return NO_GROUP


def with_minder(pid: int, group: Group) -> int | None:
    """The memory of a container's processes and of the engine's one that minds them (PSS), in bytes."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        minder = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        return resident(group.processes() | {minder})
    return None


def handed_over(outputs: Path) -> list[Upload]:
    """The regular files below a folder, to be written read-only into a sandbox whose engine cannot see this machine's
    files."""
    found = [path for path in sorted(outputs.rglob("*")) if path.is_file() and not path.is_symlink()]
    return [Upload(str(OUTPUT / path.relative_to(outputs).as_posix()), path, 0o444) for path in found]
