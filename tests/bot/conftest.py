"""The real bot over the local workspace and a real store; only the agent may be another."""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from slack_bolt import BoltRequest
from slack_sdk import WebClient

from agent.asker import NOBODY, Asker
from agent.database.postgres import PostgresDatabase
from agent.messages import (
    AgentResult,
    Chart,
    Column,
    Exchange,
    Outcome,
    QueryResult,
    Transition,
)
from agent.state import AgentState, Event, Phase
from bot.app import SlackBot
from bot.local_workspace import LocalWorkspace
from bot.manifest import load_manifest
from bot.settings import read_settings
from bot.store import Store, migrate

Json = dict[str, Any]

FILMS = QueryResult(
    sql="select category, count(*) as films from film group by 1",
    columns=(Column("category", "text"), Column("films", "int8")),
    rows=(("Sports", 74), ("Drama", 62), ("Sci-Fi", 61), ("Music", 51)),
    duration_ms=1.0,
)


@pytest.fixture
def open_store() -> Iterator[Callable[..., Store]]:
    """Opens stores and closes them again."""
    opened: list[Store] = []

    def open_one(url: str, **options: Any) -> Store:
        opened.append(Store(url, **options))
        opened[-1].open()
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture(scope="session")
def store_url(demo_admin_url: str) -> str:
    """A database with the bot's schema, for all tests of this process."""
    name = "bot_store"
    with psycopg.connect(demo_admin_url, autocommit=True) as connection:
        connection.execute(f"create database {name}")
    url = urlunsplit(urlsplit(demo_admin_url)._replace(path=f"/{name}"))
    migrate(url)
    return url


@pytest.fixture
def store(store_url: str, open_store: Callable[..., Store]) -> Store:
    """An empty store."""
    with psycopg.connect(store_url) as connection:
        connection.execute(
            "truncate db_agent.conversations, db_agent.channel_settings, db_agent.spent cascade"
        )
    return open_store(store_url)


@pytest.fixture(scope="session")
def demo_catalogue(demo_database_url: str) -> Iterator[PostgresDatabase]:
    """The demo database as the login that answers sees it."""
    database = PostgresDatabase(demo_database_url)
    yield database
    database.close()


@pytest.fixture
def catalogue_of(scratch_database: str) -> Iterator[Callable[[str], PostgresDatabase]]:
    """Makes a database out of SQL, and its catalogue."""
    opened: list[PostgresDatabase] = []

    def make(sql: str) -> PostgresDatabase:
        with psycopg.connect(scratch_database, autocommit=True) as connection:
            connection.execute(sql)
        opened.append(PostgresDatabase(scratch_database, allow_strong_role=True))
        return opened[-1]

    yield make
    for database in opened:
        database.close()


@dataclass
class GivenAgent:
    """Answers every question in the same way, and notes what it was asked and told."""

    model_name: str = "given"
    results: tuple[QueryResult, ...] = (FILMS,)
    charts: tuple[Chart, ...] = ()
    outcome: Outcome = Outcome.ANSWERED
    steps: Sequence[str] = ("I looked at film.", "I ran a query: 2 rows in 1 ms.")
    breaks_with: Exception | None = None
    gate: threading.Event | None = None
    """Runs wait for it, or for being cancelled."""
    asked: list[str] = field(default_factory=list)
    askers: list[Asker] = field(default_factory=list)
    histories: list[tuple[Exchange, ...]] = field(default_factory=list)
    changes: Mapping[str, Any] = field(default_factory=dict)
    """What else its results hold."""

    def run(
        self,
        question: str,
        *,
        history: Sequence[Exchange] = (),
        trail: Any = None,
        cancelled: threading.Event | None = None,
        budget: Any = None,
        asker: Asker = NOBODY,
        resume: Sequence[Any] = (),
    ) -> AgentResult:
        self.asked.append(question)
        self.askers.append(asker)
        self.histories.append(tuple(history))
        steps = tuple(self._step(text) for text in self.steps)
        for step in steps:
            trail.record(step)
            trail.begin(step.trigger)
            trail.end(step.trigger, ok=True)
        while self.gate is not None and not self.gate.wait(0.01):
            if cancelled is not None and cancelled.is_set():
                return replace(
                    self._result(question, steps),
                    outcome=Outcome.CANCELLED,
                    failed=True,
                    answer="",
                    summary="The run was stopped.",
                )
        if self.breaks_with is not None:
            raise self.breaks_with
        return self._result(question, steps)

    def _result(self, question: str, steps: tuple[Transition, ...]) -> AgentResult:
        failed = self.outcome in (Outcome.FAILED, Outcome.SYSTEM_FAULT)
        result = AgentResult(
            question=question,
            outcome=self.outcome,
            failed=failed,
            answer="" if failed else f"You asked: {question}",
            summary="The database could not be reached. Ask again." if failed else "One query.",
            results=self.results,
            charts=self.charts,
            warnings=(),
            trail=steps,
            model=self.model_name,
            hops=2,
            duration_ms=12,
            tables=("film",),
        )
        return replace(result, **self.changes)

    @staticmethod
    def _step(text: str) -> Transition:
        now = datetime.now(UTC)
        asked, target = Event.TOOLS_REQUESTED, Phase.ACTION
        return Transition(now, Phase.THOUGHT, asked, target, text, AgentState())


@pytest.fixture
def agent() -> GivenAgent:
    return GivenAgent()


PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f"
    b"\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xff\xff?\x03\x00\x08\xfc\x02\xfe\xa7\x9a\xa0\xa0"
    b"\x00\x00\x00\x00IEND\xaeB`\x82"
)


@pytest.fixture
def chart() -> Chart:
    return Chart("Films by category", 1, {"mark": "bar"}, PNG, "Bar chart: Sports 74, Drama 62")


@pytest.fixture
def looked_for(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set once the bot looks whether a chart can be shown."""
    looked, ask = threading.Event(), WebClient.files_info

    def asked(client: WebClient, **given: Any) -> Any:
        looked.set()
        return ask(client, **given)

    monkeypatch.setattr(WebClient, "files_info", asked)
    return looked


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Json]]:
    """The calls of Slack's Web API that are made from now on, with what they send."""
    noted: list[tuple[str, Json]] = []
    call = WebClient.api_call

    def noting(client: WebClient, method: str, **given: Any) -> Any:
        noted.append((method, {**(given.get("json") or {}), **(given.get("params") or {})}))
        return call(client, method, **given)

    monkeypatch.setattr(WebClient, "api_call", noting)
    return noted


@pytest.fixture
def start_workspace() -> Iterator[Callable[..., LocalWorkspace]]:
    """Starts workspaces with the app that `deploy/` describes."""
    running: list[LocalWorkspace] = []

    def start(**settings: Any) -> LocalWorkspace:
        hurry = {"file_ready_after": 0.0, "retry_pauses": (0.0, 0.2, 0.4)}
        manifest = settings.pop("manifest", load_manifest())
        running.append(LocalWorkspace.start(manifest, **{**hurry, **settings}))
        return running[-1]

    yield start
    for workspace in running:
        workspace.stop()


@pytest.fixture
def workspace(start_workspace: Callable[..., LocalWorkspace]) -> LocalWorkspace:
    return start_workspace()


@pytest.fixture
def start_bot(
    workspace: LocalWorkspace, store: Store, agent: GivenAgent
) -> Iterator[Callable[..., SlackBot]]:
    """Starts bots in the workspace; by default over `store` and `agent`."""
    bots: list[SlackBot] = []

    def start(
        *,
        agent: Any = agent,
        store: Store = store,
        options: Mapping[str, Any] = MappingProxyType({}),
        **given: Any,
    ) -> SlackBot:
        settings = read_settings(
            slack_bot_token=workspace.bot_token,
            slack_app_token=workspace.app_token,
            slack_url=workspace.api_url,
            **given,
        )
        bots.append(SlackBot(settings, agent=agent, store=store, **options))
        bots[-1].start()
        return bots[-1]

    yield start
    if agent.gate is not None:
        agent.gate.set()
    for bot in bots:
        bot.stop(grace_s=2.0)


@pytest.fixture
def bot(start_bot: Callable[..., SlackBot]) -> SlackBot:
    return start_bot()


def eventually(question: Callable[[], Any], within: float = 60.0) -> Any:
    """Calls until the answer is truthy, and returns it."""
    deadline = time.monotonic() + within
    while not (answer := question()):
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)
    return answer


class Person:
    """Somebody with a Slack client: asks, reads, clicks."""

    def __init__(self, workspace: LocalWorkspace, name: str, token: str = "") -> None:
        self.workspace = workspace
        token = token or workspace.user_tokens[name]
        self.client = WebClient(token, base_url=workspace.api_url)
        self.id = str(self.client.auth_test()["user_id"])
        self.mention = f"<@{workspace.bot_user_id}>"
        self.eventually = eventually

    def say(self, channel: str, text: str, thread_ts: str | None = None) -> str:
        """Post a message; its ts."""
        channel = self.workspace.channels.get(channel, channel)
        answer = self.client.chat_postMessage(channel=channel, text=text, thread_ts=thread_ts)
        return str(answer["ts"])

    def ask(self, channel: str, text: str, thread_ts: str | None = None) -> str:
        """Mention the bot; the ts."""
        return self.say(channel, f"{self.mention} {text}", thread_ts)

    def dm(self) -> str:
        """The direct messages with the bot."""
        answer = self.client.conversations_open(users=self.workspace.bot_user_id)
        return str(answer["channel"]["id"])

    def seen(self, channel: str, thread_ts: str = "") -> list[Json]:
        """What this person sees in a channel or thread, ephemeral messages included."""
        channel = self.workspace.channels.get(channel, channel)
        answer = self.client.api_call(
            "workspace.messages", json={"channel": channel, "thread_ts": thread_ts}
        )
        return list(answer["messages"])

    def from_bot(self, channel: str, thread_ts: str = "") -> list[Json]:
        """The bot's messages there."""
        bot = self.workspace.bot_user_id
        return [each for each in self.seen(channel, thread_ts) if each.get("user") == bot]

    def cards(self, channel: str, thread_ts: str, count: int = 1, within: float = 60) -> list[Json]:
        """Wait for the bot's finished messages in a thread; they must be just so many."""

        def finished() -> list[Json] | None:
            found = [
                each
                for each in self.from_bot(channel, thread_ts)
                if not each["text"].startswith("Working on it")
            ]
            return found if len(found) >= count else None

        cards: list[Json] = eventually(finished, within)
        assert len(cards) == count
        return cards

    def card(self, channel: str, thread_ts: str, within: float = 60) -> Json:
        """Wait for the one card of a thread."""
        return self.cards(channel, thread_ts, 1, within)[0]

    def click(self, card: Json, action_id: str, value: str | None = None) -> Json:
        """Click a button of a card; `value` chooses between two thumbs."""
        where = {"channel": card["channel"], "ts": card["ts"], "action_id": action_id}
        if value is not None:
            where["value"] = value
        return dict(self.client.api_call("workspace.clickButton", json=where).data)

    def modal(self) -> Json:
        """Wait for the modal that is open before this person."""
        views = eventually(lambda: self.client.api_call("workspace.boot")["views"])
        return dict(views[-1])

    def submit(self, modal: Json, words: str) -> Json:
        """Fill in the one field of a modal and send it; what became of it."""
        values = {"words": {"words": {"type": "plain_text_input", "value": words}}}
        body = {"view_id": modal["id"], "values": values}
        return dict(self.client.api_call("workspace.submitView", json=body).data)

    def told(self, channel: str, words: str) -> Json:
        """Wait for a message of the bot's in a channel, ephemeral or not, that says `words`."""
        found: list[Json] = eventually(
            lambda: [each for each in self.from_bot(channel) if words in str(each)]
        )
        return found[-1]

    def command(self, channel: str, text: str) -> Json:
        """Use /ask."""
        channel = self.workspace.channels.get(channel, channel)
        body = {"channel": channel, "command": "/ask", "text": text}
        return dict(self.client.api_call("workspace.slashCommand", json=body).data)

    def faults(self, **switches: Any) -> None:
        """Make the workspace misbehave."""
        self.client.api_call("workspace.faults", json=switches)

    def without_streams(self) -> None:
        """Let Slack refuse streams, so that the steps of a run are edits of a post."""
        refused = {"method": "chat.startStream", "error": "channel_type_not_supported"}
        self.faults(error={**refused, "times": 1_000})

    def deliveries(self) -> list[Json]:
        """The envelopes that the bot was sent."""
        return list(self.client.api_call("workspace.deliveries")["deliveries"])

    def payload(self, kind: str = "app_mention", **changes: Any) -> Json:
        """A copy of the newest delivered event of that kind, its event changed."""
        found = [
            each["payload"]
            for each in self.deliveries()
            if each["payload"].get("event", {}).get("type") == kind
        ]
        payload: Json = copy.deepcopy(found[-1])
        payload["event"] |= changes
        return payload

    def settled(self) -> None:
        """Wait until every envelope has been acknowledged."""
        eventually(lambda: all(each["acked"] for each in self.deliveries()))


@pytest.fixture
def deliver() -> Callable[..., int]:
    """Hands a payload to a bot as its socket would; gives the status, 200 where it is taken."""

    def hand_over(bot: SlackBot, payload: Json, retry: str | None = None) -> int:
        headers = {"x-slack-retry-num": retry} if retry else None
        request = BoltRequest(body=payload, mode="socket_mode", headers=headers)
        return int(bot.app.dispatch(request).status)

    return hand_over


@pytest.fixture
def you(workspace: LocalWorkspace) -> Person:
    return Person(workspace, "you")


@pytest.fixture
def mia(workspace: LocalWorkspace) -> Person:
    return Person(workspace, "mia")


@pytest.fixture
def newcomer(workspace: LocalWorkspace, you: Person) -> Callable[..., Person]:
    """Adds members, such as strangers."""

    def add(name: str, **traits: Any) -> Person:
        answer = you.client.api_call("workspace.addUser", json={"name": name, **traits})
        return Person(workspace, name, str(answer["token"]))

    return add
