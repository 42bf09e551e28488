"""The CSV: every value as it is, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from decimal import Decimal

import pytest

from agent.messages import Column, QueryResult
from bot.render import render_csv


def _lines(*values: object, type_name: str = "text", name: str = "v") -> list[str]:
    result = QueryResult("S", (Column(name, type_name),), tuple((value,) for value in values))
    return render_csv(result).decode("utf-8-sig").split("\r\n")[:-1]


def test_it_is_utf_8_with_a_byte_order_mark():
    result = QueryResult("S", (Column("naïve", "text"),), (("日本",),))
    assert render_csv(result) == b"\xef\xbb\xbf" + '"naïve"\r\n"日本"\r\n'.encode()


@pytest.mark.parametrize(
    "start",
    [
        "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "﹦", "﹣", "−",
        " =", "  @", "\u00a0+", "\u3000-", "\ufeff=", "\u200b\u202e=", "\x00=", " \t=", "\t ",
    ],
)  # fmt: skip
def test_text_that_a_spreadsheet_would_run_is_quoted_out(start):
    assert (
        render_csv(QueryResult("S", (Column(f"{start}h", "text"),), ((f"{start}1+1",),))).decode(
            "utf-8-sig"
        )
        == f'"\'{start}h"\r\n"\'{start}1+1"\r\n'
    )


def test_negative_numbers_of_number_columns_stay_numbers():
    assert _lines(-5, Decimal("-12.50"), -0.25, type_name="numeric")[1:] == [
        "-5",
        "-12.50",
        "-0.25",
    ]
    assert _lines("-$1,234.50", type_name="money")[1:] == ['"-$1,234.50"']


def test_text_that_only_looks_like_a_negative_number_is_text():
    assert _lines("-5")[1:] == ['"\'-5"']
    assert _lines("-2+cmd|' /C calc'!A0", type_name="money")[1:] == ["\"'-2+cmd|' /C calc'!A0\""]


@pytest.mark.parametrize(
    "harmless",
    ["a=b", "a-b", "5+5", "(=)", "'=1", "#N/A", "x@y.z", "1;=2", "– none", "½", "\u200bx"],
)
def test_text_that_no_spreadsheet_runs_stays_as_it_is(harmless):
    assert _lines(harmless)[1:] == [f'"{harmless}"']


def test_what_a_value_holds_inside_stays_in_its_field():
    hostile = ('a"\r\n=1+1,"', "x\n=cmd", ';=1;"=2"', "a\t=1")
    result = QueryResult("S", (Column("v", "text"),), tuple((each,) for each in hostile))
    read = list(csv.reader(io.StringIO(render_csv(result).decode("utf-8-sig"), newline="")))
    assert read == [["v"], *([each] for each in hostile)]


def test_null_and_the_empty_text_differ_as_in_postgresql():
    assert _lines(None, "")[1:] == ["", '""']


def test_figures_keep_every_digit():
    values = (Decimal("4.2006673312979002"), 12345678901234567890, Decimal("1E+3"), True)
    assert _lines(*values)[1:] == ["4.2006673312979002", "12345678901234567890", "1000", "true"]


def test_what_a_csv_reader_reads_is_what_the_rows_held():
    rows = (('say "hi", now', "two\nlines"), ("a,b", "ü"))
    result = QueryResult("S", (Column("x", "text"), Column("y", "text")), rows)
    read = list(csv.reader(io.StringIO(render_csv(result).decode("utf-8-sig"), newline="")))
    assert read == [["x", "y"], *map(list, rows)]
