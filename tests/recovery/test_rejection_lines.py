"""Each line with which the guard refuses a query leads the offline model to the right rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from agent.database import guard
from agent.database.catalog import Catalog
from agent.database.guard import GuardPolicy
from agent.database.session import AnalyticsDatabase
from agent.errors import SqlRejected
from agent.models.offline.rejected import amended

GUARD = Path(guard.__file__).parent


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
    text = "".join(path.read_text(encoding="utf-8") for path in GUARD.glob("*.py"))
    codes = set(re.findall(r'(?:SqlRejected\(|": \()\s*"([a-z_]+)"', text))
    tested = {each.code for each in (*rejections.FOLLOWED, *rejections.AFRESH)}
    assert {"size", "row_lock", "write_in_cte"} < codes
    assert tested | rejections.OUT_OF_REACH == codes


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


def test_own_function_of_the_name_is_passed_by_with_the_schema_of_the_built_in(
    rejections: Any, recover: Callable[[Any], Any], demo_admin_url: str
) -> None:
    unspoiled = SimpleNamespace(
        question=rejections.RATED_R,
        truth=rejections.RATED_R_TRUTH,
        spoils=None,
        world=None,
        says="",
    )
    with psycopg.connect(demo_admin_url, autocommit=True) as owner:
        owner.execute("CREATE FUNCTION count(integer) RETURNS integer LANGUAGE sql RETURN 1")
        try:
            recovery = recover(unspoiled)
        finally:
            owner.execute("DROP FUNCTION count(integer)")
    first, second = queries(recovery)
    assert recovery.right, recovery
    assert "pg_catalog.count(*)" in second
    assert second.replace("pg_catalog.", "") == first
