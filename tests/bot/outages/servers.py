"""PostgreSQL that really stops and really starts again, at one address."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlsplit

import psycopg

from agent.database.embedded import EmbeddedPostgres

from .bridge import Bridge, to_path

_SOCKET = ".s.PGSQL.{port}"


class MortalPostgres:
    """A server with its data, reached over TCP and over a Unix socket; both outlive it."""

    def __init__(self, bin_dir: Path | None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="mortal-"))
        self._folder.chmod(0o755)
        self._bin_dir = bin_dir
        self._server: EmbeddedPostgres | None = None
        self._way = self._folder / "sockets"
        self._start_server()
        self._bridge = Bridge(to_path(lambda: str(self._way / self._socket_name)))

    def url(self, *, user: str = "postgres", over_tcp: bool = True) -> str:
        """Where it is, for a login; the same before and after it was away."""
        assert self._server is not None, "passwords are asked for while it runs"
        password = self._server.password(user)
        at = f"127.0.0.1:{self._bridge.port}" if over_tcp else ""
        rest = "" if over_tcp else f"?host={quote(str(self._way), safe='')}&port={self._port}"
        return f"postgresql://{quote(user)}:{password}@{at}/postgres{rest}"

    def run(self, script: str) -> None:
        """Run SQL as the superuser."""
        with psycopg.connect(self.url(over_tcp=False), autocommit=True) as connection:
            connection.execute(script.encode())

    def stop(self) -> None:
        """Stop the server; connections to it are refused."""
        self._bridge.cut()
        if self._server is not None:
            self._server.stop()
            self._server = None

    def start(self) -> None:
        """Start it again on the same data."""
        self._start_server()
        self._bridge.mend()

    def remove(self) -> None:
        """Stop it for good, and leave nothing of it."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start_server(self) -> None:
        data = self._folder / "data"
        self._server = EmbeddedPostgres.start(data, bin_dir=self._bin_dir, durable=False)
        asked = parse_qs(urlsplit(self._server.url()).query)
        self._port = asked["port"][0]
        self._socket_name = _SOCKET.format(port=self._port)
        self._way.unlink(missing_ok=True)
        self._way.symlink_to(unquote(asked["host"][0]))
