"""No mixture of words trips a rule: whatever a person types ends in an answer or a question."""

from __future__ import annotations

import logging
import random

import pytest

from agent.messages import Outcome

FILES = ("demo", "demo_paraphrased", "demo_third", "demo_fourth", "demo_fifth", "demo_by_others")
SEED = 20_261_130
MIXTURES = 120


def _texts(questions) -> list[str]:
    entries = [entry for name in FILES for entry in questions(name)]
    return [turn["q"] for entry in entries for turn in entry.get("thread", [entry])]


def _mixture(texts: list[str], chance: random.Random) -> str:
    """Return the head of one question, with the tail of another or a few stray words behind it."""
    one, other = chance.choice(texts).split(), chance.choice(texts).split()
    if chance.random() < 0.6:
        return " ".join([*one[: chance.randint(1, 6)], *other[-chance.randint(1, 6) :]])
    words = [*one, *other]
    return " ".join(chance.sample(words, min(len(words), chance.randint(1, 8))))


@pytest.mark.parametrize("part", range(3))
def test_random_mixtures_of_words_end_in_a_turn_without_tripping_a_rule(
    part, demo_agent, ask, questions, caplog
):
    texts, chance = _texts(questions), random.Random(SEED + part)
    for _ in range(MIXTURES // 3):
        asked = _mixture(texts, chance)
        then = _mixture(texts, chance)
        first, second = ask(demo_agent, asked, then)
        assert {first.outcome, second.outcome}.isdisjoint({Outcome.SYSTEM_FAULT}), (asked, then)
        assert first.answer or first.summary, asked
        tripped = [r for r in caplog.records if r.levelno >= logging.ERROR]
        assert not tripped, (asked, then, tripped[0].exc_text)
