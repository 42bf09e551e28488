"""Answers of the corpora as a card shows them to a German: the same figures, in other marks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.evidence import check_evidence
from agent.evidence.text.numerals import is_european
from agent.messages import AgentResult, Outcome
from bot.render.prose import in_notation
from bot.render.reader import Reader

ReadCorpus = Callable[[str], list[Any]]

GERMAN = Reader("de-DE")
EVERY = 12
"""One in so many answers is looked at: each is checked twice."""


def in_german(answer: Any) -> tuple[str, str]:
    """The words as a German reads them, and the note under them."""
    result = AgentResult(
        question="", outcome=Outcome.ANSWERED, failed=False, answer=answer.draft, summary="",
        results=answer.sources.results, charts=(), warnings=(), trail=(), model="", hops=0,
        duration_ms=0, calculations=answer.sources.calculations,
        evidence=check_evidence(answer.draft, answer.sources),
    )  # fmt: skip
    shown, note = in_notation(result, GERMAN)
    return shown.answer, note


def test_honest_words_have_the_same_digits_and_hold_where_their_marks_are_german(
    read_corpus: ReadCorpus,
) -> None:
    """The gate itself reads what the German reads."""
    told, refused = 0, []
    for answer in read_corpus("honest.jsonl")[::EVERY]:
        words, note = in_german(answer)
        assert note == ""
        assert re.findall(r"\d", words) == re.findall(r"\d", answer.draft)
        if words != answer.draft and is_european(words):
            told += 1
            if not check_evidence(words, answer.sources).holds:
                refused.append(words)
    # English with German marks, "1,5 times", is not always what the gate expects.
    assert len(refused) <= max(1, told // 40), refused
    assert told >= 20


def test_a_lie_is_one_with_german_marks_too(read_corpus: ReadCorpus) -> None:
    lies = [(in_german(each)[0], each) for each in read_corpus("lies.jsonl")[::EVERY]]
    told = [(words, lie) for words, lie in lies if words != lie.draft and is_european(words)]
    assert [words for words, lie in told if check_evidence(words, lie.sources).holds] == []
    assert len(told) >= 5
