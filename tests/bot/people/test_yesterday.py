"""At half past eleven at night in UTC, yesterday is one day in Tokyo and another in New York."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import psycopg
import pytest

from agent.models.offline import OfflineModel
from agent.run import Agent

LATE = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)


class NoPicture:
    def render(self, spec):
        raise AssertionError("nobody asked for a chart")


@pytest.fixture
def late_bot(start_bot, shop):
    return start_bot(agent=Agent(OfflineModel(), shop, NoPicture(), now=LATE.astimezone))


@pytest.fixture
def yui(newcomer):
    return newcomer("yui", tz="Asia/Tokyo", locale="ja-JP")


@pytest.fixture
def ann(newcomer):
    return newcomer("ann", tz="America/New_York", locale="de-DE")


def total(first, count):
    return sum(1000 + n for n in range(first, first + count))


def test_yesterday_is_that_of_who_asks(late_bot, yui, ann):
    asked = "total amount of sales yesterday"
    in_tokyo = str(yui.card("data", yui.ask("data", asked))["blocks"])
    in_new_york = str(ann.card("data", ann.ask("data", asked))["blocks"])
    assert f"{total(15, 24):,}" in in_tokyo
    assert "sold at 30 Nov 2026, Asia/Tokyo" in in_tokyo
    assert f"{total(5, 24):,}".replace(",", ".") in in_new_york
    assert "sold at 29 Nov 2026, America/New_York" in in_new_york


def test_colleague_elsewhere_follows_up_with_a_yesterday_of_their_own(late_bot, yui, ann):
    thread = yui.ask("data", "total amount of sales yesterday")
    yui.card("data", thread)
    ann.ask("data", "number of sales yesterday", thread)
    _, hers = ann.cards("data", thread, 2)
    assert "sold at 29 Nov 2026, America/New_York" in str(hers["blocks"])


def test_slack_that_tells_nothing_costs_the_answer_nothing(late_bot, yui, shop):
    yui.client.api_call("workspace.changeUser", json={"user": yui.id, "tz": "Mars/Olympus"})
    card = str(yui.card("data", yui.ask("data", "total amount of sales yesterday"))["blocks"])
    assert f"{total(0, 24):,}" in card
    assert "sold at 29 Nov 2026, UTC" in card
    assert shop.fetch("SELECT timestamptz '2026-01-01 00:00+00'").rows[0][0].endswith("+00")


def test_days_of_the_log_begin_where_its_reader_is(bot, newcomer, store_url, yui):
    yui.card("data", yui.ask("data", "How many films?"))
    newest = "select max(created_at) as at from db_agent.runs"
    with psycopg.connect(store_url) as connection:
        (at,) = connection.execute(newest).fetchone()
    zone = ZoneInfo("Pacific/Kiritimati")
    far = newcomer("far", tz="Pacific/Kiritimati")
    far.command("data", "log today")
    told = far.told("data", "How many films?")
    assert f"{at.astimezone(zone):%H:%M}" in str(told["blocks"])
