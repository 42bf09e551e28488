"""Where processes die: a workspace, a store, the demo database, a model, and a supervisor."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from agent.database.demo import DemoDatabase
from bot.local_workspace import LocalWorkspace
from bot.manifest import load_manifest
from tests.bot.conftest import Person

from .model_server import KEY, ModelServer
from .supervisor import Supervisor

Json = dict[str, Any]
MINE = "KILLS_SCENE"
"""The variable by which the processes of a scene are known."""
_KEPT = ("PATH", "HOME", "TMPDIR", "PYTHONPATH", "PG_BIN", "LANG")
SLACK = {"file_ready_after": 0.0, "ack_within": 1.0, "retry_pauses": (0.1, 0.5, 2.0)}
"""As Slack, in a hurry: an event that nobody acknowledges comes again three times."""


@dataclass
class Scene:
    """One lane of the matrix: everything in it is its own, but the database and the model."""

    demo: DemoDatabase
    models: ModelServer
    workspace: LocalWorkspace
    supervisor: Supervisor
    folder: Path
    store_url: str

    @property
    def you(self) -> Person:
        return Person(self.workspace, "you")

    @property
    def connections(self) -> int:
        """How many event connections of the bot are open."""
        held = self.workspace._workspace.deliveries
        return len(held.connections(self.workspace.app_id))

    def until(self, happened: Callable[[], Any], what: str, within_s: float = 30.0) -> Any:
        """Wait until something is so, and return it. Raises `Unsettled`."""
        until = time.monotonic() + within_s
        while not (found := happened()):
            if time.monotonic() > until:
                raise Unsettled(what)
            time.sleep(0.02)
        return found

    def rows(self, sql: str, *given: Any) -> list[tuple[Any, ...]]:
        """Return what the store's database says."""
        with psycopg.connect(self.store_url) as connection:
            return connection.execute(sql, given).fetchall()

    def drop_store(self) -> None:
        """Leave nothing of the bot's record; nobody may be at it."""
        with psycopg.connect(self.store_url, autocommit=True) as connection:
            connection.execute("drop schema db_agent cascade")

    def messages(self, channel: str) -> list[Json]:
        """Everything that stands in a channel, replies and what only one sees included."""
        found = self.you.client.api_call("workspace.transcript")["messages"]
        return [each for each in found if each["channel"] == channel]


class Unsettled(Exception):
    """It did not come to an end; the message says what was waited for."""


@contextlib.contextmanager
def scene(
    demo: DemoDatabase, models: ModelServer, commands: Sequence[Sequence[str]], name: str
) -> Iterator[Scene]:
    """Set a scene with so many processes, and take it down again."""
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="kills-"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        store_url = stack.enter_context(_database(demo, f"kills_{name}"))
        workspace = stack.enter_context(LocalWorkspace.start(load_manifest(), **SLACK))
        environment = {each: os.environ[each] for each in _KEPT if each in os.environ}
        environment |= {
            MINE: str(folder),
            "SLACK_BOT_TOKEN": workspace.bot_token,
            "SLACK_APP_TOKEN": workspace.app_token,
            "DB_AGENT_SLACK_URL": workspace.api_url,
            "DB_AGENT_STORE_URL": store_url,
            "DB_AGENT_ESCALATION_CHANNEL": workspace.channels["helpdesk"],
            "DB_AGENT_MODEL": "claude-sonnet-5",
            "DATABASE_URL": demo.url,
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": models.url,
        }
        supervisor = Supervisor(folder, commands, environment)
        stack.callback(supervisor.stop)
        made = Scene(demo, models, workspace, supervisor, folder, store_url)
        supervisor.start()
        made.until(lambda: made.connections == len(commands), "the processes to connect")
        yield made


@contextlib.contextmanager
def _database(demo: DemoDatabase, name: str) -> Iterator[str]:
    with psycopg.connect(demo.admin_url, autocommit=True) as admin:
        admin.execute(f"create database {name}")  # type: ignore[call-overload]
        try:
            yield urlunsplit(urlsplit(demo.admin_url)._replace(path=f"/{name}"))
        finally:
            admin.execute(f"drop database {name} with (force)")  # type: ignore[call-overload]
