"""What must be true of a crowd's questions when all is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from load.asking import WORDS, Asked, People
from load.model import Said

SAMPLE = 5
"""How many of those that something is wrong with are named."""


@dataclass
class Findings:
    """What is wrong, in words and with the numbers of questions."""

    wrong: dict[str, list[int]] = field(default_factory=dict)

    def add(self, words: str, numbers: Iterable[int]) -> None:
        found = sorted(numbers)
        if found:
            self.wrong.setdefault(words, []).extend(found)

    def __str__(self) -> str:
        if not self.wrong:
            return "every question was asked of the model once and has one card"
        return "; ".join(
            f"{words}: {len(numbers)} (such as {', '.join(map(str, numbers[:SAMPLE]))})"
            for words, numbers in self.wrong.items()
        )


def look_at_model(people: People, said: Sequence[Said], findings: Findings, first: int = 1) -> None:
    """Was each question put to the model, and once?"""
    times = Counter(number_of(each.question) for each in said)
    asked = range(first, people.asked + 1)
    findings.add("never put to the model", (each for each in asked if not times[each]))
    findings.add("put to the model twice", (each for each in asked if times[each] > 1))


def look_at_cards(people: People, threads: Sequence[Asked], findings: Findings) -> None:
    """Has each question a card with its own words, and only one?"""
    ours = people.fleet.place["bot_user_id"]
    for thread in threads:
        where = {"channel": thread.channel, "thread_ts": thread.ts}
        found = people.lab("messages", **where)["messages"]
        cards = [each["text"] for each in found if each["user"] == ours]
        held = Counter({n: sum(WORDS.format(number=n) in c for c in cards) for n in thread.numbers})
        findings.add("without a card", (each for each in thread.numbers if not held[each]))
        findings.add("with two cards", (each for each in thread.numbers if held[each] > 1))
        if len(cards) > len(thread.numbers):
            findings.add("with another message of the bot's in the thread", thread.numbers[:1])


def look_at_order(people: People, said: Sequence[Said], findings: Findings) -> tuple[int, int]:
    """Was one question of a thread worked on at a time? Count the follow-ups, and the overtakers.

    Events of two messages written within milliseconds may overtake each other on their way, in
    Slack too, so that a question is taken before one that was written before it.
    """
    by_number = {number_of(each.question): each for each in said}
    looked = overtaking = 0
    for thread in people.threads:
        known = [by_number[each] for each in thread.numbers if each in by_number]
        looked += len(thread.numbers) - 1
        overtaking += sum(b.began < a.began for a, b in pairwise(known))
        for before, after in pairwise(sorted(known, key=lambda each: each.began)):
            if after.began < before.ended:
                findings.add(
                    "worked on beside another of their thread", [number_of(after.question)]
                )
    return looked, overtaking


def number_of(question: str) -> int:
    """Return the number in a question's words."""
    return int(question.rstrip("?").rsplit(" ", 1)[1])
