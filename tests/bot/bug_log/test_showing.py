"""What other bots got wrong in what they showed: refused, blank, cut without a word.

The numbers are the rows of the list of such reports that this bot is measured by.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.webhook import WebhookClient

from agent.messages import Column, QueryResult

MOST_BLOCK_TEXT = 13_000
"""Slack refuses more text in the blocks of one message, by a limit that no page of it names."""
LIVE = re.compile(r"<[!@#]")


def types(card):
    return [block["type"] for block in card.get("blocks", ())]


def shown_text(card):
    return json.dumps(card.get("blocks", ()), ensure_ascii=False)


def texts(value):
    """Every text of a message's blocks."""
    if isinstance(value, dict):
        own = [value["text"]] if isinstance(value.get("text"), str) else []
        return own + [text for each in value.values() for text in texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in texts(each)]
    return []


def test_12_long_answer_does_not_leave_the_thread_silent(bot, agent, you):
    words = "The answer goes on and on, with a figure here and there. "
    warnings = ("Some payments have no rental.", "March is not complete.")
    agent.changes = {"answer": words * (20_000 // len(words) + 1), "warnings": warnings}
    card = you.card("data", you.ask("data", "tell me all"))
    assert "more characters did not fit into a Slack message" in shown_text(card)
    for warning in warnings:
        assert warning in shown_text(card)
        assert shown_text(card).index(warning) < shown_text(card).index("goes on and on")


def test_13_four_long_parts_stay_within_what_one_message_takes(bot, agent, you):
    part = "A part of four thousand characters. " * 112
    agent.changes = {"answer": "\n\n".join([part[:4000].strip()] * 4)}
    card = you.card("data", you.ask("data", "four parts"))
    sizes = [len(text) for text in texts(card["blocks"])]
    assert 8_000 < sum(sizes) <= MOST_BLOCK_TEXT
    assert max(sizes) <= 3_000


def test_14_markdown_and_its_tables_are_not_shown_as_stars_and_pipes(bot, agent, you):
    agent.results = ()
    agent.changes = {"answer": "**Two** groups:\n\n| group | films |\n|---|---|\n| Sports | 74 |"}
    card = you.card("data", you.ask("data", "which groups?"))
    assert "*Two*" in shown_text(card)
    assert "**" not in shown_text(card)
    assert "|--" not in shown_text(card)
    assert "Sports" in shown_text(card)


@pytest.mark.parametrize("polls", [3, 10_000], ids=["ready late", "never ready"])
def test_16_chart_is_not_refused_right_after_its_upload(start_bot, agent, chart, you, polls):
    agent.charts = (chart,)
    start_bot(options={"picture_wait_s": 2.0 if polls == 3 else 0.2})
    you.faults(file_ready_polls=polls)
    card = you.card("data", you.ask("data", "a chart please"))
    assert "You asked: a chart please" in card["text"]
    assert ("image" in types(card)) is (polls == 3)
    assert ("could not be shown" in shown_text(card)) is (polls != 3)


def test_17_no_picture_is_fetched_from_an_address(bot, agent, chart, calls, you, mia):
    agent.charts = (chart,)
    agent.changes = {"answer": "![films](https://charts.example/films.png)"}
    card = you.card("data", you.ask("data", "a chart please"))
    assert "image" in types(card)
    you.click(card, "show_sql")
    you.client.api_call("workspace.openAppHome", json={"tab": "home"})
    you.eventually(lambda: any(method == "views.publish" for method, _ in calls))
    sent = [given for method, given in calls if method.startswith(("chat.", "views."))]
    assert len(sent) > 2
    assert "image_url" not in str(sent)


def test_19_rate_limit_on_one_call_does_not_lose_the_answer(bot, agent, you):
    agent.steps = ()
    you.faults(rate_limit={"method": "chat.update", "retry_after": 1, "times": 1})
    ts = you.ask("data", "how many films?")
    waiting = you.eventually(lambda: you.from_bot("data", ts))[0]
    assert waiting["text"].startswith("Working on it")
    card = you.card("data", ts)
    assert "table" in types(card)
    assert card["ts"] == waiting["ts"]
    assert len(you.from_bot("data", ts)) == 1


def test_28_mass_mention_in_an_answer_or_a_cell_pings_nobody(bot, agent, you):
    hostile = "<!here> <!channel> <@U0LOCALMIA> <#C0LOCALGEN>"
    rows = ((hostile, 1), ("b", 2))
    agent.results = (QueryResult("select 1", (Column("a", "text"), Column("b", "int4")), rows),)
    agent.changes = {"answer": hostile, "warnings": (hostile,)}
    ts = you.ask("data", "who is there?")
    card = you.card("data", ts)
    you.click(card, "why")
    _, why = you.cards("data", ts, 2)
    for message in (card, why):
        assert not LIVE.search(message["text"])
        assert not LIVE.search(shown_text(message))


def test_29_no_message_of_any_kind_unfurls_and_foreign_addresses_are_no_links(
    start_bot, agent, chart, calls, you, workspace, monkeypatch
):
    private, send = [], WebhookClient.send
    monkeypatch.setattr(
        WebhookClient, "send", lambda self, **given: private.append(given) or send(self, **given)
    )
    helpdesk = workspace.channels["helpdesk"]
    start_bot(escalation_channel=helpdesk, operators_channel=workspace.channels["general"])
    agent.charts = (chart,)
    agent.changes = {"answer": "See https://evil.example/x?d=1 and <https://evil.example|this>."}
    agent.outcome = agent.outcome.ESCALATED  # told in three channels
    card = you.card("data", you.ask("data", "how many films?"))
    you.told("helpdesk", "A question for a person")
    you.told("general", "escalated")
    you.click(card, "show_sql")
    you.command("data", "how many films?")
    you.command("finance-private", "how many films?")
    you.eventually(lambda: len(private) >= 2)
    you.eventually(lambda: any(method == "chat.postEphemeral" for method, _ in calls))
    posts = [given for method, given in calls if method == "chat.postMessage"]
    bots_own = [given for given in posts if "unfurl_links" in given or given.get("blocks")]
    assert len(bots_own) >= 3  # what is streamed never unfurls
    for given in bots_own + private:
        assert given["unfurl_links"] is False
        assert given["unfurl_media"] is False
    for given in bots_own + private + [each for _, each in calls]:
        assert "<https://evil" not in json.dumps(given.get("blocks") or [])
        assert "<https://evil" not in str(given.get("text") or "")


def test_37_thread_is_read_with_a_form_and_never_with_json(bot, agent, deliver, you, monkeypatch):
    monkeypatch.setattr("bot.delivery.PAUSES_S", (0.05, 0.05))
    with pytest.raises(SlackApiError, match="invalid_arguments"):
        you.client.api_call("conversations.replies", json={"channel": "C0LOCALDAT", "ts": "1.1"})
    agent.steps = ()
    you.without_streams()
    you.card("data", you.ask("data", "the first"))
    ts = you.say("data", "the message")
    you.settled()
    # A post of unknown fate is looked for in its thread: that look has to be understood.
    you.faults(**{"break": {"method": "chat.postMessage", "times": 1, "taken": True}})
    deliver(bot, you.payload(ts=ts, text=f"{you.mention} how many films?"))
    assert "table" in types(you.card("data", ts))
    assert len(you.from_bot("data", ts)) == 1


def test_38_upload_carries_no_blocks_that_slack_fails_on(bot, agent, chart, calls, you):
    agent.charts = (replace(chart, title="# Films **by** category"),)
    ts = you.ask("data", "a chart please")
    card = you.card("data", ts)
    assert "image" in types(card)
    you.click(card, "csv")
    you.cards("data", ts, 2)
    uploads = [given for method, given in calls if method == "files.completeUploadExternal"]
    assert len(uploads) == 2
    for given in uploads:
        assert not given.get("blocks")
        assert "markdown" not in str(given)
