"""Values that stand against each other: of two messages, or in one."""

from __future__ import annotations

from collections.abc import Sequence

from agent.models.offline.draft import ValueCond
from agent.models.offline.frame import Spot, Test, Unclear
from agent.models.offline.ways import plain


def latest(tests: list[tuple[ValueCond, Test]]) -> list[tuple[ValueCond, Test]]:
    """Drop values that a later message of the thread put others in the place of."""
    for turn in sorted({cond.turn for cond, _ in tests} - {0}):
        new = [(cond, test) for cond, test in tests if cond.turn == turn and not cond.negated]
        spots = {test.spot for _, test in new}
        old = [(cond, test) for cond, test in tests if cond.turn < turn and not cond.negated]
        gone = [pair for pair in old if pair[1].spot in spots]
        if not gone and any(cond.swaps for cond, _ in new):
            gone = old
        tests = [pair for pair in tests if pair not in gone]
    return tests


def refuse_contradiction(tests: Sequence[Test]) -> None:
    """Raise `Unclear` where one column of one row would have to hold two values."""
    seen: dict[Spot, tuple[str, ...]] = {}
    for test in tests:
        single = all(step.up for step in test.spot.path)
        if test.op != "=" or test.negated or not single:
            continue
        known = seen.setdefault(test.spot, test.values)
        if known != test.values:
            values = " and ".join((*known, *test.values))
            raise Unclear(f"{plain(test.spot.column).capitalize()} cannot be {values} at once.")
