"""The CSV: all rows up to a cap, and it is seen where it ends."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from agent.messages import Column, QueryResult
from bot.rows_file import file_name
from bot.store import ChannelSettings

TEAM = "T0LOCALDEV"
FIRST = QueryResult(
    sql="select rental_id from rental order by rental_id",
    columns=(Column("rental_id", "int4"),),
    rows=((1,), (2,), (3,)),
    truncated=True,
    notes=("Only the first 3 rows are here; there are more.",),
)
FOUR_TIMES = "select rental_id from rental, generate_series(1, 4)"


@pytest.fixture
def csv_of(start_bot, agent, demo_catalogue, you, file_in):
    """Asks a question that has this result, and clicks CSV."""

    def click(result: QueryResult, **options):
        agent.results = (result,)
        start_bot(options={"catalogue": demo_catalogue, **options})
        ts = you.ask("data", "which rentals?")
        you.click(you.card("data", ts), "csv")
        return file_in(you, "data", ts)

    return click


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Wie viele Kunden aus Köln?", "wie-viele-kunden-aus-koln"),
        ("../../etc/passwd\x00 <!channel>", "etc-passwd-channel"),
        ("売上は？", "rows"),
        ("rentals per month " * 9, "rentals-per-month-rentals-per-month"),
        ("x" * 200, "rows"),
    ],
)
def test_the_name_of_the_file_is_short_and_safe(question, name):
    assert file_name(question) == name


def test_rows_that_the_answer_had_whole_are_the_rows_of_the_file(csv_of):
    file = csv_of(replace(FIRST, truncated=False, notes=()))
    assert file.text.splitlines() == ['"rental_id"', "1", "2", "3"]
    assert file.name == "which-rentals.csv"
    assert file.comment == "3 rows as CSV, all of them."


def test_rows_that_the_answer_had_not_are_read_anew_and_that_is_said(csv_of):
    file = csv_of(FIRST)
    lines = file.text.splitlines()
    assert len(lines) == 1 + 16_423
    assert lines[:3] == ['"rental_id"', "1", "2"]
    assert file.name == "which-rentals.csv"
    assert "16,423 rows as CSV, read anew" in file.comment
    assert f"{datetime.now(UTC):%H:}" in file.comment
    assert "the answer was made of the first 3" in file.comment
    assert file.comment.endswith("These are all.")


def test_a_file_that_ends_early_says_so_in_its_name_and_above_it(csv_of):
    file = csv_of(replace(FIRST, sql=FOUR_TIMES))
    lines = file.text.splitlines()
    assert len(lines) == 1 + 50_000
    assert lines[-1].isdigit(), "no remark among the rows"
    assert file.name == "first-50000-which-rentals.csv"
    assert file.title == "First 50,000 rows"
    assert "*The file ends there*: Only the first 50,000 rows are here" in file.comment


def test_long_cells_are_whole_in_the_file(csv_of):
    long = "select repeat('x', 5000) as words from generate_series(1, 9)"
    rows = (("x" * 2_000,),) * 9
    cut = QueryResult(long, (Column("words", "text"),), rows, True, notes=("9 cells were cut.",))
    assert csv_of(cut).text.splitlines()[1] == f'"{"x" * 5_000}"'


@pytest.mark.parametrize(
    ("sql", "options"),
    [
        ("select rental_id from a_table_that_is_gone", {}),
        ("delete from rental", {}),
        (FIRST.sql, {"catalogue": None}),
    ],
    ids=["no such table", "not a query", "no database"],
)
def test_what_cannot_be_read_anew_is_the_rows_of_the_answer(csv_of, sql, options):
    file = csv_of(replace(FIRST, sql=sql), **options)
    assert file.text.splitlines() == ['"rental_id"', "1", "2", "3"]
    assert file.name == "first-3-which-rentals.csv"
    assert "The first 3 rows as CSV, those that the answer was made of." in file.comment
    assert "*The file ends there*" in file.comment


def test_nothing_is_read_anew_where_nothing_may_be_asked(
    start_bot, agent, demo_catalogue, you, store, file_in
):
    agent.results = (FIRST,)
    first = start_bot(options={"catalogue": demo_catalogue})
    ts = you.ask("data", "which rentals?")
    card = you.card("data", ts)
    first.stop()
    switched_off = ChannelSettings(allowed=False, set_by="U0BOSS")
    store.set_channel(TEAM, you.workspace.channels["data"], switched_off)
    start_bot(options={"catalogue": demo_catalogue})
    you.click(card, "csv")
    assert file_in(you, "data", ts).name == "first-3-which-rentals.csv"


def test_moments_read_anew_are_written_in_the_zone_of_the_answer(csv_of, agent):
    agent.changes = {"time_zone": "Asia/Tokyo"}
    moments = "select timestamptz '2025-01-01 00:00+00' as at, rental_id from rental limit 2"
    file = csv_of(replace(FIRST, sql=moments))
    assert file.text.splitlines()[1].startswith('"2025-01-01 09:00:00+09"')
