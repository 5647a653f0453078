"""No field of a container that the studio does not send gets through, however it is written."""

from __future__ import annotations

import copy
import json
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from studio.engine_proxy.bodies import Admitted, Container, HostConfig, admitted
from studio.engine_proxy.refusal import Refused
from studio.engine_proxy.requests import read_json
from tests.engine_proxy.conftest import IMAGE, Client
from tests.engine_proxy.test_containers import CREATE, body
from tests.support.engine_server import EngineServer

WHAT = Admitted(frozenset({IMAGE}), 4 << 30)

# Every field of the Docker Engine API's "Create a container" up to version 1.51 that the studio does not send, with a
# value that would be of use to somebody.
CONTAINER: dict[str, object] = {
    "Domainname": "evil.example",
    "ExposedPorts": {"80/tcp": {}},
    "Healthcheck": {"Test": ["CMD-SHELL", "id"], "Interval": 1000000},
    "ArgsEscaped": True,
    "Volumes": {"/x": {}},
    "MacAddress": "02:42:ac:11:00:02",
    "OnBuild": ["RUN id"],
    "StopSignal": "SIGCONT",
    "StopTimeout": 100000,
    "Shell": ["/bin/sh", "-c"],
    "NetworkingConfig": {"EndpointsConfig": {"bridge": {}}},
    "Platform": {"OS": "linux"},
    "Name": "postgres",
    "VolumeDriver": "local",
    "Memory": 1,
    "CpuShares": 2,
    "Cpuset": "0",
    "SecurityOpt": ["seccomp=unconfined"],
    "PortSpecs": ["80:80"],
}
HOST: dict[str, object] = {
    "Annotations": {"run.oci.keep_original_groups": "1"},
    "AutoRemove": True,
    "Binds": ["/:/host"],
    "BlkioDeviceReadBps": [{"Path": "/dev/sda", "Rate": 1}],
    "BlkioDeviceReadIOps": [{"Path": "/dev/sda", "Rate": 1}],
    "BlkioDeviceWriteBps": [{"Path": "/dev/sda", "Rate": 1}],
    "BlkioDeviceWriteIOps": [{"Path": "/dev/sda", "Rate": 1}],
    "BlkioWeight": 1000,
    "BlkioWeightDevice": [{"Path": "/dev/sda", "Weight": 1000}],
    "CapAdd": ["ALL"],
    "Capabilities": ["CAP_SYS_ADMIN"],
    "Cgroup": "container:x",
    "CgroupParent": "/",
    "CgroupnsMode": "host",
    "ConsoleSize": [80, 80],
    "ContainerIDFile": "/etc/cron.d/x",
    "CpuCount": 64,
    "CpuPercent": 100,
    "CpuRealtimePeriod": 1000000,
    "CpuRealtimeRuntime": 950000,
    "CpuShares": 1 << 18,
    "CpusetMems": "0",
    "DeviceCgroupRules": ["a *:* rwm"],
    "DeviceRequests": [{"Driver": "nvidia", "Count": -1, "Capabilities": [["gpu"]]}],
    "Devices": [{"PathOnHost": "/dev/mem", "PathInContainer": "/dev/mem", "CgroupPermissions": "rwm"}],
    "Dns": ["192.0.2.1"],
    "DnsOptions": ["use-vc"],
    "DnsSearch": ["example.org"],
    "ExtraHosts": ["metadata:169.254.169.254"],
    "GroupAdd": ["0"],
    "IOMaximumBandwidth": 1,
    "IOMaximumIOps": 1,
    "Init": True,
    "InitPath": "/bin/sh",
    "Isolation": "process",
    "KernelMemory": 1 << 30,
    "KernelMemoryTCP": 1 << 30,
    "Links": ["postgres:db"],
    "LxcConf": {"lxc.cap.drop": ""},
    "MemoryReservation": 1 << 20,
    "MemorySwappiness": 100,
    "Mounts": [{"Type": "bind", "Source": "/", "Target": "/host"}],
    "NanoCpus": 64_000_000_000,
    "NanoCPUs": 64_000_000_000,
    "NetworkingConfig": {"EndpointsConfig": {"bridge": {}}},
    "OomKillDisable": True,
    "OomScoreAdj": -1000,
    "PidMode": "host",
    "PortBindings": {"80/tcp": [{"HostPort": "80"}]},
    "Privileged": True,
    "PublishAllPorts": True,
    "StorageOpt": {"size": "1T"},
    "Sysctls": {"net.ipv4.ip_forward": "1"},
    "UTSMode": "host",
    "UsernsMode": "host",
    "VolumeDriver": "local",
    "VolumesFrom": ["postgres"],
}
# What the studio does send, with values that it does not.
VALUES: tuple[tuple[str, object], ...] = (
    *(("NetworkMode", value) for value in ("host", "default", "", "container:x", "NONE", "none\u0000", None, "bridge")),
    *(("IpcMode", value) for value in ("host", "shareable", "container:x", "", None)),
    *(("Runtime", value) for value in ("io.containerd.runc.v2", "/bin/sh", "", 1)),
    *(("ReadonlyRootfs", value) for value in (False, 1, "true", None, [])),
    ("CapDrop", ["all"]),
    ("CapDrop", ["ALL", "ALL"]),
    ("CapDrop", None),
    ("SecurityOpt", None),
    ("SecurityOpt", ["no-new-privileges=false", "seccomp=unconfined"]),
    ("SecurityOpt", ["label=disable", "no-new-privileges"]),
    ("MaskedPaths", None),
    ("ReadonlyPaths", None),
    ("Tmpfs", None),
    ("Tmpfs", {}),
    ("LogConfig", {"Type": "none", "type": "syslog"}),
    ("LogConfig", {"Type": "json-file", "Config": {}}),
    ("RestartPolicy", {"Name": "no", "MaximumRetryCount": 5}),
    ("Ulimits", []),
    ("Ulimits", [{"Name": "rtprio", "Soft": 99, "Hard": 99}] * 3),
    ("Memory", 1 << 80),
    ("Memory", 2147483648.0),
    ("Memory", True),
    ("PidsLimit", 0),
    ("PidsLimit", None),
    ("CpusetCpus", "0-1023"),
    ("CpusetCpus", "0\n"),
    ("CpuQuota", 0),
    ("ShmSize", 1 << 40),
)


@pytest.fixture(scope="module")
def sent() -> dict[str, Any]:
    return body()


def refused(value: object) -> str:
    with pytest.raises(Refused) as error:
        admitted(read_json(json.dumps(value).encode()), WHAT, "mine")
    return str(error.value)


def changed(sent: dict[str, Any], place: str, name: str, given: object) -> dict[str, Any]:
    value = copy.deepcopy(sent)
    (value["HostConfig"] if place else value)[name] = given
    return value


@pytest.mark.parametrize(
    ("place", "name"), [("", name) for name in CONTAINER] + [("HostConfig.", name) for name in HOST]
)
def test_no_other_field_of_the_engines_is_taken(sent: dict[str, Any], place: str, name: str) -> None:
    given = (HOST if place else CONTAINER)[name]
    for value in (given, None, [], {}, "", 0, False):  # what says nothing today may say something to a later engine
        assert f"{place}{name}" in refused(changed(sent, place, name, value))


@pytest.mark.parametrize(("name", "given"), VALUES)
def test_no_other_value_of_a_field_is_taken(sent: dict[str, Any], name: str, given: object) -> None:
    assert f"HostConfig.{name}" in refused(changed(sent, "HostConfig.", name, given))


# Go's decoder takes a name for a field without regard to case, and folds two letters of other alphabets (encoding/json,
# "Unmarshal"; Unicode, CaseFolding: the Kelvin sign and the long s).
WRITTEN: tuple[Callable[[str], str], ...] = (
    str.lower,
    str.upper,
    str.swapcase,
    lambda name: name.replace("s", "\u017f"),
    lambda name: name.replace("k", "\u212a").replace("K", "\u212a"),
    lambda name: name + " ",
    lambda name: name + "\u0000",
    lambda name: "\ufeff" + name,
)


@pytest.mark.parametrize("name", ["Privileged", "Binds", "Mounts", "Devices", "NetworkMode", "MaskedPaths", "CapAdd"])
def test_no_name_is_taken_that_the_engine_would_read_as_another(sent: dict[str, Any], name: str) -> None:
    known = HostConfig.model_fields
    for write in WRITTEN:
        if (written := write(name)) != name or name not in known:
            assert "HostConfig." in refused(changed(sent, "HostConfig.", written, sent["HostConfig"].get(name, True)))


def test_no_second_hostconfig_is_taken(sent: dict[str, Any]) -> None:
    for written in ("hostconfig", "HOSTCONFIG", "Ho\u017ftConfig", "hostConfig"):
        assert written.encode("ascii", "replace").decode()[:2] in refused({**sent, written: {"Privileged": True}})


NAMES = st.one_of(
    st.sampled_from(sorted({*Container.model_fields, *HostConfig.model_fields, *CONTAINER, *HOST})).flatmap(
        lambda name: st.lists(st.booleans(), min_size=len(name), max_size=len(name)).map(
            lambda upper: "".join(
                letter.upper() if high else letter.lower() for letter, high in zip(name, upper, strict=True)
            )
        )
    ),
    st.text(max_size=30),
)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=10), inside, max_size=3),
    max_leaves=5,
)
INNER = ("LogConfig", "RestartPolicy", "Ulimits.0", "Tmpfs")
PLACES = ("", "Labels", "HostConfig", *(f"HostConfig.{name}" for name in INNER))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.sampled_from(PLACES), name=NAMES, value=VALUE)
def test_an_unknown_field_is_refused_wherever_it_stands(
    sent: dict[str, Any], place: str, name: str, value: object
) -> None:
    whole = copy.deepcopy(sent)
    target: Any = whole
    for part in place.split(".") if place else ():
        target = target[int(part) if part.isdigit() else part]
    assume(name not in target and (place, name) != ("HostConfig", "Runtime"))
    target[name] = value
    refused(whole)


@settings(max_examples=150, deadline=None)
@given(name=st.sampled_from(sorted(HostConfig.model_fields)), value=VALUE)
def test_whatever_is_taken_is_written_with_the_studios_own_words(name: str, value: object) -> None:
    """A value that is admitted all the same is one that the studio might send: of the same type, within bounds."""
    sent = body()
    sent["HostConfig"][name] = value
    try:
        made = admitted(read_json(json.dumps(sent).encode()), WHAT, "mine")
    except Refused:
        return
    assert type(made["HostConfig"][name]) is type(body()["HostConfig"].get(name))
    assert made["HostConfig"]["NetworkMode"] == "none"
    assert set(made["HostConfig"]) <= set(HostConfig.model_fields)


def test_nothing_in_a_body_reaches_the_log_as_a_line_of_its_own(
    proxy: Client, engine: EngineServer, sent: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    name = "x\n2026-01-01 00:00:00 INFO all is well\x1b[2J\u2028\ud800"
    answer = proxy.ask("POST", CREATE, changed(sent, "", name, True))
    assert answer.status in (400, 403)
    proxy.raw(b"GET /\x1b[2J\x7f HTTP/1.1\r\n\r\n")
    assert caplog.records
    for record in caplog.records:
        assert all(unicodedata.category(letter)[0] != "C" for letter in record.getMessage()), record.getMessage()
    assert engine.asked == []
