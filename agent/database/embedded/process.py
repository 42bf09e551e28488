"""The server as a process: started behind a watchdog, so that it never outlives its owner."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.database.embedded.account import Account

# The inner shell waits until our end of the pipe is closed, be it by stop() or by our death, and
# then ends the server. The outer shell stays the server's parent, so that the process id it signals
# cannot have been given to another process meanwhile. No setting of PostgreSQL bounds the memory
# that one query takes; the limit (kB of each of the server's processes) makes it an error.
_WATCHDOG = """
exec 3<&0 </dev/null
ulimit -S -d 524288 2>/dev/null
"$@" 3<&- &
server=$!
(read -r _ <&3; kill -s INT $server) >/dev/null 2>&1 &
watchdog=$!
exec 3<&-
wait $server; status=$?
kill $watchdog 2>/dev/null
wait
exit $status
"""
_STOP_LIMIT_S = 20.0
_LOG_LIMIT_BYTES = 5_000_000


@dataclass
class ServerProcess:
    """The watchdog's shell, whose end is the server's end, and our end of its pipe."""

    shell: subprocess.Popen[str]
    log: Path
    log_start: int
    lifeline: int | None

    @property
    def alive(self) -> bool:
        return self.shell.poll() is None

    def complaints(self) -> str:
        """What the server has written since it was started."""
        with self.log.open(encoding="utf-8", errors="replace") as text:
            text.seek(self.log_start)
            return text.read()

    def stop(self) -> None:
        """Stop the server and wait for its end; safe to call twice."""
        if self.lifeline is None:
            return
        os.close(self.lifeline)
        self.lifeline = None
        try:
            self.shell.wait(_STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(self.shell.pid, signal.SIGKILL)
            self.shell.wait()


def launch(
    command: Sequence[str],
    account: Account,
    log: Path,
    locks: Sequence[int],
) -> ServerProcess:
    """Start the server `command`; its messages go to `log`.

    `locks` are descriptors of locked files that stay locked as long as the server lives.
    """
    descriptor = _open_log(log)
    log_start = os.fstat(descriptor).st_size
    pipe, lifeline = os.pipe()
    try:
        with open(pipe, "rb") as stdin, open(descriptor, "ab") as output:
            shell = account.popen(
                ["/bin/sh", "-c", _WATCHDOG, "db-agent-watchdog", *command],
                stdin=stdin,
                stdout=output,
                pass_fds=locks,
            )
    except BaseException:
        os.close(lifeline)
        raise
    return ServerProcess(shell, log, log_start, lifeline)


def _open_log(log: Path) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    if log.exists() and log.stat().st_size > _LOG_LIMIT_BYTES:
        flags |= os.O_TRUNC
    return os.open(log, flags, 0o600)
