"""How many rows a limit left is not how many there are."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from agent.evidence import Sources, check_evidence
from agent.messages import Column, Evidence, QueryResult

_WHOLE = (
    "SELECT name AS guild, sum(paid) AS dues FROM guild JOIN fee USING (guild_id) "
    "GROUP BY 1 ORDER BY 2 DESC"
)
WHOLE = QueryResult(
    _WHOLE,
    (Column("guild", "text"), Column("dues", "numeric")),
    (
        ("Bakers", Decimal("904.91")),
        ("Coopers", Decimal("776.31")),
        ("Dyers", Decimal("710.04")),
        ("Glaziers", Decimal("616.94")),
        ("Masons", Decimal("554.20")),
    ),
)
CUT = {
    "a limit": replace(WHOLE, sql=f"{_WHOLE} LIMIT 5"),
    "a fetch": replace(WHOLE, sql=f"{_WHOLE} FETCH FIRST 5 ROWS WITH TIES"),
    "a limit within": replace(WHOLE, sql=f"SELECT * FROM ({_WHOLE} LIMIT 5) AS top ORDER BY guild"),
    "a limit in a CTE": replace(WHOLE, sql=f"WITH top AS ({_WHOLE} LIMIT 5) SELECT * FROM top"),
    "the row cap": replace(WHOLE, truncated=True),
}
UNCUT = {
    "no limit": WHOLE,
    "a limit that was not reached": replace(WHOLE, sql=f"{_WHOLE} LIMIT 6"),
    "a limit of what is grouped": replace(
        WHOLE,
        sql="SELECT guild, sum(paid) AS dues FROM (SELECT * FROM fee LIMIT 5) AS f GROUP BY 1",
    ),
}
SAYS_ALL = [
    "Dues by guild, highest first: Bakers ($904.91), Coopers ($776.31); 5 guilds in all.",
    "There are 5 guilds.",
    "There are five guilds altogether; Bakers pay most.",
    "We have 5 guilds in total.",
    "Bakers lead. There are only 5 guilds.",
    "Highest first: Bakers, Coopers; 5 rows in all.",
]
SAYS_WHICH = [
    "The top 5 guilds are Bakers, Coopers, Dyers, Glaziers and Masons.",
    "The 5 highest: Bakers ($904.91), Coopers ($776.31) and more.",
    "Here are 5 guilds: Bakers, Coopers and more.",
    "At least 5 guilds in all.",
    "Together, the top five guilds paid $3,562.40 in total.",
]


def _check(draft: str, *results: QueryResult) -> Evidence:
    return check_evidence(draft, Sources("", results))


def _is_sound(found: Evidence) -> bool:
    return not found.faults and all(figure.source for figure in found.figures)


@pytest.mark.parametrize("cut", CUT)
@pytest.mark.parametrize("draft", SAYS_ALL)
def test_the_rows_that_a_limit_left_are_not_all_there_are(draft, cut):
    assert any("not how many there are" in fault for fault in _check(draft, CUT[cut]).faults)


@pytest.mark.parametrize("whole", UNCUT)
@pytest.mark.parametrize("draft", SAYS_ALL)
def test_rows_that_nothing_cut_may_be_counted(draft, whole):
    assert _is_sound(_check(draft, UNCUT[whole]))


@pytest.mark.parametrize("cut", CUT)
@pytest.mark.parametrize("draft", SAYS_WHICH)
def test_the_rows_that_a_limit_left_may_be_named_and_added(draft, cut):
    assert _is_sound(_check(draft, CUT[cut]))


def test_a_count_of_its_own_bears_it_out():
    counted = QueryResult(
        "SELECT count(*) AS guilds FROM guild", (Column("guilds", "bigint"),), ((5,),)
    )
    assert _is_sound(_check("There are 5 guilds in all.", CUT["a limit"], counted))
