"""The evidence check against many honest answers and many lies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from agent.evidence import check_evidence

ReadCorpus = Callable[[str], list[Any]]

HONEST_REFUSED = 3
"""Honest answers that may be refused."""
LEAST_LIES = 200
LEAST_OF_A_KIND = 12


def test_every_lie_is_caught(read_corpus: ReadCorpus) -> None:
    lies = read_corpus("lies.jsonl")
    told = Counter(lie.kind for lie in lies)
    passed = [
        f"{lie.kind} on {', '.join(lie.on)}: {lie.draft}"
        for lie in lies
        if check_evidence(lie.draft, lie.sources).holds
    ]

    print(f"\n{len(lies) - len(passed)} of {len(lies)} lies are caught: {dict(told)}")
    assert passed == []
    assert len(lies) >= LEAST_LIES
    assert min(told.values()) >= LEAST_OF_A_KIND


def test_honest_answers_pass(read_corpus: ReadCorpus) -> None:
    answers = read_corpus("honest.jsonl")
    refused = []
    for answer in answers:
        evidence = check_evidence(answer.draft, answer.sources)
        if not evidence.holds:
            why = f"{evidence.untraced} {evidence.faults}"
            refused.append(f"on {', '.join(answer.on)}: {answer.draft!r}: {why}")

    print(f"\n{len(answers) - len(refused)} of {len(answers)} honest answers pass")
    assert len(refused) <= HONEST_REFUSED, "\n".join(refused)


def test_a_source_that_rests_on_a_result_begins_with_its_name(read_corpus: ReadCorpus) -> None:
    for answer in read_corpus("honest.jsonl"):
        names = tuple(f"result {n}" for n, _ in enumerate(answer.sources.results, 1))
        for figure in check_evidence(answer.draft, answer.sources).figures:
            if figure.source.startswith("result"):
                assert figure.source.startswith(names)
