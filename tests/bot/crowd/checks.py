"""What has to be true when the crowd has gone, whatever went wrong meanwhile."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg

from .answering import SAYS
from .deeds import Kind, Then
from .office import Outcome
from .playing import Asked

Message = dict[str, Any]
Run = tuple[str, str | None, str]
"""How the newest run of a question ended, at which card, and the story of all."""
MOST_LOST = 0.0005
_WORKING = ("Working on it", "⏳")
_NOT_FOR_PEOPLE = re.compile(r"Traceback|Exception|Error\b|psycopg|slack_sdk|<!DOCTYPE")
_RUNS = """
select distinct on (channel_id, message_ts) channel_id, message_ts, status, card_ts,
       string_agg(concat_ws(' ', status, card_ts, summary), '; ') over (
           partition by channel_id, message_ts)
from db_agent.runs order by channel_id, message_ts, revision desc
"""


@dataclass
class Findings:
    """What is wrong, and what was not to be had."""

    wrong: list[str] = field(default_factory=list)
    fates: Counter[str] = field(default_factory=Counter)

    def check(self, outcome: Outcome, store_url: str) -> None:
        """Look at everything once."""
        threads = _by_thread(outcome)
        runs = _runs(store_url)
        roots = _roots_of_commands(outcome)
        for asked in outcome.asked:
            self._question(asked, outcome, threads, runs, roots)
        self.wrong += _too_many(outcome, threads, roots)
        self.wrong += _whole(outcome)

    def _question(
        self,
        asked: Asked,
        outcome: Outcome,
        threads: Mapping[tuple[str, str], Sequence[Message]],
        runs: Mapping[tuple[str, str], Run],
        roots: Mapping[str, Sequence[str]],
    ) -> None:
        deed = asked.deed
        name = f"q{deed.number} ({deed.kind}{', ' + deed.then if deed.then else ''})"
        if deed.kind is Kind.WHISPER:
            self._whisper(asked, outcome, name)
            return
        places = [asked.ts] if asked.ts else roots.get(deed.words, [])
        if not places:
            self._fate(name, f"command: no post, and {_told_privately(outcome, asked)}")
        elif len(places) > asked.times:
            self.wrong.append(f"{name}: {len(places)} posts for {asked.times} commands")
        for ts in places:
            thread = threads.get((asked.channel, asked.thread_ts or ts), [])
            self._answer(name, asked, ts, thread, runs)

    def _answer(
        self,
        name: str,
        asked: Asked,
        ts: str,
        thread: Sequence[Message],
        runs: Mapping[tuple[str, str], Run],
    ) -> None:
        deed = asked.deed
        answers = [each for each in thread if f"{SAYS} {deed.last_words}" in each["text"]]
        status, card_ts, story = runs.get((asked.channel, ts), ("no run", None, ""))
        if deed.then is Then.DELETE:
            self._fate(name, "deleted")
        elif len(answers) == 1 and status == "finished" and card_ts == answers[0]["ts"]:
            self._fate(name, "answered once")
        elif not answers and status == "turned_away" and card_ts:
            shown = next((each["text"] for each in thread if each["ts"] == card_ts), "")
            self._fate(name, f"told: {shown[:60]}" if shown else "told nothing")
        else:
            cards = [each["ts"] for each in answers]
            self.wrong.append(f"{name}: {len(answers)} answers {cards}; runs: {story}")
        stale = [each for each in thread if f"{SAYS} {deed.words}" in each["text"]]
        if deed.then is Then.EDIT and stale:
            self.wrong.append(f"{name}: the answer to its first wording still stands")

    def _whisper(self, asked: Asked, outcome: Outcome, name: str) -> None:
        """Slack takes an answer in private at an address, once or not at all: nobody can look."""
        seen = [
            each
            for each in outcome.messages
            if each["only_for"] and f"{SAYS} {asked.deed.words}" in each["text"]
        ]
        if 1 <= len(seen) <= asked.times:
            self._fate(name, "answered once")
        elif asked.times == 0:
            self._fate(name, "a command that Slack said nobody heard")
        else:
            self._fate(name, f"in private: {'seen twice' if seen else 'never seen'}")

    def _fate(self, name: str, fate: str) -> None:
        self.fates[fate] += 1
        if fate.startswith(("told nothing", "told: Something broke")):
            self.wrong.append(f"{name}: {fate}")


def _by_thread(outcome: Outcome) -> Mapping[tuple[str, str], list[Message]]:
    threads: dict[tuple[str, str], list[Message]] = defaultdict(list)
    for each in outcome.messages:
        if each.get("user") == outcome.bot_user and not each["only_for"]:
            threads[each["channel"], each.get("thread_ts") or each["ts"]].append(each)
    return threads


def _roots_of_commands(outcome: Outcome) -> Mapping[str, list[str]]:
    """The messages of the bot's that repeat a command's question, by the question."""
    roots: dict[str, list[str]] = defaultdict(list)
    for each in outcome.messages:
        repeated = re.match(r"<@\w+> asked: (.*)", each["text"])
        if repeated and each.get("user") == outcome.bot_user:
            roots[repeated[1]].append(each["ts"])
    return roots


def _told_privately(outcome: Outcome, asked: Asked) -> str:
    told = [
        each["text"]
        for each in outcome.messages
        if each["only_for"] and each["channel"] == asked.channel and "could not" in each["text"]
    ]
    return "told so" if told else "told nothing"


def _runs(store_url: str) -> Mapping[tuple[str, str], Run]:
    with psycopg.connect(store_url) as connection:
        rows = connection.execute(_RUNS).fetchall()
    return {(row[0], row[1]): (row[2], row[3], row[4]) for row in rows}


def _too_many(
    outcome: Outcome,
    threads: Mapping[tuple[str, str], Sequence[Message]],
    roots: Mapping[str, Sequence[str]],
) -> Iterator[str]:
    """Threads in which more stands than one message for each question."""
    due = Counter((asked.channel, asked.thread_ts) for asked in outcome.asked if asked.ts)
    repeated = {root for each in roots.values() for root in each}
    deleted = [asked for asked in outcome.asked if asked.deed.then is Then.DELETE]
    orphans = [root for place, root in threads if not due[place, root] and root not in repeated]
    if len(orphans) > len(deleted):  # their questions were deleted before they came
        yield f"{len(orphans)} messages in no thread, and {len(deleted)} questions were deleted"
    for (channel, root), messages in threads.items():
        if root in orphans:
            continue
        most = 2 if root in repeated else due[channel, root]
        if len(messages) > most:
            texts = [each["text"][:40] for each in messages]
            yield f"{len(messages)} messages where {most} are due: {channel} {root} {texts}"


def _whole(outcome: Outcome) -> Iterator[str]:
    """What is wrong with the whole."""
    for each in outcome.messages:
        if each.get("user") != outcome.bot_user:
            continue
        if each["text"].startswith(_WORKING) or each.get("streaming_state") == "in_progress":
            yield f"a card still stands at work: {each['channel']} {each['ts']} {each['text'][:80]}"
        if _NOT_FOR_PEOPLE.search(str([each["text"], each.get("blocks")])):
            yield f"no words for people: {each['text'][:200]}"
    if outcome.envelopes["open"]:
        yield f"{outcome.envelopes['open']} envelopes are open"
    # One whose four tries all met a fault is given up; the answer to its question is looked for.
    if outcome.envelopes["lost"] > outcome.envelopes["sent"] * MOST_LOST:
        yield f"{outcome.envelopes['lost']} envelopes are lost"
    yield from (f"a thread is left: {name}" for name in outcome.threads_left)
    yield from (f"somebody could not go on: {each}" for each in outcome.people_failed)
    yield from (f"a traceback in the log: {each}" for each in outcome.log.tracebacks)
