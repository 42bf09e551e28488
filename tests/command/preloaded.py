"""A process that has loaded all that `db-agent` needs, and becomes the command again and again.

To load it takes a second or two of processor time, which is most of what a short command takes. For
each byte that comes in at its door, with five open files, a copy of this process becomes the
command: three standard streams, what to do, and where to say how it ended. The copy ends as every
Python process does. Run as a script, with the number of the open socket that is its door.
"""

from __future__ import annotations

import array
import gc
import importlib
import json
import os
import signal
import socket
import sys
import tempfile
import time

LOADED = (
    *("bot.cli", "bot.commands.ask", "bot.commands.serve", "bot.commands.doctor"),
    *("bot.commands.check_sql", "bot.commands.trail", "bot.commands.migrate"),
    *("agent.database.demo", "agent.models.claude", "agent.models.offline", "agent.testing"),
)


def main() -> int:
    """Take orders until nobody is left to give them; in a copy, do what was ordered."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody here asks how a watcher ended
    for name in LOADED:
        importlib.import_module(name)
    gc.freeze()  # else each copy would look through it all once more at its end
    if len(os.listdir("/proc/self/task")) > 1:
        raise RuntimeError("a process with threads has no faithful copies: load less beforehand")
    with socket.socket(fileno=int(sys.argv[1])) as door:
        while files := _files(door):
            if os.fork() == 0:
                door.close()
                return _watch(*files)
            for file in files:
                os.close(file)
    return 0


def _files(door: socket.socket) -> list[int]:
    """The files of the next order; none where the other end is closed."""
    _, sent, _, _ = door.recvmsg(1, socket.CMSG_LEN(5 * array.array("i").itemsize))
    files = array.array("i")
    for _, _, content in sent:
        files.frombytes(content)
    return list(files)


def _watch(given: int, output: int, errors: int, order: int, ended: int) -> int:
    """Become the command in one more copy, and say which process that is and how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if process := os.fork():
        os.write(ended, f"{process}\n".encode())
        for file in (0, 1, 2, given, output, errors, order):
            os.close(file)
        status = os.waitpid(process, 0)[1]
        os.write(ended, f"{os.waitstatus_to_exitcode(status)}\n".encode())
        os._exit(0)
    os.close(ended)
    return _become((given, output, errors), order)


def _become(streams: tuple[int, int, int], order: int) -> int:
    """Run the command as a process that began with these streams; its exit code."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    with open(order) as file:
        wanted = json.load(file)
    os.environ.clear()
    os.environ.update(wanted["environment"])
    os.chdir(wanted["folder"])
    time.tzset()
    tempfile.tempdir = None
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    sys.argv = ["db-agent", *wanted["arguments"]]
    from bot.cli import main as db_agent

    return db_agent()


if __name__ == "__main__":
    sys.exit(main())
