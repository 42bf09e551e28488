"""What is not signed by Slack, or cannot be read, runs nothing and is told nothing."""

from __future__ import annotations

import io
import json
import logging
import time

import pytest

from bot.http import slack_requests
from bot.http.site import MAX_BODY_BYTES, Site
from bot.http.slack_requests import SlackRequests


@pytest.fixture
def mention(you, bot):
    """An event that would be answered, if it were taken; nobody has sent it yet."""
    you.card("data", you.ask("data", "how many films?"))
    payload = you.payload(text=f"{you.mention} and how many actors?", ts="1700000000.000100")
    payload["event_id"] = "Ev0FORGED"
    return payload


def seconds_from_now(seconds):
    return str(int(time.time()) + seconds)


NOT_SIGNED = [
    {"x_slack_signature": ""},
    {"x_slack_request_timestamp": "", "x_slack_signature": "v0=" + 64 * "0"},
    {"x_slack_signature": "v0=" + 64 * "0"},
    {"x_slack_signature": "v0=é"},
    {"x_slack_request_timestamp": "soon"},
    {"x_slack_request_timestamp": "1e9"},
    {"x_slack_request_timestamp": "-1"},
    {"x_slack_request_timestamp": "9" * 5000},
]


def test_request_that_is_not_signed_or_of_another_time_runs_nothing(
    slack, signed_with, agent, mention
):
    replies = [slack.event(mention, **headers) for headers in NOT_SIGNED]
    for seconds in (-330, 330):
        stamp = seconds_from_now(seconds)
        replies.append(slack.event(mention, x_slack_request_timestamp=stamp))
    replies.append(signed_with("0" * 32).event(mention))
    assert {(reply.status, reply.body) for reply in replies} == {(401, "Unauthorized\n")}
    assert agent.asked == ["how many films?"]


def test_same_request_with_a_good_signature_is_answered(slack, agent, mention, you):
    assert slack.event(mention).status == 200
    you.eventually(lambda: len(agent.asked) == 2)


@pytest.mark.parametrize("body", [b"\xff\xfe", b'{"type": "\xff"}'])
def test_body_that_is_no_text_is_not_signed(slack, body):
    assert slack.post(body).status == 401


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"{}", "text/plain"),
        (b"{}", "multipart/form-data; boundary=x"),
        (b"{}", "application/json"),
        (b"{", "application/json"),
        (b"[1]", "application/json"),
        (b"[" * 100_000, "application/json"),
        (b"", "application/json"),
        (b"payload={", slack_requests.FORM),
        (b"payload=null", slack_requests.FORM),
        (b"&".join(b"a%d=1" % number for number in range(200)), slack_requests.FORM),
    ],
    ids=lambda each: str(each)[:30],
)
def test_what_cannot_be_read_is_refused_for_good(slack, body, content_type):
    reply = slack.post(body, content_type)
    assert (reply.status, reply.body) == (400, "Bad Request\n")
    assert reply.headers["x-slack-no-retry"] == "1"


@pytest.mark.parametrize("over", [1, 3 * MAX_BODY_BYTES])
def test_body_over_the_limit_is_refused_signed_or_not(slack, anybody, over):
    padding = b'{"a": "' + b"x" * (MAX_BODY_BYTES + over) + b'"}'
    assert slack.post(padding).status == 413
    assert anybody("POST", slack_requests.PATH, padding).status == 413


def test_other_paths_and_methods_have_constant_answers(anybody):
    assert anybody(path="/").status == 404
    assert anybody(path="/slack/events/").status == 404
    assert anybody(path="/slack/install").status == 404
    reply = anybody(path=slack_requests.PATH)
    assert (reply.status, reply.headers["allow"]) == (405, "POST")
    reply = anybody("POST", "/healthz", b"{}")
    assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD")
    assert "server" not in reply.headers


def test_fault_of_ours_is_told_without_a_word_of_it(caplog):
    def breaks(request):
        raise RuntimeError("secret words")

    secret = "8f742231b10e8888abcd99"
    site = Site()
    site.add("POST", slack_requests.PATH, SlackRequests(secret, breaks))
    said = []
    body = json.dumps({"type": "event_callback", "token": "private"}).encode()
    stamp = seconds_from_now(0)
    verifier = slack_requests.SignatureVerifier(secret)
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": slack_requests.PATH,
        "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": "application/json",
        "HTTP_X_SLACK_REQUEST_TIMESTAMP": stamp,
        "HTTP_X_SLACK_SIGNATURE": verifier.generate_signature(timestamp=stamp, body=body),
        "wsgi.input": io.BytesIO(body),
    }
    shown = site(environ, lambda status, headers: said.append((status, dict(headers))))
    assert said[0][0] == "500 Internal Server Error"
    assert "X-Slack-No-Retry" not in {name.title() for name in said[0][1]}  # it may go well later
    assert b"".join(shown) == b"Internal Server Error\n"
    told = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert "secret words" not in str([each.getMessage() for each in told])


def test_signing_secret_is_in_no_line_of_the_log(slack, bot, workspace, you, caplog):
    caplog.set_level(logging.DEBUG)
    you.card("data", you.ask("data", "how many films?"))
    slack.event({"type": "event_callback"}, x_slack_signature="v0=1")
    slack.post(b"{", "text/plain")
    assert workspace.signing_secret not in caplog.text
