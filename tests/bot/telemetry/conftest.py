"""A bot with a port for operators, and what Prometheus reads there."""

from __future__ import annotations

import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from agent.charts.renderer import ProcessRenderer
from agent.database.postgres import PostgresDatabase
from agent.run import Agent
from agent.testing import call, text
from bot.http.port import Port
from bot.http.service import HttpService
from bot.settings import read_settings

TURNS = (
    call("get_schema", table_name="payment"),
    call("execute_read_only_sql", query="SELECT nonsense FROM payment"),
    call("execute_read_only_sql", query="SELECT staff_id, 'hush' AS x, sum(amount) AS revenue"
         " FROM payment GROUP BY 1 ORDER BY 1"),
    call(
        "generate_chart",
        spec={
            "result": 1,
            "title": "Revenue by staff",
            "mark": "bar",
            "encoding": {"x": {"field": "staff_id"}, "y": {"field": "revenue"}},
        },
    ),
    text("Here is the chart."),
)  # fmt: skip


@pytest.fixture
def real(demo_database_url):
    """Makes the real agent over the demo database, with a model that plays from a script."""
    database, renderer = PostgresDatabase(demo_database_url), ProcessRenderer()
    yield lambda model: Agent(model, database, renderer)
    renderer.close()
    database.close()


@pytest.fixture
def port():
    """Opens a port for operators over a bot."""
    opened = []

    def open_one(bot):
        settings = read_settings(slack_bot_token="xoxb-1", slack_app_token="xapp-1")
        opened.append(HttpService(settings, Port("127.0.0.1", 0), for_operators_alone=True))
        opened[-1].start()
        opened[-1].serve(bot)
        return opened[-1]

    yield open_one
    for each in opened:
        each.stop()


class Measured:
    """The measures of a bot, as they are read over HTTP."""

    def __init__(self, url):
        self._url = url

    def text(self):
        with urllib.request.urlopen(f"{self._url}/metrics", timeout=10) as reply:
            assert reply.headers["Content-Type"].startswith("text/plain; version=0.0.4")
            return reply.read().decode()

    def families(self):
        return {each.name: each for each in text_string_to_metric_families(self.text())}

    def samples(self):
        return [sample for family in self.families().values() for sample in family.samples]

    def value(self, name, **labels):
        """The sum of the samples of that name that have these labels."""
        return sum(
            each.value
            for each in self.samples()
            if each.name == f"db_agent_{name}" and labels.items() <= each.labels.items()
        )


@pytest.fixture
def measured(port):
    return lambda bot: Measured(port(bot).url)
