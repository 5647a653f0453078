"""The one persistent bash in which every `execute_bash` runs.

Bash is started interactive, since only then an interrupt abandons a whole command list and leaves the shell alive. It
reads from a pipe lines that this module writes; the command itself travels quoted in an `eval`, whose standard input
is /dev/null and which sees none of the shell's own descriptors. The line after it reports status and directory.
"""

from __future__ import annotations

import os

from sandbox_image.toolhost.children import Children

OUTPUT, REPORT = 198, 199  # descriptors of the shell; closed while a command runs
START = "/testbed"
EARLY_BYTES = 16 << 10
READ = 256 << 10
REPORT_BYTES = 8192

# In a cgroup that runs out of memory the kernel then kills what the command started, not the tool host.
PREAMBLE = (
    "exec 2>/dev/null; echo 1000 >/proc/self/oom_score_adj; set +o history +H; unset HISTFILE MAILCHECK; PS1= PS2=\n"
)
RUN = f"\nbuiltin eval -- %s </dev/null >&{OUTPUT} 2>&{OUTPUT} {OUTPUT}>&- {REPORT}>&-\n"
TELL = f"builtin printf '%%d %d %%s\\0' $? \"$PWD\" >&{REPORT}; set +euxv\n"


class Shell:
    """Bash, the pipe of its output and the pipe of its reports."""

    def __init__(self, children: Children) -> None:
        self.children = children
        self.output, self._output_writer = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self.output, False)
        self.cwd = START
        self.number = 0
        self.early = bytearray()  # what background processes printed between calls
        self._terminal = -1
        self._start()

    def _start(self) -> None:
        commands, self.commands = os.pipe2(os.O_CLOEXEC)
        self.report, report_writer = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self.report, False)
        os.set_blocking(self.commands, False)
        nothing = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)
        # An interactive shell restores its terminal after a child was killed, and complains when it has none. This one
        # is never read from, nor written to after the shell's first words.
        if self._terminal >= 0:
            os.close(self._terminal)
        self._terminal, slave = os.openpty()
        try:
            os.chdir(self.cwd)
        except OSError:
            self.cwd = START
            os.chdir(START)
        self.pid = self.children.start(
            ["bash", "--norc", "--noprofile", "--noediting", "-i"],
            {0: commands, 1: nothing, 2: slave, OUTPUT: self._output_writer, REPORT: report_writer},
        )
        os.chdir("/")
        for descriptor in (commands, report_writer, nothing, slave):
            os.close(descriptor)
        self._unsent = PREAMBLE.encode()
        self._reports = bytearray()
        self.flush()

    def alive(self) -> bool:
        """Is bash still there?"""
        return self.children.status(self.pid) is None

    def restart(self) -> None:
        """Replace a shell that has ended."""
        self.children.forget(self.pid)
        os.close(self.commands)
        os.close(self.report)
        self._start()

    def submit(self, command: str) -> None:
        """Hand a command to bash; its report will carry the number of this call."""
        self.number += 1
        quoted = "'" + command.replace("'", "'\\''") + "'"
        self._unsent += (RUN % quoted).encode("utf-8", "replace")
        self.ask()

    def ask(self) -> None:
        """Have bash report once it is free."""
        self._unsent += (TELL % self.number).encode()
        self.flush()

    def flush(self) -> bool:
        """Write to bash what fits; is there more to write?"""
        try:
            while self._unsent:
                self._unsent = self._unsent[os.write(self.commands, self._unsent) :]
        except (BlockingIOError, BrokenPipeError):
            pass
        return bool(self._unsent)

    def status(self) -> int | None:
        """The exit status that bash reported for the present call, when it has. What is not of that form is ignored."""
        try:
            self._reports += os.read(self.report, REPORT_BYTES)
        except BlockingIOError:
            return None
        found = None
        while b"\0" in self._reports:
            line, _, self._reports = self._reports.partition(b"\0")
            status, _, rest = line.partition(b" ")
            number, _, cwd = rest.partition(b" ")
            if status.isdigit() and int(status[:4]) <= 255 and number == b"%d" % self.number and cwd[:1] == b"/":
                found = int(status)
                self.cwd = cwd.decode("utf-8", "surrogateescape")
        if len(self._reports) > REPORT_BYTES:
            self._reports.clear()
        return found

    def drain(self) -> None:
        """Between calls: read what background processes print, keep a little for the next call, drop the rest."""
        try:
            data = os.read(self.output, READ)
        except BlockingIOError:
            return
        self.early += data[: max(0, EARLY_BYTES - len(self.early))]
