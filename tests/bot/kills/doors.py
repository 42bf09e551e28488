"""The named doors of a bot's process, wrapped from outside: at one of them the process dies.

Which door, and at which passing, is said by a file that whoever tests changes while the process
lives. Each passing is written down in a journal, whose lines outlive the process.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import psycopg

DOORS: Mapping[str, str] = {
    "claim": "bot.store.run_store:RunStore.claim",
    "begin": "bot.store.work_store:WorkStore.begin",
    "keep": "bot.store.work_store:WorkStore.keep",
    "keep part": "bot.store.work_store:WorkStore.keep_part",
    "show": "bot.store.work_store:WorkStore.note_shown",
    "turn away": "bot.store.run_store:RunStore.turn_away",
    "revise": "bot.store.revision_store:RevisionStore.revise",
    "ask to stop": "bot.store.work_store:WorkStore.ask_to_stop",
    "job": "bot.queue.fenced_jobs:FencedJobs.finish_job",
    "place": "bot.store.run_store:RunStore.place_card",
    "finish": "bot.store.run_store:RunStore.finish",
    "escalate": "bot.store.escalation_store:EscalationStore.escalate",
    "place escalation": "bot.store.escalation_store:EscalationStore.place_escalation",
    "model": "agent.models.claude.model:ClaudeModel.respond",
    "schema": "agent.database.postgres:PostgresDatabase.get_table",
    "query": "agent.database.postgres:PostgresDatabase.fetch",
    "drawing": "agent.charts.renderer:ProcessRenderer.render",
    "start stream": "slack_sdk:WebClient.chat_startStream",
    "append": "slack_sdk:WebClient.chat_appendStream",
    "stop stream": "slack_sdk:WebClient.chat_stopStream",
    "post": "slack_sdk:WebClient.chat_postMessage",
    "edit": "slack_sdk:WebClient.chat_update",
    "upload": "slack_sdk:WebClient.files_upload_v2",
    "look at file": "slack_sdk:WebClient.files_info",
    "look into thread": "slack_sdk:WebClient.conversations_replies",
    "acknowledge": "bot.event_client:send_response",
    "migrate": "bot.store.connection:migrate",
}
"""Where each is: a module, and a function or a method in it."""
TOLD_SQL = 200
STANDS_STILL_WITHIN_S = 0.2
_ARMED, _JOURNAL = "armed.json", "journal"


class When(StrEnum):
    """When, in the passing of a door."""

    BEFORE = "before"
    DURING = "during"
    """A moment after it has begun, in the midst of it."""
    UNCOMMITTED = "uncommitted"
    """Its statements are sent, and its transaction is not committed."""
    AFTER = "after"


class How(StrEnum):
    """What becomes of the process."""

    DIES = "dies"
    FREEZES = "freezes"
    """It stands still, as a machine that is moved or suspended, until it is told to go on."""


@dataclass(frozen=True)
class Fuse:
    """At which passing of a door a process dies; `times` processes do, one after the other."""

    id: int
    door: str
    when: When
    nth: int = 1
    times: int = 1
    after_s: float = 0.02
    """How far into the passing, where that is `DURING`."""
    how: How = How.DIES

    def put(self, folder: Path) -> None:
        """From now on processes that look there die so."""
        made = folder / f"{_ARMED}.new"
        made.write_text(json.dumps(asdict(self)))
        made.replace(folder / _ARMED)

    def spent(self, folder: Path) -> list[int]:
        """Return the ids of the processes that have died so."""
        fired = (each.read_text() for each in folder.glob(f"fired.{self.id}.*"))
        return [int(each) for each in fired if each]


def no_fuse(folder: Path) -> None:
    """From now on nobody dies."""
    with suppress(FileNotFoundError):
        (folder / _ARMED).unlink()


def passings(folder: Path) -> list[dict[str, Any]]:
    """Return what the processes of a folder have written down, oldest first."""
    try:
        lines = (folder / _JOURNAL).read_text().splitlines()
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in lines]


class Doors:
    """The doors of this process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journal = os.open(folder / _JOURNAL, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._passed: Counter[tuple[int, str]] = Counter()
        self._lock = threading.Lock()
        self._within = threading.local()

    def wrap_all(self) -> None:
        """Stand at every door. A door that is not there any more raises."""
        for name, where in DOORS.items():
            self._wrap(name, where)
        self._watch_commits()

    def _wrap(self, name: str, where: str) -> None:
        module, _, path = where.partition(":")
        holder: Any = importlib.import_module(module)
        *parents, last = path.split(".")
        for each in parents:
            holder = getattr(holder, each)
        setattr(holder, last, self._stand_at(name, getattr(holder, last)))

    def _stand_at(self, name: str, passes: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(passes)
        def passed(*args: Any, **given: Any) -> Any:
            self._enter(name, args)
            self._inside.append(name)
            try:
                found = passes(*args, **given)
            finally:
                self._inside.pop()
            self._leave(name, args)
            return found

        @functools.wraps(passes)
        async def passed_in_turns(*args: Any, **given: Any) -> Any:
            self._enter(name, args)
            found = await passes(*args, **given)
            self._leave(name, args)
            return found

        return passed_in_turns if inspect.iscoroutinefunction(passes) else passed

    def _enter(self, name: str, args: Sequence[Any]) -> None:
        self.note(name, When.BEFORE, args)
        if _counts(name, args):
            self._die_at(name, When.BEFORE)
            self._die_at(name, When.DURING)

    def _leave(self, name: str, args: Sequence[Any]) -> None:
        self.note(name, When.AFTER)
        if _counts(name, args):
            self._die_at(name, When.AFTER)

    def _watch_commits(self) -> None:
        ends, commits = psycopg.Transaction.__exit__, psycopg.Connection.commit

        @functools.wraps(ends)
        def ended(transaction: Any, kind: Any, error: Any, trace: Any) -> Any:
            if kind is None:
                self._commits()
            return ends(transaction, kind, error, trace)

        @functools.wraps(commits)
        def committed(connection: Any) -> None:
            self._commits()
            commits(connection)

        psycopg.Transaction.__exit__ = ended  # type: ignore[method-assign]
        psycopg.Connection.commit = committed  # type: ignore[method-assign]

    def _commits(self) -> None:
        """A transaction is about to be committed: the first of each door that this thread is in."""
        for place, name in enumerate(self._inside):
            if name:
                self._inside[place] = ""
                self._die_at(name, When.UNCOMMITTED)

    @property
    def _inside(self) -> list[str]:
        """The doors in which this thread is; "" for one that has committed."""
        doors: list[str] = self._within.__dict__.setdefault("doors", [])
        return doors

    def note(self, name: str, when: str, args: Sequence[Any] = ()) -> None:
        """Write a passing down."""
        told = next((each[:TOLD_SQL] for each in args[1:2] if isinstance(each, str)), "")
        line = {"at": time.time(), "pid": os.getpid(), "door": name, "when": when, "told": told}
        os.write(self._journal, f"{json.dumps(line)}\n".encode())

    def _die_at(self, name: str, when: When) -> None:
        fuse = self._fuse()
        if fuse is None or (fuse.door, fuse.when) != (name, when):
            return
        with self._lock:
            self._passed[fuse.id, name] += 1
            if self._passed[fuse.id, name] < fuse.nth or not self._may_burn(fuse):
                return
        if when is When.DURING:
            threading.Timer(fuse.after_s, end, [fuse.how]).start()
        else:
            end(fuse.how)

    def _fuse(self) -> Fuse | None:
        try:
            given = json.loads((self._folder / _ARMED).read_text())
        except FileNotFoundError:
            return None
        return Fuse(**{**given, "when": When(given["when"]), "how": How(given["how"])})

    def _may_burn(self, fuse: Fuse) -> bool:
        """Only so many processes die of a fuse, whichever comes first."""
        for number in range(fuse.times):
            fired = self._folder / f"fired.{fuse.id}.{number}"
            try:
                made = os.open(fired, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
            except FileExistsError:
                continue
            os.write(made, str(os.getpid()).encode())
            os.close(made)
            return True
        return False


def _counts(name: str, args: Sequence[Any]) -> bool:
    """Is it one of those that are meant? Most that is acknowledged are the bot's own messages."""
    if name != "acknowledge":
        return True
    payload = args[1].payload
    return payload.get("event", {}).get("type") == "app_mention" or "command" in payload


def end(how: How) -> None:
    """End this process as `kill -9` does, or let it stand still."""
    os.kill(os.getpid(), signal.SIGKILL if how is How.DIES else signal.SIGSTOP)
    time.sleep(STANDS_STILL_WITHIN_S)  # the signal may reach another thread first
