"""Checkpoints: equal values after jsonb, each row once, no growth, and no guess at what is odd."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.checkpoint import Recorded
from agent.checkpoint.plain import from_plain, to_plain
from agent.errors import CheckpointUnreadable
from agent.messages import Cell, Column, Outcome, QueryResult, Severity, Verdict
from agent.testing import ScriptedJudge, call, text

from .processes import COUNT, LOOK, Desk, Kept, OnlyNext

ANSWER = text("There are 1,000 films.")
TURNS = [LOOK, COUNT, ANSWER]

CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.decimals(),
    st.text(st.characters(), max_size=8),
    st.sampled_from([1e20, 1e-7, -0.0, 5.0, Decimal("5.0"), Decimal("sNaN"), "\x00", "\ud800"]),
    st.sampled_from(["2026-07-31 23:59:59+09", "1 mon 02:00:00", "\\xdeadbeef", "{1,NULL,3}"]),
)


@settings(max_examples=60, derandomize=True)
@given(rows=st.lists(st.tuples(CELLS, CELLS), max_size=6))
def test_cells_come_back_as_they_were(
    rows: list[tuple[Cell, ...]], through_jsonb: Callable[[Any], Any]
) -> None:
    result = QueryResult("SELECT", (Column("a", "numeric"),), tuple(rows), duration_ms=1e-9)
    back = from_plain(QueryResult, through_jsonb(to_plain(result)))
    assert repr(back) == repr(result)  # 5 == 5.0 and NaN is no equal: what is written tells
    assert [list(map(type, row)) for row in back.rows] == [list(map(type, row)) for row in rows]


def test_each_row_is_written_once_whatever_becomes_of_its_result(desk: Desk) -> None:
    query = call("execute_read_only_sql", query="SELECT 'Pluto' || 'nium' AS metal, 1 AS one")
    other = call("execute_read_only_sql", query="SELECT 'Alu' || 'minium' AS metal, 2 AS two")
    refused = Verdict(False, "Wrong metal.", Severity.MAJOR)
    desk.judge = ScriptedJudge({"It is Plutonium.": refused})
    turns = [LOOK, query, text("It is Plutonium."), other, text("It is Aluminium.")]
    result, kept = desk.whole(turns)
    assert (len(result.results), len(result.set_aside)) == (1, 1)
    for metal in ("Plutonium", "Aluminium"):
        written = [
            json.dumps(each.checkpoint["added"].get("fetched", "")).count(metal)
            for each in kept.rows
        ]
        assert sum(written) == 1


def test_a_checkpoint_does_not_grow_with_the_run(desk: Desk) -> None:
    queries = [
        call(
            "execute_read_only_sql", query=f"SELECT count(*) AS films FROM film WHERE length > {n}"
        )
        for n in range(100, 107)
    ]
    _, kept = desk.whole([LOOK, *queries, text("Some.")])
    sizes = [len(json.dumps(each.checkpoint)) for each in kept.rows]
    first, last = sizes[3:6], sizes[21:24]  # the first query, and the last one
    assert kept.rows[21].transition is not None
    assert kept.rows[21].transition.source == kept.rows[3].transition.source  # type: ignore[union-attr]
    assert all(late <= early + 40 for early, late in zip(first, last, strict=True))


def unreadable(desk: Desk, recorded: list[Recorded]) -> str:
    model = OnlyNext(*TURNS)
    desk.fetched.clear()
    with pytest.raises(CheckpointUnreadable) as caught:
        desk.agent(model).run("?", resume=recorded)
    assert (model.heard, desk.fetched) == ([], [])
    return str(caught.value)


def test_another_format_is_not_guessed_at(desk: Desk) -> None:
    _, kept = desk.whole(TURNS)
    newer = [replace(each, checkpoint={**each.checkpoint, "format": 2}) for each in kept.rows[:4]]
    assert "format 1" in unreadable(desk, newer)
    assert "format 1" in unreadable(desk, [*kept.rows[:3], newer[3]])


def test_a_field_of_a_newer_version_is_not_passed_by(desk: Desk) -> None:
    _, kept = desk.whole(TURNS)
    changed = copy.deepcopy(kept.rows[:4])
    changed[1].checkpoint["set"]["state"]["patience"] = 3
    assert "checkpoint 2 is damaged" in unreadable(desk, changed)
    changed = copy.deepcopy(kept.rows[:4])
    changed[2].checkpoint["set"]["patience"] = 3
    assert "checkpoint 3 is damaged" in unreadable(desk, changed)


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_a_gap_is_seen(desk: Desk, lost: int) -> None:
    _, kept = desk.whole(TURNS)
    rest = kept.rows[:4]
    del rest[lost]
    assert "missing" in unreadable(desk, rest)


def test_checkpoints_that_were_emptied_are_no_run(desk: Desk) -> None:
    _, kept = desk.whole(TURNS)
    unreadable(desk, [replace(each, checkpoint={}) for each in kept.rows])
    unreadable(desk, [Recorded(None, kept.rows[0].checkpoint)])
    unreadable(desk, [*kept.rows[:3], replace(kept.rows[3], checkpoint=None)])  # type: ignore[arg-type]


def test_damage_is_told_from_a_run_or_does_not_matter(desk: Desk) -> None:
    """Whatever happens to what was kept: it is refused, or the run comes to an end."""
    _, kept = desk.whole(TURNS)
    dice, refused = random.Random(7), 0
    for _ in range(150):
        rows = copy.deepcopy(kept.rows[: dice.randint(1, len(kept.rows))])
        _damage(dice, dice.choice(rows).checkpoint)
        try:
            desk.agent(OnlyNext(*TURNS)).run("?", resume=rows)
        except CheckpointUnreadable:
            refused += 1
    assert refused > 75


def _damage(dice: random.Random, value: Any) -> None:
    """Change something somewhere in a value of JSON."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = dice.choice(keys)
        inner = value[key]
        if isinstance(inner, dict | list) and inner and dice.random() < 0.8:
            value = inner
            continue
        value[key] = dice.choice([None, -1, 99, "x", [], {}, [[]], {"at": 99}, {"decimal": "x"}])
        return


def test_a_turn_that_cannot_be_written_costs_no_answer(desk: Desk) -> None:
    odd = replace(LOOK, provider_content=({"type": object()},))
    kept = Kept(desk.through)
    result = desk.agent(OnlyNext(odd, COUNT, ANSWER)).run("?", trail=kept)
    assert result.outcome is Outcome.ANSWERED
    assert len(kept.rows) == len(result.trail)
    unreadable(desk, kept.rows[:3])


def test_a_trail_that_keeps_nothing_is_told_all_the_same(desk: Desk) -> None:
    from agent.protocols import Trail

    class Ear(Trail):
        def __init__(self) -> None:
            self.heard = 0

        def record(self, transition: Any) -> None:
            self.heard += 1

    ear = Ear()
    result = desk.agent(OnlyNext(*TURNS)).run("?", trail=ear)
    assert ear.heard == len(result.trail) == 8
