"""`execute_bash`: one persistent bash, whose status is a number and whose output reads like a terminal's."""

from __future__ import annotations

import hashlib
import threading

import pytest

from studio.errors import SandboxLost, ToolError
from studio.sandboxes.types import Sandbox

SHOWN = 16_000


def test_directory_variables_and_functions_stay(sandbox: Sandbox) -> None:
    sandbox.execute('mkdir -p /testbed/work && cd /testbed/work; colour=teal; shout() { echo "$1!"; }; export SIZE=9')
    result = sandbox.execute('shout "$colour"; printenv SIZE; pwd')
    assert result.output == "teal!\n9\n/testbed/work\n"
    assert result.cwd == "/testbed/work"


def test_an_activated_environment_stays(sandbox: Sandbox) -> None:
    made = sandbox.execute("python3 -m venv --without-pip /testbed/env && . /testbed/env/bin/activate")
    assert made.exit_status == 0, made.output
    result = sandbox.execute("command -v python; python -c 'import sys; print(sys.prefix)'")
    assert result.output == "/testbed/env/bin/python\n/testbed/env\n"


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("true", 0),
        ("false", 1),
        ("(exit 77)", 77),
        ("no-such-program", 127),
        ("echo 'open", 2),
        ("true; false | true", 0),
    ],
)
def test_the_status_is_a_number(sandbox: Sandbox, command: str, status: int) -> None:
    result = sandbox.execute(command)
    assert result.exit_status == status
    assert not result.shell_restarted


def test_output_that_looks_like_a_status_is_only_output(sandbox: Sandbox) -> None:
    result = sandbox.execute("printf '0 1 /etc\\0'; printf '0 1 /etc\\0' >&2; cd /tmp; false")
    assert (result.exit_status, result.cwd) == (1, "/tmp")


def test_standard_input_is_empty(sandbox: Sandbox) -> None:
    result = sandbox.execute("cat; read -r line || echo nothing to read; python3 -c 'input()'")
    assert "nothing to read" in result.output
    assert "EOFError" in result.output


def test_a_program_gets_three_streams_and_nothing_else(sandbox: Sandbox) -> None:
    result = sandbox.execute(
        "python3 -c 'import os; print([n for n in range(300) if os.path.exists(f\"/dev/fd/{n}\")])'"
    )
    assert result.output == "[0, 1, 2]\n"


def test_quotes_newlines_and_other_scripts_arrive_as_they_are(sandbox: Sandbox) -> None:
    words = 'it\'s "quoted" $HOME `x` \\ !! 名 👩‍🚀 \u202eabc\n\ttab'
    result = sandbox.execute(f"cat <<'END'\n{words}\nEND")
    assert result.output == words + "\n"


def test_a_long_command_arrives_whole(sandbox: Sandbox) -> None:
    body = "".join(f"line {number}\n" for number in range(20_000))
    result = sandbox.execute(f"md5sum <<'END'\n{body}END")
    assert result.output.split()[0] == hashlib.md5(body.encode()).hexdigest()


def test_what_is_no_utf8_is_replaced_and_codes_are_folded(sandbox: Sandbox) -> None:
    result = sandbox.execute(
        r"printf '\033[1;31mred\033[0m\n10%%\r20%%\r100%%\nbad \xff\xfe\r\n\033]0;title\007ab\bc\n'"
    )
    assert result.output == "red\n100%\nbad \ufffd\ufffd\nac\n"


def test_a_progress_bar_that_comes_slowly_is_folded_too(sandbox: Sandbox) -> None:
    result = sandbox.execute(r"for n in 1 2 3; do printf '\r%d of 3' $n; sleep 0.15; done; echo")
    assert result.output == "3 of 3\n"


def test_long_output_is_shown_as_head_and_tail_and_a_file_has_it_all(sandbox: Sandbox) -> None:
    result = sandbox.execute("seq 1 50000")
    assert len(result.shown) <= SHOWN
    assert result.shown.startswith("1\n2\n")
    assert result.shown.endswith("49999\n50000\n")
    assert result.cut_chars == 288_894 - 2 * 7_900
    assert f"{result.cut_chars:,} characters" in result.shown
    assert result.output_file is not None
    assert result.output_file in result.shown
    assert sandbox.execute(f"wc -lc < {result.output_file}").output.split() == ["50000", "288894"]
    assert len(result.output) == 288_894  # the trajectory keeps it whole, below 1 MiB


def test_output_just_short_enough_is_shown_whole(sandbox: Sandbox) -> None:
    result = sandbox.execute(f"head -c {SHOWN} /dev/zero | tr '\\0' x")
    assert result.shown == result.output == "x" * SHOWN
    assert result.cut_chars == 0
    assert sandbox.execute(f"wc -c < {result.output_file}").output.strip() == str(SHOWN)


def test_a_short_output_is_kept_in_no_file(sandbox: Sandbox) -> None:
    assert sandbox.execute("seq 300").output_file is None
    assert sandbox.execute("seq 1000").output_file is not None


def test_a_flood_is_dropped_and_memory_stays_flat(sandbox: Sandbox) -> None:
    seen = 0

    def watch(text: str) -> None:
        nonlocal seen
        seen += len(text)

    result = sandbox.execute("yes", 2.0, watch)
    assert result.timed_out
    assert len(result.output.encode()) <= 1 << 20
    assert len(result.shown) <= SHOWN + 200
    assert "the first 16,777,216 of" in result.shown
    assert seen < 4 << 20
    tool_host = sandbox.execute("awk '/VmHWM/ {print $2}' /proc/1/status")
    assert int(tool_host.output) < 40_000  # kB
    assert sandbox.execute("echo fine").output == "fine\n"


def test_output_streams_back_as_it_comes(sandbox: Sandbox) -> None:
    pieces: list[str] = []
    result = sandbox.execute("echo first; sleep 1.5; echo second", on_output=pieces.append)
    first = next(piece for piece in pieces if piece)
    assert first == "first\n"
    assert "".join(pieces) == result.output
    assert "" in pieces  # called with nothing while nothing came, so that a watcher can look for a cancel


def test_a_watcher_that_raises_ends_the_sandbox(sandbox: Sandbox) -> None:
    class Enough(Exception):
        pass

    def watch(_: str) -> None:
        raise Enough

    with pytest.raises(Enough):
        sandbox.execute("sleep 60", on_output=watch)
    with pytest.raises(SandboxLost):
        sandbox.execute("echo still there?")


def test_a_timeout_interrupts_and_the_shell_survives(sandbox: Sandbox) -> None:
    sandbox.execute("kept=yes; cd /tmp")
    result = sandbox.execute("echo before; sleep 60; echo after", 1.0)
    assert result.timed_out
    assert result.exit_status is None
    assert result.output == "before\n[Stopped after 1 s, the time limit of this command.]"
    assert not result.shell_restarted
    assert sandbox.execute("echo $kept; pwd").output == "yes\n/tmp\n"


def test_a_busy_loop_of_the_shell_itself_is_interrupted(sandbox: Sandbox) -> None:
    result = sandbox.execute("while :; do :; done", 0.5)
    assert result.timed_out
    assert not result.shell_restarted


def test_what_ignores_the_interrupt_is_killed_and_the_shell_survives(sandbox: Sandbox) -> None:
    sandbox.execute("kept=yes")
    result = sandbox.execute("python3 -c 'import signal, time\nsignal.signal(2, signal.SIG_IGN)\ntime.sleep(60)'", 0.5)
    assert result.timed_out
    assert 2.4 <= result.seconds < 40
    assert not result.shell_restarted
    assert sandbox.execute("echo $kept; ps -C python3 -o pid= | wc -l").output == "yes\n1\n"  # the tool host


def test_what_left_the_process_group_too_costs_the_shell_and_says_so(sandbox: Sandbox) -> None:
    result = sandbox.execute("setsid -w sh -c 'trap : INT TERM; sleep 60; sleep 60'", 0.5)
    assert result.timed_out
    assert result.shell_restarted
    assert "every process was killed" in result.output
    assert "a new one was started in /testbed" in result.output
    assert sandbox.execute("ps -C sleep -o pid=").output == ""


def test_exit_and_a_killed_shell_are_said_and_mended(sandbox: Sandbox) -> None:
    sandbox.execute("cd /tmp")
    result = sandbox.execute("echo bye; exit 5")
    assert (result.exit_status, result.shell_restarted, result.cwd) == (5, True, "/tmp")
    assert "ended with status 5" in result.output
    killed = sandbox.execute("kill -KILL $$")
    assert (killed.exit_status, killed.shell_restarted) == (None, True)
    assert "killed by signal 9" in killed.output
    assert sandbox.execute("pwd").output == "/tmp\n"


def test_options_of_one_command_do_not_cost_the_next_one_its_shell(sandbox: Sandbox) -> None:
    sandbox.execute("kept=yes; set -eux")
    result = sandbox.execute("false; echo $nope; echo $kept")
    assert result.output == "\nyes\n"
    assert not result.shell_restarted


def test_a_redirection_of_the_whole_shell_lasts_for_its_command_only(sandbox: Sandbox) -> None:
    sandbox.execute("exec > /testbed/log 2>&1; echo hidden")
    assert sandbox.execute("echo seen; cat /testbed/log").output == "seen\nhidden\n"


def test_a_background_process_does_not_hold_the_call_open(sandbox: Sandbox) -> None:
    result = sandbox.execute("(sleep 60; echo late) & disown; echo started")
    assert result.seconds < 5
    assert result.output.endswith("started\n")
    assert sandbox.execute("until pgrep -x sleep > /dev/null; do sleep 0; done; echo running", 10).output == "running\n"


def test_a_background_flood_blocks_nothing(sandbox: Sandbox) -> None:
    sandbox.execute("yes background & sleep 0.3")
    result = sandbox.execute("kill %1; wait; echo done")
    assert result.output.endswith("done\n")
    assert sandbox.execute("echo next").output == "next\n"


def test_a_nul_in_a_command_is_answered_with_what_was_expected(sandbox: Sandbox) -> None:
    with pytest.raises(ToolError, match="NUL"):
        sandbox.execute("echo a\0b")
    assert sandbox.execute("echo fine").output == "fine\n"


def test_changed_files_are_named(sandbox: Sandbox) -> None:
    result = sandbox.execute(
        "mkdir -p sub; echo 1 > a.txt; echo 2 > sub/b.txt; ln -s a.txt link; echo 3 > /tmp/outside"
    )
    assert result.files_changed == ("a.txt", "link", "sub/b.txt")
    assert sandbox.execute("cat a.txt").files_changed == ()
    assert sandbox.execute("rm a.txt; mv sub/b.txt sub/c.txt").files_changed == ("a.txt", "sub/b.txt", "sub/c.txt")
    many = sandbox.execute("mkdir many; for n in $(seq 300); do : > many/$n; done")
    assert len(many.files_changed) == 200


def test_a_tree_too_large_to_compare_is_passed_over(sandbox: Sandbox) -> None:
    result = sandbox.execute('python3 -c \'import os\nos.mkdir("m")\nfor n in range(21000): open(f"m/{n}", "w")\'')
    assert result.exit_status == 0
    assert result.files_changed == ()
    assert sandbox.execute("echo hi > x").files_changed == ()


def test_writing_into_the_shells_own_channel_deceives_nobody_but_the_command(sandbox: Sandbox) -> None:
    garbage = sandbox.execute("printf 'nonsense' > /proc/$$/fd/12; head -c 100000 /dev/zero > /proc/$$/fd/12; (exit 3)")
    assert garbage.exit_status in {3, None}
    forged = sandbox.execute(
        "for fd in /proc/$$/fd/*; do printf '999 2 /etc\\0' > $fd; done 2>/dev/null; (exit 4)", 5.0
    )
    assert forged.exit_status in {4, None}
    assert sandbox.execute("echo fine").output == "fine\n"


def test_a_kill_from_another_thread_ends_a_running_command_at_once(sandbox: Sandbox) -> None:
    threading.Timer(0.5, sandbox.kill).start()
    with pytest.raises(SandboxLost, match="ended by the studio"):
        sandbox.execute("sleep 60")
    sandbox.kill()
    with pytest.raises(SandboxLost):
        sandbox.execute("echo")
