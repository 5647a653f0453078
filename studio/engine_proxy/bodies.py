"""The schema of a container: the profile *sealed* of studio/sandboxes/container_config.py, and nothing else.

Fields are those of the Docker Engine API, "Create a container". A field that is not named here is refused, whatever it
says: the engine reads names without regard to case, and gets new ones with each version.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from studio.engine_proxy.refusal import Refused
from studio.sandboxes.bubblewrap import HOSTNAME, PYTHON
from studio.sandboxes.container_config import ENVIRONMENT, MASKED, PERIOD_US, READ_ONLY, filter_profile

LABEL = "sandbox-studio"
OWN_LABEL = f"{LABEL}.proxy"
LABELS = frozenset(f"{LABEL}.{name}" for name in ("studio", "job", "host", "starter", "began"))
SIZED = re.compile(r"rw,exec,nosuid,nodev,size=([0-9]{1,14}),mode=(?:0755|1777|0700),uid=1000,gid=1000")
MAX_PIDS = 4096
MAX_FILES = 1 << 16
MAX_BYTES = 1 << 40


@dataclass(frozen=True)
class Admitted:
    """What an operator admits: the images by name, the most memory (bytes) of one sandbox, and its runtime."""

    images: frozenset[str]
    memory_bytes: int
    runtime: str | None = None


def _on(value: bool) -> bool:
    if not value:
        raise ValueError("must be true")
    return value


def _off(value: bool) -> bool:
    if value:
        raise ValueError("must be false")
    return value


# Of the very type too: a Literal of True would take 1.
On: TypeAlias = Annotated[bool, AfterValidator(_on)]
Off: TypeAlias = Annotated[bool, AfterValidator(_off)]


class _Closed(BaseModel):
    """Only the named fields, and of the very type: `1` is not true, and "1" is no number."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Limit(_Closed):
    Name: Literal["core", "fsize", "nofile"]
    Soft: int = Field(ge=0, le=MAX_BYTES)
    Hard: int = Field(ge=0, le=MAX_BYTES)


class _NoLog(_Closed):
    Type: Literal["none"]


class _NoRestart(_Closed):
    Name: Literal["no"]


class HostConfig(_Closed):
    """No network, no capability, no device, no bind; folders in memory; limits that are really there."""

    NetworkMode: Literal["none"]
    CapDrop: list[Literal["ALL"]] = Field(min_length=1, max_length=1)
    SecurityOpt: list[str] = Field(min_length=2, max_length=2)
    ReadonlyRootfs: On
    MaskedPaths: list[str]
    ReadonlyPaths: list[str]
    Tmpfs: dict[Literal["/testbed", "/tmp", "/home/studio"], str] = Field(min_length=3)
    ShmSize: int = Field(ge=1, le=1 << 30)
    IpcMode: Literal["private"]
    Memory: int = Field(ge=1 << 26)
    MemorySwap: int
    CpuPeriod: int = Field(ge=PERIOD_US, le=PERIOD_US)
    CpuQuota: int = Field(ge=PERIOD_US // 10, le=64 * PERIOD_US)
    CpusetCpus: Annotated[str, StringConstraints(pattern=r"^[0-9]{1,4}(,[0-9]{1,4}){0,63}$")]
    PidsLimit: int = Field(ge=1, le=MAX_PIDS)
    Ulimits: list[_Limit] = Field(min_length=3, max_length=3)
    LogConfig: _NoLog
    RestartPolicy: _NoRestart
    Runtime: str | None = None


class Container(_Closed):
    """A body of `containers/create`."""

    Image: str
    Hostname: str
    User: Literal["1000:1000"]
    WorkingDir: Literal["/"]
    Entrypoint: list[str]
    Cmd: list[str] = Field(max_length=0)
    Env: list[str]
    Labels: dict[str, Annotated[str, StringConstraints(max_length=200)]]
    OpenStdin: On
    StdinOnce: On
    AttachStdin: On
    AttachStdout: On
    AttachStderr: On
    Tty: Off
    NetworkDisabled: On
    HostConfig: HostConfig


def admitted(body: Any, what: Admitted, own: str) -> dict[str, Any]:
    """The body to be sent to the engine: what was understood, with this proxy's label.

    Raises Refused with the field that is not admitted.
    """
    try:
        container = Container.model_validate(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the body"
        raise Refused(f"{place[:120]}: {first['msg']}") from None
    _check(container, what)
    return {
        **container.model_dump(exclude_unset=True),
        "Labels": {**container.Labels, OWN_LABEL: own},
    }


def _check(container: Container, what: Admitted) -> None:
    """What a type does not say. Raises Refused."""
    host = container.HostConfig
    exact: tuple[tuple[str, object, object], ...] = (
        ("Hostname", container.Hostname, HOSTNAME),
        ("Entrypoint", container.Entrypoint, list(PYTHON)),
        ("Env", container.Env, list(ENVIRONMENT)),
        ("HostConfig.SecurityOpt", host.SecurityOpt, ["no-new-privileges", f"seccomp={filter_profile()}"]),
        ("HostConfig.MaskedPaths", host.MaskedPaths, list(MASKED)),
        ("HostConfig.ReadonlyPaths", host.ReadonlyPaths, list(READ_ONLY)),
        ("HostConfig.MemorySwap", host.MemorySwap, host.Memory),
        ("Labels", sorted(container.Labels), sorted(LABELS)),
        ("HostConfig.Ulimits", sorted(limit.Name for limit in host.Ulimits), ["core", "fsize", "nofile"]),
    )
    for name, found, wanted in exact:
        if found != wanted:
            raise Refused(f"{name}: only what the studio itself sends is admitted")
    if container.Image not in what.images:
        raise Refused(f"Image: {container.Image[:80]!r} is not the studio's")
    if host.Runtime != what.runtime:
        raise Refused("HostConfig.Runtime: not the one that the operator chose (STUDIO_DOCKER_RUNTIME)")
    if host.Memory > what.memory_bytes:
        raise Refused(f"HostConfig.Memory: more than STUDIO_MAX_MEMORY_MB ({what.memory_bytes >> 20})")
    for folder, options in host.Tmpfs.items():
        sized = SIZED.fullmatch(options)
        if sized is None or int(sized[1]) > host.Memory:
            raise Refused(f"HostConfig.Tmpfs.{folder}: only the studio's own options are admitted")
    for limit in host.Ulimits:
        most = {"core": 0, "fsize": MAX_BYTES, "nofile": MAX_FILES}[limit.Name]
        if not limit.Soft == limit.Hard <= most:
            raise Refused(f"HostConfig.Ulimits.{limit.Name}: at most {most}")
