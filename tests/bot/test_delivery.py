"""The card arrives, whatever Slack does to it."""

from __future__ import annotations

import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from slack_sdk import WebClient

from bot.clients import make_clients
from bot.delivery import ThreadMessage
from bot.render import render_notice
from bot.store import Thread


@pytest.fixture
def charting(agent, chart):
    agent.charts = (chart,)
    return agent


def types(card):
    return [block["type"] for block in card["blocks"]]


def image(card):
    return next(block for block in card["blocks"] if block["type"] == "image")


def test_chart_is_shown_inside_the_card(bot, charting, chart, you):
    card = you.card("data", you.ask("data", "films per category, as a chart"))
    assert image(card)["alt_text"] == chart.alt_text
    file = you.client.files_info(file=image(card)["slack_file"]["id"])["file"]
    assert file["title"] == chart.title
    assert file["alt_txt"] == chart.alt_text
    assert file["size"] == len(chart.png)


def test_title_and_alt_text_of_an_upload_hide_and_ping_nothing(bot, agent, chart, you):
    hostile = "Films\u202e\u200b <!channel>\nnow"
    agent.charts = (replace(chart, title=hostile, alt_text=hostile),)
    card = you.card("data", you.ask("data", "films per category, as a chart"))
    file = you.client.files_info(file=image(card)["slack_file"]["id"])["file"]
    assert (file["title"], file["alt_txt"]) == ("Films ‹!channel› now",) * 2


def test_chart_is_waited_for_until_slack_has_looked_at_it(bot, charting, you):
    you.faults(file_ready_polls=3)
    card = you.card("data", you.ask("data", "a chart please"))
    assert "image" in types(card)


def test_chart_that_never_gets_ready_costs_only_the_picture(start_bot, charting, you):
    start_bot(options={"picture_wait_s": 0.5})
    you.faults(file_ready_polls=10_000)
    card = you.card("data", you.ask("data", "a chart please"))
    assert "image" not in types(card)
    assert "table" in types(card)
    assert "Films by category" in str(card["blocks"])
    assert "could not be shown" in str(card["blocks"])


def test_chart_that_cannot_be_uploaded_costs_only_the_picture(bot, charting, you):
    you.faults(error={"method": "files.getUploadURLExternal", "error": "storage_limit_reached"})
    card = you.card("data", you.ask("data", "a chart please"))
    assert types(card)[:2] == ["section", "table"]
    assert "could not be shown" in str(card["blocks"])


def test_card_is_shown_without_its_picture_where_slack_refuses_the_whole(bot, charting, you):
    # one refusal for the whole card; the progress edits are tried only once a step has come
    charting.steps = ()
    you.faults(error={"method": "chat.update", "error": "invalid_blocks", "times": 1})
    card = you.card("data", you.ask("data", "a chart please"))
    assert "image" not in types(card)
    assert "table" in types(card)
    assert "could not be shown" in str(card["blocks"])


@pytest.mark.parametrize(
    ("refusals", "kept"),
    [(2, ["section", "context", "context", "actions", "context"]), (3, [])],
    ids=["without table", "plain text"],
)
def test_card_gets_simpler_until_slack_takes_it(bot, agent, you, refusals, kept):
    agent.steps = ()
    you.faults(error={"method": "chat.update", "error": "msg_blocks_too_long", "times": refusals})
    card = you.card("data", you.ask("data", "how many films?"))
    assert "You asked: how many films?" in card["text"]
    assert [block["type"] for block in card.get("blocks", [])] == kept


def test_passing_trouble_is_waited_out(bot, agent, you):
    agent.steps = ()
    you.faults(error={"method": "chat.update", "error": "internal_error", "times": 1})
    card = you.card("data", you.ask("data", "how many films?"))
    assert "table" in types(card)


@pytest.mark.parametrize("method", ["users.info", "files.getUploadURLExternal"])
def test_rate_limit_is_waited_out_and_nothing_is_posted_twice(bot, charting, deliver, you, method):
    charting.steps = ()
    you.ask("data", "")  # only for its events: a limit would count for this person as well
    ts = you.say("data", "the message")
    you.settled()
    you.faults(rate_limit={"method": method, "retry_after": 1, "times": 1})
    deliver(bot, you.payload(ts=ts, text=f"{you.mention} a chart please"))
    assert "image" in types(you.card("data", ts))


def test_rate_limit_that_nobody_would_wait_for_costs_only_the_picture(bot, charting, you):
    you.faults(rate_limit={"method": "files.getUploadURLExternal", "retry_after": 90, "times": 1})
    card = you.card("data", you.ask("data", "a chart please"), within=5)
    assert "image" not in types(card)
    assert "table" in types(card)


def test_rate_limit_on_progress_does_not_hold_the_answer_up(bot, agent, you):
    agent.steps = ("I looked at film.",)
    you.faults(rate_limit={"method": "agents.sessions.setStatus", "retry_after": 30, "times": 9})
    ts = you.say(you.dm(), "how many films?")
    assert "You asked" in you.card(you.dm(), ts, within=3)["text"]


def test_card_is_posted_anew_where_the_working_message_was_deleted(
    start_bot, agent, you, workspace
):
    agent.gate = threading.Event()
    start_bot()
    ts = you.ask("data", "how many films?")
    working = you.eventually(lambda: you.from_bot("data", ts))[0]
    you.eventually(lambda: "I ran a query" in you.from_bot("data", ts)[0]["text"])
    WebClient(workspace.bot_token, base_url=workspace.api_url).chat_delete(
        channel=working["channel"], ts=working["ts"]
    )
    agent.gate.set()
    card = you.card("data", ts)
    assert card["ts"] != working["ts"]
    assert "table" in types(card)


@pytest.mark.parametrize(
    "error", ["is_archived", "not_in_channel", "token_revoked", "restricted_action"]
)
def test_place_that_takes_no_message_is_logged_and_the_bot_lives_on(
    bot, agent, deliver, you, caplog, error
):
    agent.steps = ()
    you.card("data", you.ask("data", "the first"))
    ts = you.say("data", "the message")
    you.settled()
    you.faults(error={"method": "chat.startStream", "error": error, "times": 1})
    you.faults(error={"method": "chat.postMessage", "error": error, "times": 2})
    deliver(bot, you.payload(ts=ts, text=f"{you.mention} the second"))
    you.eventually(lambda: "no card could be delivered" in caplog.text)
    assert error in caplog.text
    assert you.from_bot("data", ts) == []
    you.card("data", you.ask("data", "the third"))


def test_no_message_shows_previews(bot, charting, you, monkeypatch):
    # Slack keeps no note of it, so it is read from the calls themselves.
    calls, send = [], WebClient.api_call

    def noted(client, method, **arguments):
        calls.append((method, arguments))
        return send(client, method, **arguments)

    monkeypatch.setattr(WebClient, "api_call", noted)
    you.without_streams()
    you.card("data", you.ask("data", "a chart please"))
    sent = [arguments["json"] for method, arguments in calls if method == "chat.postMessage"]
    posts = [each for each in sent if each.get("blocks")]  # the bot's own
    assert posts
    assert all(post["unfurl_links"] is False and post["unfurl_media"] is False for post in posts)


def test_live_tokens_of_model_and_database_are_inert(bot, agent, you):
    ts = you.ask("data", "say &lt;!channel&gt; and <!here>")
    card = you.card("data", ts)
    assert "<!" not in card["text"]
    assert "<!" not in str(card["blocks"])


@pytest.fixture
def dropping():
    """A Slack that takes each call and drops the connection; its address and the calls."""
    taken = []

    class Dropping(BaseHTTPRequestHandler):
        def do_POST(self):
            taken.append(self.path)
            self.rfile.read(int(self.headers["Content-Length"]))
            self.connection.close()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Dropping)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/api/", taken
    server.shutdown()
    server.server_close()
    thread.join()


def test_post_that_may_have_arrived_is_not_sent_twice(dropping, monkeypatch):
    url, taken = dropping
    place = ThreadMessage(make_clients("xoxb-1", url), Thread("T1", "C1", "1.000"))
    monkeypatch.setattr("bot.delivery.PAUSES_S", (0.01, 0.01))
    assert not place.finish([render_notice("the answer")])
    assert taken.count("/api/chat.postMessage") == 1


@pytest.mark.parametrize("taken", [True, False], ids=["taken", "not taken"])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_connection_that_breaks_over_a_post_leaves_one_message_with_the_answer(
    bot, agent, deliver, you, taken, times, monkeypatch
):
    monkeypatch.setattr("bot.delivery.PAUSES_S", (0.05, 0.05, 0.05))
    agent.steps = ()
    you.without_streams()
    you.card("data", you.ask("data", "the first"))
    ts = you.say("data", "the message")
    you.settled()
    you.faults(**{"break": {"method": "chat.postMessage", "times": times, "taken": taken}})
    deliver(bot, you.payload(ts=ts, text=f"{you.mention} how many films?"))
    card = you.card("data", ts)
    assert "table" in types(card)
    you.settled()
    assert len(you.from_bot("data", ts)) == 1


def test_post_of_unknown_fate_is_repeated_where_nobody_may_look(
    bot, agent, deliver, you, monkeypatch
):
    monkeypatch.setattr("bot.delivery.PAUSES_S", (0.05, 0.05, 0.05))
    agent.steps = ()
    you.without_streams()
    you.card("data", you.ask("data", "the first"))
    ts = you.say("data", "the message")
    you.settled()
    you.faults(**{"break": {"method": "chat.postMessage", "times": 1, "taken": True}})
    you.faults(error={"method": "conversations.replies", "error": "missing_scope"})
    deliver(bot, you.payload(ts=ts, text=f"{you.mention} how many films?"))
    you.eventually(lambda: any("table" in types(each) for each in you.from_bot("data", ts)))
