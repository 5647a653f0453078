"""What the rest of the studio knows of a sandbox: what is asked of it and what it answers. Types only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal, Protocol, TypeAlias

WORKSPACE = PurePosixPath("/testbed")
INPUT = WORKSPACE / "input"
DOCUMENTS = WORKSPACE / "documents"
OUTPUT = WORKSPACE / "output"

OnOutput: TypeAlias = Callable[[str], None]
Network: TypeAlias = Literal["none", "packages", "open"]
Profile: TypeAlias = Literal["full", "minimal"]


@dataclass(frozen=True)
class SandboxSpec:
    """What to start: limits, and what is there from the beginning.

    `outputs`, when given, is a folder of the host that appears read-only as /testbed/output (inspection). With another
    `network` than `none` programs inside may fetch through a proxy: from the registries of the image's package clients,
    or from all of the public web.
    """

    memory_bytes: int = 2 << 30
    workspace_bytes: int = 1 << 30
    tmp_bytes: int = 256 << 20
    shm_bytes: int = 64 << 20
    home_bytes: int = 32 << 20
    pids: int = 512
    cpus: int = 2
    file_bytes: int = 512 << 20
    open_files: int = 4096
    command_s: int = 120
    owner: str = "command-line"  # the job that owns it; upkeep reaps by it
    outputs: Path | None = None
    network: Network = "none"
    profile: Profile = "full"


@dataclass(frozen=True)
class CommandResult:
    """The end of one `execute_bash`. `exit_status` is None when the command was killed or the shell died."""

    output: str  # folded text, at most 1 MiB: what the trajectory keeps
    shown: str  # what the model sees: at most 16,000 characters, head and tail, with a notice in between
    exit_status: int | None
    timed_out: bool
    cut_chars: int  # characters missing from `shown`
    output_file: str | None  # file in the sandbox that holds all of it, from 1,500 bytes on
    cwd: str
    seconds: float
    files_changed: tuple[str, ...]  # below /testbed, at most 200
    shell_restarted: bool = False


@dataclass(frozen=True)
class EditResult:
    """The answer of one `str_replace_editor` call. Faults that the model can mend raise ToolError instead."""

    text: str
    seconds: float
    files_changed: tuple[str, ...] = ()
    image: str | None = None  # media type when `view` met a picture; its bytes come by `Sandbox.read`


EntryType: TypeAlias = Literal["file", "directory", "symlink", "fifo", "socket", "device", "other"]


@dataclass(frozen=True)
class ManifestEntry:
    """One name below the output folder, by `lstat`; `path` is relative, bytes as UTF-8, else backslash-escaped."""

    path: str
    type: EntryType
    size: int
    blocks: int
    mode: int
    nlink: int
    inode: int
    link_target: str | None = None
    encodable: bool = True  # False: the name is not UTF-8 and `path` is escaped


@dataclass(frozen=True)
class Manifest:
    """All names below the output folder, in order; `truncated` when there were more than the sandbox lists (5,000)."""

    entries: tuple[ManifestEntry, ...] = ()
    truncated: bool = False

    @property
    def files(self) -> tuple[ManifestEntry, ...]:
        return tuple(entry for entry in self.entries if entry.type == "file")


@dataclass(frozen=True)
class ResourceUse:
    """What a sandbox used; None where this machine cannot tell. `bytes_written` counts files and pipes alike."""

    peak_memory_bytes: int | None = None
    cpu_s: float | None = None
    bytes_written: int | None = None


@dataclass(frozen=True)
class Fetched:
    """What was asked of one host through the proxy: bytes of its answers, and the last names of plain addresses.

    What is encrypted shows its host only. `admitted` False: all of it was refused.
    """

    host: str
    port: int
    bytes: int
    admitted: bool
    requests: int = 1
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Upload:
    """Something to write into the sandbox: an absolute path there, and bytes or a local file."""

    path: str
    content: bytes | Path
    mode: int = 0o644


class Sandbox(Protocol):
    """An isolated computer. Every method raises SandboxLost when it is gone, saying why where that is known."""

    id: str
    engine: str

    def execute(self, command: str, timeout_s: float | None = None, on_output: OnOutput | None = None) -> CommandResult:
        """Run `command` in the one persistent bash.

        `on_output` gets what is printed as it comes, and "" about twice a second while nothing comes; when it raises,
        the sandbox is ended.
        """
        ...

    def run(
        self, argv: Sequence[str], *, stdin: bytes = b"", timeout_s: float = 60.0, limit: int = 64 << 20
    ) -> tuple[int | None, bytes, bytes]:
        """Run a program apart from the shell: exit status (None: killed), stdout and stderr.

        Each stream is cut at `limit` bytes.
        """
        ...

    def edit(self, arguments: EditArguments) -> EditResult:
        """Carry out one editor command. Raises ToolError with what was expected."""
        ...

    def upload(self, files: Iterable[Upload]) -> None:
        """Write files, making parent folders."""
        ...

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a regular file, never following a link. Raises SandboxRefused above `limit` bytes."""
        ...

    def manifest(self, root: str = str(OUTPUT)) -> Manifest:
        """Everything below `root`, by lstat."""
        ...

    def download(self, manifest: Manifest, target: Path, *, root: str = str(OUTPUT), limit: int) -> list[str]:
        """Fetch the regular files of `manifest` into `target` (made if absent), opened with O_NOFOLLOW inside.

        File names are checked on this side: one that leaves `target` is refused. Returns the relative paths written.
        Raises SandboxRefused above `limit` bytes in all.
        """
        ...

    def use(self) -> ResourceUse: ...

    def fetched(self) -> list[Fetched]:
        """What was asked of the network since the last call; also after its end."""
        ...

    def kill(self) -> None:
        """End it at once, and remove what it left; never raises; idempotent. Returns when it is gone."""
        ...


@dataclass(frozen=True)
class EditArguments:
    """The arguments of one `str_replace_editor` call, already checked for types."""

    command: Literal["view", "create", "str_replace", "insert", "undo_edit"]
    path: str
    file_text: str | None = None
    old_str: str | None = None
    new_str: str | None = None
    insert_line: int | None = None
    view_range: tuple[int, int] | None = None


class Engine(Protocol):
    """Starts sandboxes. An engine module offers one, and `studio.sandboxes.engine_for(settings, name)` picks it."""

    name: str

    def start(self, spec: SandboxSpec) -> Sandbox:
        """Start a sandbox. Raises ConfigurationError (ImageMissing, …) with the remedy."""
        ...

    def image_digest(self) -> str:
        """What its image is made of, as SHA-256 in hexadecimal. Raises ImageMissing with the remedy."""
        ...

    def protections(self) -> list[Protection]:
        """Which protections and limits hold on this machine, for `studio doctor`."""
        ...

    def reap(self, owned_by_living_job: Callable[[str], bool]) -> list[str]:
        """Remove what no live owner has; returns what was removed. Only touches what this studio started."""
        ...


@dataclass(frozen=True)
class Started:
    """A sandbox that is there. `starter` is the process that started it; `starter_lives` None: it is elsewhere."""

    engine: str
    id: str
    owner: str
    host: str
    starter: int
    starter_lives: bool | None
    runs: bool


@dataclass(frozen=True)
class Protection:
    """One protection or limit: does it hold here, how, and what to do if not."""

    name: str
    holds: bool
    how: str
    remedy: str = ""
    required: bool = field(default=True)
