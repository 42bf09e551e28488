"""`calculate` works out what cells give, exactly, and lets no figure in that does not come from
them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agent.errors import CalculationRejected, ToolError
from agent.messages import Column, QueryResult, ToolCall
from agent.toolbox import Toolbox, ToolContext
from agent.tools.calculate import Calculate, calculate


def result(columns: str, *rows: tuple[object, ...], sql: str = "", **more: object) -> QueryResult:
    names = columns.split(", ")
    return QueryResult(
        sql or f"SELECT * FROM {names[0]}",
        tuple(Column(name, "numeric") for name in names),
        rows,  # type: ignore[arg-type]
        tables=("payment",),
        **more,  # type: ignore[arg-type]
    )


RESULTS = (
    result(
        "category, revenue, rentals, film_id, Revenue (USD)",
        ("Sports", Decimal("5314.21"), 1179, 7, 3.1),
        ("Drama", Decimal("4587.39"), None, 8, 0.1),
        ("Music", Decimal("3417.72"), 830, 9, 0.2),
    ),
    result("total, since, active", (Decimal("67416.51"), "2024-01-01", True)),
    result("n", (1,), (1,), (0,)),
    result("n", *((n,) for n in range(1000)), truncated=True),
    result("n", sql="SELECT n FROM film WHERE false"),
)


def work_out(expression: str, question: str = "") -> Decimal:
    observation = calculate(Calculate(expression=expression), RESULTS, question)
    assert observation.calculation is not None
    assert observation.calculation.expression == expression
    return observation.calculation.value


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("r1.revenue[1] / sum(r1.revenue) * 100", Decimal("39.90")),
        ("(r1.revenue[1] - r1.revenue[2]) / r1.revenue[2] * 100", Decimal("15.84")),
        ("100 - r1.revenue[1] / r2.total * 100", Decimal("92.12")),
        ("r1.revenue[1] / r2.total[1] - 1", Decimal("-0.92")),
        ("sum(r1.revenue[1:2]) / 1_000", Decimal("9.90")),
        ("avg(r1.rentals)", Decimal("1004.5")),
        ("median(r1.revenue)", Decimal("4587.39")),
        ("max(r1.revenue) - min(r1.revenue)", Decimal("1896.49")),
        ("min(r1.revenue[3], r1.revenue[2])", Decimal("3417.72")),
        ("r2.total / count(r1)", Decimal("22472.17")),
        ("count(r1.rentals) / count(r1) * 100", Decimal("66.67")),
        ("round(r1.revenue[1] / 12, 1)", Decimal("442.90")),
        ("abs(r1.revenue[2] - r1.revenue[1])", Decimal("726.82")),
        ("-r1.revenue[1] + r1.Revenue[2]", Decimal("-726.82")),
        ('r1["Revenue (USD)"][1] + r1["revenue"][1]', Decimal("5317.31")),
        ("r1.revenue_usd[1] * 10", Decimal("31")),
        ("R1.revenue[1] % 1", Decimal("0.21")),
        ("r2.total / (60 * 60)", Decimal("18.73")),
        ("r1.film_id[1] * 0 + r1.revenue[1]", None),
    ],
)
def test_arithmetic_over_cells(expression: str, value: Decimal | None) -> None:
    if value is None:
        with pytest.raises(CalculationRejected, match="identifier"):
            work_out(expression)
        return
    assert round(work_out(expression), 2) == value


def test_no_digit_is_lost() -> None:
    assert work_out('r1["Revenue (USD)"][2] + r1["Revenue (USD)"][3]') == Decimal("0.3")
    third = work_out("r1.revenue[1] / 3")
    assert str(third).startswith("1771.403333333333333333333333333333333333333333")


def test_the_model_reads_the_value_and_what_it_comes_from() -> None:
    expression = "r1.revenue[1] / sum(r1.revenue)"
    assert calculate(Calculate(expression=expression), RESULTS).content.splitlines() == [
        "= 0.398985083323…",
        "r1.revenue[1] = 5314.21",
        "r1.revenue: 3 values",
    ]


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("r9.revenue[1]", "There is no result r9. There is r1 to r5."),
        ("r1.revnue[1]", "There is no column 'revnue' in r1. Its columns are: category, revenue"),
        ("r1.revenue[4]", "There is no row 4 in r1. It has only the rows 1 to 3."),
        ("r1.revenue[0]", "Rows are counted from 1"),
        ("r1.revenue[-1]", "Rows are counted from 1"),
        ("r5.n[1]", "There is no row 1 in r5. It has no rows."),
        ("r1.revenue * 2", "r1.revenue stands for 3 cells. Name one, such as r1.revenue[1]"),
        ("r1.category[1] * 2", "r1.category[1] holds 'Sports', which is no number."),
        ("r2.since * 2", "r2.since[1] holds '2024-01-01', which is no number."),
        ("r2.active * 2", "r2.active[1] holds True, which is no number."),
        ("r1.rentals[2] * 2", "r1.rentals[2] is NULL"),
        ("r1.revenue[1] / r3.n[3]", "It divides by zero."),
        ("r1.revenue[1] % r3.n[3]", "It divides by zero."),
        ("sum(r4.n)", "r4 was cut, so r4.n is not all of its rows. Let a query add up"),
        ("count(r4)", "r4 was cut"),
        ("total(r1.revenue)", "There is no function total. There are sum, avg"),
        ("revenue[1]", "names no cell"),
        ("x1.revenue[1]", "x1 is no query result"),
        ("count(r1.revenue[1] * 2)", "Write count(r1)"),
        ("r1.revenue[1] +", "cannot be read"),
        ("r1.revenue[1] ** 2", "is not allowed"),
        ("r1.revenue[1] // 2", "is not allowed"),
        ("r1.revenue[1] > 2", "is not allowed"),
        ("9**9**9**9", "is not allowed"),
        ("__import__('os').system('id')", "is not allowed"),
        ("r1.revenue.__class__", "names no cell"),
        ("(lambda: r1)()", "is not allowed"),
        ("[r1.revenue[1] for x in r1]", "is not allowed"),
        ("r1.revenue[1] * 1e99", "1e99 is no plain number"),
        ("r1.revenue[1] * True", "True is no plain number"),
        ("round(r1.revenue[1], 400)", "rounds to 0 to 10 decimals"),
        ("round(r1.revenue[1], r3.n[1])", "rounds to 0 to 10 decimals"),
        ("*".join(["sum(r1.revenue)"] * 30), "too large"),
        ("*".join(["sum(r1.revenue)"] * 12), "too large"),
        ("(" * 80 + "r1.revenue[1]" + ")" * 80 + "-" * 80 + "r1.revenue[1]", "nested too deeply"),
        ("(" * 240 + "r1.n[1]" + ")" * 240, "cannot be read"),
        ('r1["rev\\enue"][1]', "cannot be read"),
    ],
)  # fmt: skip
def test_what_cannot_be_worked_out_is_refused_with_what_there_is(
    expression: str, said: str
) -> None:
    with pytest.raises(CalculationRejected) as refused:
        work_out(expression)
    assert isinstance(refused.value, ToolError)
    assert said in str(refused.value)
    assert refused.value.reason in str(refused.value)


LAUNDERED = [
    "42",
    "6 * 7",
    "r1.revenue[1] * 0 + 42",
    "r1.revenue[1] - r1.revenue[1] + 42",
    "r1.revenue[1] - r1.revenue[1]",
    "r1.revenue[1] - r1.REVENUE[1] + 100",
    "r2.total - r2.total[1] + 100",
    "r1.revenue[1] / r1.revenue[1] * 100",
    "r1.revenue[1] / r1.revenue[1] * 30 * 7",
    "abs(r1.revenue[1]) / r1.revenue[1]",
    "r1.revenue[1] * 0 + 100",
    "r1.revenue[1] / 1_000_000_000_000 / 1_000_000 + 100",
    "round(r1.revenue[1] / 1_000_000_000, 0) + 100",
    "round(r1.revenue[1] / 1_000_000, 0) + 100",
    "round(r1.revenue[1] / 1_000_000 + 1, 1) * 365",
    "100 % r1.revenue[1]",
    "r1.revenue[1] * 42 / 100",
    "r3.n[1] * 6 * 7 * 2",
    "r3.n[1] * 2 * 3 * 7",
    "r3.n[1] + 5",
    "r3.n[1] * (12 + 30)",
    "r3.n[1] * (1 + 1 + 1 + 1 + 1 + 1 + 1)",
    "+".join(["r3.n[1]"] * 42),
    "min(r1.revenue[1], 42)",
    "max(r3.n[1], 365)",
    "sum(r3.n[1], 30, 12)",
    "avg(30, 60) * r3.n[1]",
    "count(r1) / count(r1) * 100",
    "r3.n[1] * 0.42",
    "min(r1.revenue) - min(r1.revenue) + 100",
    "(r1.revenue[1] + 1) * 0 + 1",
    "r1.film_id[1] * 6",
    "sum(r1.film_id)",
]


@pytest.mark.parametrize("expression", LAUNDERED)
def test_no_figure_is_brought_in_through_an_expression(expression: str) -> None:
    with pytest.raises(CalculationRejected):
        work_out(expression)


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("SELECT 42 AS n", ()),
        ("SELECT 42 AS n FROM film LIMIT 1", ("film",)),
        ("SELECT 40 + 2 AS n FROM film LIMIT 1", ("film",)),
        ("SELECT v AS n FROM (VALUES (42)) AS t(v)", ()),
    ],
)
def test_a_number_that_stands_in_the_query_is_no_cell(sql: str, tables: tuple[str, ...]) -> None:
    written = QueryResult(sql, (Column("n", "integer"),), ((42,),), tables=tables)
    with pytest.raises(CalculationRejected, match="comes from no table"):
        calculate(Calculate(expression="r1.n[1] * 100"), [written])


def test_the_same_query_run_twice_gives_no_second_cell() -> None:
    twice = [result("n", (8,), sql="SELECT count(*) AS n FROM film")] * 2
    with pytest.raises(CalculationRejected, match="whatever the cells hold"):
        calculate(Calculate(expression="r1.n[1] - r2.n[1] + 100"), twice)


def test_two_years_of_equal_revenue_have_grown_by_nothing() -> None:
    years = [result("n", (8,), sql=f"SELECT sum(n) AS n FROM y{year}") for year in (1, 2)]
    observation = calculate(Calculate(expression="(r2.n - r1.n) / r1.n * 100"), years)
    assert observation.content.startswith("= 0\n")


@pytest.mark.parametrize(
    ("expression", "question", "value"),
    [
        ("r2.total * 1.15", "What if revenue rose by 15%?", Decimal("77528.99")),
        ("r2.total * (1 - 0.2)", "and with 20 % less?", Decimal("53933.21")),
        ("r2.total - 50000", "How far are we from the target of $50k?", Decimal("17416.51")),
        ("r2.total - 50_000", "Is it above 50,000 USD?", Decimal("17416.51")),
        ("r2.total / 37", "per head, with 37 people", Decimal("1822.07")),
        ("r2.total * 2.5", "at 2.5 times the price", Decimal("168541.28")),
    ],
)
def test_a_number_of_the_question_may_be_used(
    expression: str, question: str, value: Decimal
) -> None:
    assert round(work_out(expression, question), 2) == value
    with pytest.raises(CalculationRejected, match="comes from nowhere"):
        work_out(expression, "How much is it?")


def test_a_number_of_the_question_is_no_figure_by_itself() -> None:
    with pytest.raises(CalculationRejected):
        work_out("r2.total * 0 + 50000", "Is it above 50000?")


def test_a_very_long_expression_is_no_argument() -> None:
    with pytest.raises(ValidationError):
        Calculate(expression="r1.n[1] + " * 60 + "r1.n[1]")


@given(st.text(alphabet="r123.n[](),+-*/%:\"' 0_abcsum", max_size=60))
def test_whatever_a_model_writes_gives_a_value_or_a_refusal(expression: str) -> None:
    try:
        value = work_out(expression) if expression else None
    except (CalculationRejected, AssertionError):
        return
    assert value is None or value.is_finite()


def test_the_tool_stands_in_the_box_with_its_description(database, renderer) -> None:
    toolbox = Toolbox(database, renderer)
    (spec,) = [each for each in toolbox.specs if each.name == "calculate"]
    assert spec.description.count("Examples: r1.") == 1
    rows = database.fetch("SELECT rating, count(*) AS n FROM film GROUP BY rating ORDER BY n DESC")
    call = ToolCall("1", "calculate", {"expression": "r1.n[1] / sum(r1.n) * 100"})
    observation = toolbox.run(call, ["calculate"], ToolContext((rows,)))
    assert observation.calculation is not None
    assert 20 < observation.calculation.value < 50
