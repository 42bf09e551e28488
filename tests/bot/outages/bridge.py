"""A way for bytes that can be cut: between the bot and whatever it depends on."""

from __future__ import annotations

import contextlib
import selectors
import socket
import struct
import threading
from collections.abc import Callable

Target = Callable[[], socket.socket]
_RESET = struct.pack("ii", 1, 0)


class Bridge:
    """A port of this machine behind which somebody else's is; `cut` ends and refuses all."""

    def __init__(self, target: Target) -> None:
        """`target` opens a connection to where it leads."""
        self._target = target
        self._lock = threading.Lock()
        self._door: socket.socket | None = None
        self._open: set[socket.socket] = set()
        self.port = 0
        self.mend()

    def mend(self) -> None:
        """Let connections through from now on."""
        self._door = socket.create_server(("127.0.0.1", self.port), backlog=128)
        self.port = self._door.getsockname()[1]
        threading.Thread(target=self._take, args=(self._door,), daemon=True).start()

    def cut(self) -> None:
        """Break every connection, in the midst of whatever it carries, and take none."""
        with self._lock:
            door, self._door = self._door, None
            cut = [*self._open, *([door] if door else [])]
        for each in cut:
            with contextlib.suppress(OSError):
                each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _take(self, door: socket.socket) -> None:
        while True:
            try:
                near, _ = door.accept()
            except OSError:
                return
            try:
                far = self._target()
            except OSError:
                near.close()
                continue
            threading.Thread(target=self._carry, args=(near, far), daemon=True).start()

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        with self._lock:
            self._open |= {near, far}
        try:
            with selectors.DefaultSelector() as look:
                look.register(near, selectors.EVENT_READ, far)
                look.register(far, selectors.EVENT_READ, near)
                while all(self._pass_on(key) for key, _ in look.select()):
                    pass
        except (OSError, ValueError):
            pass
        finally:
            with self._lock:
                self._open -= {near, far}
            near.close()
            far.close()

    @staticmethod
    def _pass_on(key: selectors.SelectorKey) -> bool:
        source: socket.socket = key.fileobj  # type: ignore[assignment]
        data = source.recv(65_536)
        if data:
            key.data.sendall(data)
        return bool(data)


def to_port(port: int) -> Target:
    """Return what connects to a port of this machine."""
    return lambda: socket.create_connection(("127.0.0.1", port), timeout=None)


def to_path(path: Callable[[], str]) -> Target:
    """Return what connects to a Unix socket, wherever it is by then."""

    def connect() -> socket.socket:
        made = socket.socket(socket.AF_UNIX)
        try:
            made.connect(path())
        except OSError:
            made.close()
            raise
        return made

    return connect
