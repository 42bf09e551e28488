"""A program that leads a TCP port of this machine to a Unix socket; it prints the port."""

from __future__ import annotations

import contextlib
import socket
import sys
import threading


def pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while piece := source.recv(65_536):
            target.sendall(piece)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def serve(client: socket.socket, path: str) -> None:
    server = socket.socket(socket.AF_UNIX)
    server.connect(path)
    back = threading.Thread(target=pump, args=(server, client), daemon=True)
    back.start()
    pump(client, server)
    back.join()
    client.close()
    server.close()


def main(path: str) -> None:
    door = socket.create_server(("127.0.0.1", 0))
    print(door.getsockname()[1], flush=True)
    while True:
        client, _ = door.accept()
        threading.Thread(target=serve, args=(client, path), daemon=True).start()


if __name__ == "__main__":
    main(sys.argv[1])
