"""The rule: which programs and which words in short programs stand for which capability (docs/capabilities.md)."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Literal, TypeAlias, get_args

from pydantic import JsonValue

from studio.capabilities.shell import MAX_DEPTH, Command, commands

Capability: TypeAlias = Literal["outside", "files", "computation"]
CAPABILITIES: tuple[Capability, ...] = get_args(Capability)
RULE = "capabilities/1"  # a new number with each change of meaning


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


NETWORK = _names(
    "curl wget aria2c ssh scp sftp ftp lftp nc ncat netcat telnet ping traceroute dig host nslookup whois yt-dlp "
    "gh aws gsutil gcloud huggingface-cli hf"
)
# Programs that reach out with these first words only.
FETCHING = {
    "pip": "install download index search",
    "pipx": "install run",
    "uv": "pip add sync tool",
    "poetry": "add install",
    "conda": "install create update",
    "mamba": "install create update",
    "apt": "install update upgrade download",
    "apt-get": "install update upgrade download",
    "npm": "install i ci add view search",
    "pnpm": "install add dlx",
    "yarn": "add install dlx",
    "gem": "install",
    "cargo": "install add fetch",
    "go": "get install",
    "git": "clone fetch pull push ls-remote submodule",
    "rsync": "",
    "playwright": "install",
}
FILES = _names(
    "ls dir tree find fd locate cat tac head tail less more nl cp mv rm mkdir rmdir touch ln install chmod chown stat "
    "file du df tee dd truncate split readlink realpath grep egrep fgrep rg ag sed cut sort uniq wc diff cmp comm "
    "patch tar zip unzip gzip gunzip zcat bzip2 xz 7z zstd xxd od hexdump strings md5sum sha1sum sha256sum cksum jq "
    "git rsync mktemp shred basename dirname awk gawk mawk"
)
COMPUTING = _names("awk gawk mawk jq")  # besides what is no tool for files
INERT = _names(
    "cd pwd echo printf export unset set shopt which type command test [ [[ true false : sleep wait kill pkill jobs "
    "bg fg exit return break continue source . local declare readonly read umask ulimit trap alias hash history date "
    "whoami id groups uname hostname env printenv ps top free nproc uptime lscpu clear man help apropos fc-list "
    "fc-match pip npm apt apt-get dpkg for case esac in select function done fi } )"
)
WRAPPERS = _names(
    "sudo env timeout nice ionice nohup time stdbuf setsid xargs exec builtin command if then else elif while until do "
    "! {"
)
SHELLS = _names("bash sh dash zsh")
INTERPRETERS = _names("python pypy node deno bun ruby perl php Rscript lua julia")
EXECUTING = frozenset({"-exec", "-execdir"})  # of find
INLINE = _names("-c -e -E --eval -p")
ASKING = _names("--version -version -V --help -h -help")

_KNOWN = NETWORK | FILES | INERT | SHELLS
_NUMBER = re.compile(r"[\d.]+[smhd]?")
_LOCAL = re.compile(r"(\w+://)?(localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)([:/?].*)?")
_CODE_NETWORK = re.compile(
    r"\brequests\.|\burllib\.request|\burlopen\(|\bhttp\.client|\bhttpx\b|\baiohttp\b|\bsocket\.(?:socket|create_conn)"
    r"|\bfetch\(|\byt_dlp\b|\bftplib\b|\bsmtplib\b|\bparamiko\b|\bhuggingface_hub\b"
)
_CODE_FILES = re.compile(
    r"\bopen\(|\.(?:read|write)_(?:text|bytes)\(|\.save\(|\.(?:iterdir|glob|rglob|unlink|mkdir)\("
    r"|\bos\.(?:listdir|walk|scandir|remove|rename|replace|makedirs|mkdir|stat)\b|\bos\.path\.(?:exists|getsize|isfile)"
    r"|\bshutil\.|\b(?:read|write|append)File(?:Sync)?\(|\breaddir(?:Sync)?\("
)


def capabilities_of(name: str, arguments: JsonValue) -> list[Capability]:
    """What one call uses, in the order of CAPABILITIES; none where the call cannot be read."""
    found: set[Capability] = set()
    if name == "str_replace_editor":
        found.add("files")
    elif name == "execute_bash" and isinstance(arguments, dict) and isinstance(arguments.get("command"), str):
        found = _of_shell(str(arguments["command"]))
    return [capability for capability in CAPABILITIES if capability in found]


def _of_shell(text: str, depth: int = 0) -> set[Capability]:
    found: set[Capability] = set()
    for command in commands(text):
        found |= _of_command(command, depth)
    return found


def _of_command(command: Command, depth: int) -> set[Capability]:
    found: set[Capability] = {"files"} if command.redirected else set()
    words = _unwrapped(command.words)
    if not words or not re.search("[A-Za-z]", words[0]):
        return found
    program, rest = _program(words[0]), words[1:]
    if rest and rest[0] in ASKING:
        return found
    if program in SHELLS and depth < MAX_DEPTH:
        return found | _of_script(command, rest, depth)
    if program in INTERPRETERS:
        return found | _of_interpreter(command, rest)
    if depth < MAX_DEPTH and (at := next((at for at, word in enumerate(rest) if word in EXECUTING), None)) is not None:
        found |= _of_command(Command(rest[at + 1 :]), depth + 1)
    return found | _of_program(program, rest)


def _of_program(program: str, rest: list[str]) -> set[Capability]:
    found: set[Capability] = set()
    if program in NETWORK:
        targets = [word for word in rest if "://" in word or _LOCAL.fullmatch(word)]
        return found if targets and all(_LOCAL.fullmatch(word) for word in targets) else {"outside"}
    if program in FETCHING:
        first = next((word for word in rest if not word.startswith("-")), "")
        remote = any(re.match(r"[\w.@-]+:", word) for word in rest) if program == "rsync" else False
        if remote or first in FETCHING[program].split():
            return {"outside"}
    if program in FILES:
        found.add("files")
    if program in COMPUTING or program not in FILES | INERT:
        found.add("computation")
    return found


def _of_script(command: Command, rest: list[str], depth: int) -> set[Capability]:
    """A shell in a shell: a text to carry out, or a script, of which only its being run is known."""
    for at, word in enumerate(rest):
        if re.fullmatch(r"-[a-z]*c[a-z]*", word):
            return _of_shell(rest[at + 1] if at + 1 < len(rest) else "", depth + 1)
    if any(not word.startswith("-") for word in rest):
        return {"computation"}
    return _of_shell(command.stdin, depth + 1)


def _of_interpreter(command: Command, rest: list[str]) -> set[Capability]:
    """An interpreter computes; of a short program on the line or on its input the words are looked at too."""
    if rest[:2] == ["-m", "pip"] or rest[:2] == ["-m", "playwright"]:
        return _of_program(rest[1], rest[2:])
    if rest[:2] == ["-m", "http.server"]:
        return {"files"}
    inline = next((rest[at + 1] for at, word in enumerate(rest[:-1]) if word in INLINE), "")
    code = inline + "\n" + command.stdin
    found: set[Capability] = {"computation"}
    if _CODE_NETWORK.search(code):
        found.add("outside")
    if _CODE_FILES.search(code):
        found.add("files")
    return found


def _unwrapped(words: list[str]) -> list[str]:
    """Without what stands before the program: `sudo`, `timeout 5`, `A=1`, `then` …"""
    while words and words[0] in WRAPPERS:
        rest = words[1:]
        if words[0] == "command" and rest[:1] in (["-v"], ["-V"]):
            return []
        while rest and (rest[0].startswith("-") or "=" in rest[0] or _NUMBER.fullmatch(rest[0])):
            rest = rest[1:]
        words = rest
    return words


def _program(word: str) -> str:
    """A program's name without folder and version: /usr/bin/python3.11 is python."""
    name = PurePosixPath(word).name
    return name if name in _KNOWN else re.sub(r"(?<=[a-z])[\d.]+$", "", name)
