"""A process is told to stop, whichever of its threads the system gives the signal to."""

from __future__ import annotations

import subprocess
import sys

TOLD_ELSEWHERE = """
import signal, threading, time
from bot.commands.stopping import until_told_to_stop

def tell():
    while not stop._waiting:
        time.sleep(0.01)
    time.sleep(0.1)
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)

with until_told_to_stop() as stop:
    threading.Thread(target=tell).start()
    stop.wait()
print("stopped in order")
"""


def test_a_signal_that_another_thread_gets_wakes_who_waits_for_it() -> None:
    process = subprocess.run(
        [sys.executable, "-c", TOLD_ELSEWHERE], capture_output=True, text=True, timeout=20
    )
    assert process.stdout == "stopped in order\n", process.stderr
