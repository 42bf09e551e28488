"""Several connections to Slack: events come over any of them, each once, also when some break."""

from __future__ import annotations

import pytest

from agent.errors import SettingsInvalid
from bot.settings import read_settings


def test_each_question_is_taken_once_whichever_connection_brings_it(start_bot, agent, you):
    bot = start_bot(sockets=3)
    assert open_now(you) == 3
    for number in range(6):
        you.card("data", you.ask("data", f"question {number}"))
    assert sorted(agent.asked) == [f"question {number}" for number in range(6)]
    you.settled()
    you.faults(drop_sockets=True)
    you.eventually(lambda: bot.connected and open_now(you) == 3)
    assert "after all" in you.card("data", you.ask("data", "after all"))["text"]


def open_now(you) -> int:
    return int(you.client.api_call("workspace.deliveries")["connections"])


@pytest.mark.parametrize("number", [0, 11])
def test_more_connections_than_slack_allows_are_refused(number):
    with pytest.raises(SettingsInvalid, match="DB_AGENT_SOCKETS"):
        read_settings(slack_bot_token="xoxb-1", slack_app_token="xapp-1", sockets=number)
