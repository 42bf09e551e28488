"""Each line with which the guard refuses a query leads the offline model to the right rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from agent.database import guard
from agent.database.guard import GuardPolicy
from agent.database.guard.rejection import REJECTION_CODES
from agent.database.session import AnalyticsDatabase
from agent.database.tables.catalog import Catalog
from agent.errors import SqlRejected
from agent.models.offline.rejected import amended


@pytest.fixture(scope="module")
def policy(demo_database_url: str) -> Iterator[GuardPolicy]:
    database = AnalyticsDatabase(demo_database_url)
    yield Catalog(database).policy()
    database.pool.close()


def refusal(sql: str, policy: GuardPolicy) -> SqlRejected:
    with pytest.raises(SqlRejected) as caught:
        guard.check(sql, policy)
    return caught.value


def words(sql: str) -> list[str]:
    return sql.split()


def queries(recovery: Any) -> list[str]:
    return [s.subject for s in recovery.steps if s.tool == "execute_read_only_sql"]


def test_each_code_of_the_guard_has_a_case(rejections: Any) -> None:
    tested = {each.code for each in (*rejections.FOLLOWED, *rejections.AFRESH)}
    assert {*tested, *rejections.OUT_OF_REACH, "too_costly"} == set(REJECTION_CODES)


def test_model_puts_the_refused_query_right_as_the_line_says(
    rejections: Any, recover: Callable[[Any], Any], policy: GuardPolicy
) -> None:
    for case in rejections.FOLLOWED:
        recovery = recover(case)
        _, sent = queries(recovery)
        assert refusal(case.spoils(recovery.honest[0]), policy).code == case.code
        assert recovery.right, f"{case.code}: {recovery}\n{sent}"
        # A query written afresh would not bear the mark of the refused one.
        assert words(sent) == words(case.cure(rejections.marked(recovery.honest[0]))), case.code


def test_line_without_its_cure_is_not_followed(
    rejections: Any, recover: Callable[[Any], Any], policy: GuardPolicy
) -> None:
    """The model follows the words, not the code: so a line that loses its cure turns this red."""
    honest = {q: recover(rejections.Rejection("", q, str)).honest[0] for q in rejections.TRUTHS}
    for case in rejections.FOLLOWED:
        spoiled = case.spoils(honest[case.question])
        rejected = refusal(spoiled, policy)
        followed = amended(spoiled, str(rejected))
        assert followed is not None, case.code
        assert guard.check(followed, policy).text == followed
        assert amended(spoiled, f"Refused ({rejected.code}): {rejected.reason}") is None, case.code


def test_model_writes_afresh_what_no_line_can_put_right(
    rejections: Any, recover: Callable[[Any], Any], policy: GuardPolicy
) -> None:
    for case in rejections.AFRESH:
        recovery = recover(case)
        _, sent = queries(recovery)
        assert refusal(case.spoils(recovery.honest[0]), policy).code == case.code
        assert recovery.right, f"{case.code}: {recovery}\n{sent}"
        assert sent == recovery.honest[0], case.code


OWN = {
    "function": (
        "CREATE FUNCTION count(integer) RETURNS integer LANGUAGE sql RETURN 1",
        "DROP FUNCTION count(integer)",
        ("count(*)", "pg_catalog.count(*)"),
    ),
    "operator": (
        "CREATE FUNCTION same(text, integer) RETURNS boolean LANGUAGE sql RETURN true;"
        "CREATE OPERATOR = (LEFTARG = text, RIGHTARG = integer, FUNCTION = same)",
        "DROP OPERATOR = (text, integer); DROP FUNCTION same(text, integer)",
        (" = 'R'", " OPERATOR(pg_catalog.=) 'R'"),
    ),
}


@pytest.mark.parametrize(("make", "drop", "change"), OWN.values(), ids=OWN.keys())
def test_what_the_database_has_redefined_is_passed_by_with_the_schema_of_the_built_in(
    rejections: Any,
    recover: Callable[[Any], Any],
    demo_admin_url: str,
    make: str,
    drop: str,
    change: tuple[str, str],
) -> None:
    question = rejections.RATED_R
    truth = rejections.TRUTHS[question].replace(*change)  # it goes past what is redefined, too
    honest = SimpleNamespace(question=question, truth=truth, spoils=None, world=None, says="")
    with psycopg.connect(demo_admin_url, autocommit=True) as owner:
        owner.execute(make.encode())
        try:
            recovery = recover(honest)
        finally:
            owner.execute(drop.encode())
    first, second = queries(recovery)
    assert recovery.right, recovery
    assert second == first.replace(*change)


def test_query_that_would_cost_too_much_is_made_smaller(recover: Callable[[Any], Any]) -> None:
    """The order is only for looks: without it the same rows cost less."""
    recovery = recover(
        SimpleNamespace(
            question="list all customers",
            truth="SELECT customer_id FROM customer",
            spoils=None,
            world=None,
            says="",
            max_cost=25,
        )
    )
    first, second = queries(recovery)
    assert recovery.right, recovery
    assert "expects this query to cost" in recovery.failed_steps[0].error
    assert first.partition("\nORDER BY")[0] == second
