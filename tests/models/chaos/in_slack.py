"""Recipes through the whole bot: what people see of them in Slack, and what the record says."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import ge
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
from slack_bolt import BoltRequest

from agent.messages import AgentResult, Outcome, Usage
from agent.warnings import ESCALATED_WARNING, FAILED_WARNING
from bot.app import SlackBot
from bot.local_workspace import LocalWorkspace
from bot.manifest import load_manifest
from bot.settings import read_settings
from bot.store import Store, migrate

from .recipes import Recipe
from .runs import QUESTION, Course, Ended, World, course
from .stand_ins import bot_parts

CHANNEL = "data"
ANSWERED_WITHIN_S = 60.0
_RECORD = """
select outcome, failed, card_ts, cost_usd, input_tokens, output_tokens, cache_read_tokens
from db_agent.runs where message_ts = %s
"""


@dataclass
class Chosen:
    """The agent of the bot: each question names the recipe that answers it."""

    courses: dict[int, Course] = field(default_factory=dict)
    ended: dict[int, Ended] = field(default_factory=dict)
    model_name: str = "chaos"
    asked: list[int] = field(default_factory=list)

    def run(self, question: str, **options: Any) -> AgentResult:
        found = re.search(r"case (\d+)", question)
        assert found is not None
        number = int(found[1])
        self.asked.append(number)
        self.ended[number] = self.courses[number].run(question, **options)
        return self.ended[number].result


@dataclass
class Office:
    """A workspace with the bot in it, and somebody who asks."""

    chosen: Chosen
    bot: SlackBot
    person: Any
    store_url: str
    threads: dict[int, str] = field(default_factory=dict)

    def ask(self, recipes: Sequence[Recipe], world: World) -> list[Ended]:
        """Ask one question for each recipe, all at once; wait until each has its card."""
        with contextlib.ExitStack() as stack:
            for recipe in recipes:
                under_way = stack.enter_context(course(recipe, world))
                self.chosen.courses[recipe.number] = under_way
            self.person.faults(rate_limit={"method": "chat.update", "times": 2, "retry_after": 1})
            for recipe in recipes:
                self._ask(recipe)
            self._bring_again()
            for recipe in recipes:
                bot_parts.eventually(lambda r=recipe: self._cards(r.number), ANSWERED_WITHIN_S)
            for recipe in recipes:
                self.chosen.courses[recipe.number].settle()
            broken = [each for each in recipes if each.number not in self.chosen.ended]
            told = [f"{each}: no run: {self._cards(each.number)[0]['text']}" for each in broken]
            assert not told, told
            return [self.chosen.ended[recipe.number] for recipe in recipes]

    def _ask(self, recipe: Recipe) -> None:
        number, under_way = recipe.number, self.chosen.courses[recipe.number]

        def stop() -> None:
            where = {"channel": self.person.workspace.channels[CHANNEL]}
            where["thread_ts"] = bot_parts.eventually(lambda: self.threads.get(number))
            self.person.client.api_call("workspace.stopSession", json=where)

        under_way.stop = stop
        self.threads[number] = self.person.ask(CHANNEL, f"{QUESTION} (case {number})")

    def _bring_again(self) -> None:
        """Deliver every event of before once more, as Slack does where an answer got lost."""
        for each in self.person.deliveries():
            if each["payload"].get("event"):
                headers = {"x-slack-retry-num": "1"}
                again = BoltRequest(body=each["payload"], mode="socket_mode", headers=headers)
                self.bot.app.dispatch(again)

    def _cards(self, number: int) -> list[Any]:
        messages = self.person.from_bot(CHANNEL, self.threads[number])
        return [each for each in messages if not each["text"].startswith("Working on it")]

    def wrong(self, ended: Ended) -> Iterator[str]:
        """Say what is wrong with what people see of a run, and with what is recorded."""
        number, result = ended.recipe.number, ended.result
        cards = self._cards(number)
        if len(cards) != 1 or len(self.person.from_bot(CHANNEL, self.threads[number])) != 1:
            yield f"{len(cards)} cards for one question"
            return
        if self.chosen.asked.count(number) != 1:
            yield "one question had more than one run"
        told = str(cards[0])
        if any(key in told for key in ended.keys):
            yield "a key stands on the card"
        yield from _card(result, told)
        with psycopg.connect(self.store_url) as connection:
            rows = connection.execute(_RECORD, [self.threads[number]]).fetchall()
        if len(rows) != 1 or not _is_right(rows[0], ended, cards[0]["ts"]):
            yield f"the record says {rows}, and not {_row(result, cards[0]['ts'])}"


def _row(result: AgentResult, ts: str) -> tuple[Any, ...]:
    usage = result.usage
    tokens = (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens)
    return (str(result.outcome), result.failed, ts, result.cost_usd, *tokens)


def _is_right(recorded: tuple[Any, ...], ended: Ended, ts: str) -> bool:
    result = ended.result
    due = _row(result, ts)
    if result.outcome is Outcome.CANCELLED:
        # What a call took that was left behind, and came to its end later, is written down too.
        arrived = [each.usage for each in ended.log.served if each.is_billed]
        known = sum((usage for usage in arrived if usage is not None), start=Usage())
        tokens = (known.input_tokens, known.output_tokens, known.cache_read_tokens)
        return recorded[:3] == due[:3] and all(map(ge, recorded[4:], tokens))
    return recorded == due


def _card(result: AgentResult, told: str) -> Iterator[str]:
    if result.failed and FAILED_WARNING not in told:
        yield "failed, and the card does not warn"
    if result.outcome is Outcome.ESCALATED and ESCALATED_WARNING not in told:
        yield "escalated, and the card does not warn"
    if result.outcome is Outcome.CANCELLED and "Stopped" not in told:
        yield "cancelled, and the card does not say so"
    if not result.failed and FAILED_WARNING in told:
        yield "the card warns of a failure that was none"
    if result.answer and result.answer.splitlines()[0] not in told:
        yield "the answer does not stand on the card"


@contextlib.contextmanager
def office(admin_url: str) -> Iterator[Office]:
    """Start a workspace and the bot in it; its record is a database of its own."""
    name = "chaos_store"
    with psycopg.connect(admin_url, autocommit=True) as connection:
        connection.execute(f"drop database if exists {name}")
        connection.execute(f"create database {name}")
    url = urlunsplit(urlsplit(admin_url)._replace(path=f"/{name}"))
    migrate(url)
    with contextlib.ExitStack() as stack:
        workspace = LocalWorkspace.start(load_manifest(), file_ready_after=0.0)
        stack.callback(workspace.stop)
        store = Store(url)
        store.open()
        stack.callback(store.close)
        settings = read_settings(
            slack_bot_token=workspace.bot_token,
            slack_app_token=workspace.app_token,
            slack_url=workspace.api_url,
            _env_file=None,
        )
        chosen = Chosen()
        bot = SlackBot(settings, agent=chosen, store=store)
        stack.callback(bot.stop, 2.0)
        bot.start()
        yield Office(chosen, bot, bot_parts.Person(workspace, "you"), url)
