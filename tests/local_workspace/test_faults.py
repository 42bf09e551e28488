"""Rate limits, and calls that go wrong as planned."""

import time
import urllib.error
import urllib.request

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_handlers import RateLimitErrorRetryHandler


def limited(call, **arguments):
    """The answer to a call that was refused with 429."""
    with pytest.raises(SlackApiError) as caught:
        call(**arguments)
    assert caught.value.response.status_code == 429
    assert caught.value.response["error"] == "ratelimited"
    return caught.value.response


def test_a_planned_429_carries_retry_after_and_passes(bot, you, general):
    plan = {"method": "chat.update", "retry_after": 7, "times": 2}
    you.api_call("workspace.faults", json={"rate_limit": plan})
    ts = bot.chat_postMessage(channel=general, text="x")["ts"]
    for _ in range(2):
        answer = limited(bot.chat_update, channel=general, ts=ts, text="y")
        assert answer.headers["Retry-After"] == "7"
    bot.chat_update(channel=general, ts=ts, text="y")


def test_the_sdk_s_retry_handler_gets_through(bot, you, general):
    plan = {"method": "chat.postMessage", "retry_after": 0, "times": 1}
    you.api_call("workspace.faults", json={"rate_limit": plan})
    bot.retry_handlers.append(RateLimitErrorRetryHandler(max_retry_count=1))
    assert bot.chat_postMessage(channel=general, text="x")["ok"]
    assert len(you.conversations_history(channel=general)["messages"]) == 1


def test_a_plan_may_be_for_one_channel(bot, you, dm, general):
    plan = {"method": "chat.postMessage", "channel": general, "retry_after": 3}
    you.api_call("workspace.faults", json={"rate_limit": plan})
    bot.chat_postMessage(channel=dm, text="elsewhere")
    assert limited(bot.chat_postMessage, channel=general, text="x").headers["Retry-After"] == "3"
    bot.chat_postMessage(channel=general, text="x")


def test_a_planned_error_comes_as_often_as_planned(bot, you, general, refused):
    plan = {"method": "chat.postMessage", "error": "internal_error", "times": 1}
    you.api_call("workspace.faults", json={"error": plan})
    refused("internal_error", bot.chat_postMessage, channel=general, text="x")
    bot.chat_postMessage(channel=general, text="x")


@pytest.mark.parametrize("taken", [True, False], ids=["taken", "not taken"])
def test_a_connection_breaks_before_a_call_or_after_it(workspace, you, general, taken):
    bot = WebClient(workspace.bot_token, base_url=workspace.api_url, retry_handlers=[])
    plan = {"method": "chat.postMessage", "times": 1, "taken": taken}
    you.api_call("workspace.faults", json={"break": plan})
    with pytest.raises(OSError, match="closed connection"):
        bot.chat_postMessage(channel=general, text="x")
    assert len(you.conversations_history(channel=general)["messages"]) == int(taken)
    bot.chat_postMessage(channel=general, text="y")


@pytest.mark.parametrize("taken", [True, False], ids=["taken", "not taken"])
@pytest.mark.parametrize("status", [500, 503])
def test_a_server_in_trouble_answers_with_a_page_for_people(bot, you, general, status, taken):
    plan = {"method": "chat.postMessage", "status": status, "taken": taken}
    you.api_call("workspace.faults", json={"server_error": plan})
    with pytest.raises(SlackApiError) as caught:
        bot.chat_postMessage(channel=general, text="x")
    assert caught.value.response.status_code == status
    assert "<!DOCTYPE html>" in caught.value.response["error"]
    assert len(you.conversations_history(channel=general)["messages"]) == int(taken)


@pytest.mark.parametrize("taken", [True, False], ids=["taken", "not taken"])
def test_an_answer_comes_later_than_anybody_waits(workspace, you, general, taken):
    hasty = WebClient(
        workspace.bot_token, base_url=workspace.api_url, timeout=0.1, retry_handlers=[]
    )
    plan = {"method": "chat.postMessage", "seconds": 0.3, "taken": taken}
    you.api_call("workspace.faults", json={"slow": plan})
    with pytest.raises(TimeoutError):
        hasty.chat_postMessage(channel=general, text="x")
    hasty.timeout = 5
    hasty.chat_postMessage(channel=general, text="y")
    posts = you.conversations_history(channel=general)["messages"]
    assert len(posts) == 1 + int(taken)


def test_a_slow_answer_comes_to_whoever_waits(bot, you, general):
    plan = {"method": "chat.postMessage", "seconds": 0.1, "taken": True}
    you.api_call("workspace.faults", json={"slow": plan})
    started = time.monotonic()
    assert bot.chat_postMessage(channel=general, text="x")["ok"]
    assert time.monotonic() - started >= 0.1


def test_no_server_s_trouble_is_a_success(you, refused):
    plan = {"method": "chat.update", "status": 200}
    refused("invalid_arguments", you.api_call, "workspace.faults", json={"server_error": plan})


@pytest.mark.parametrize(
    ("plan", "status"),
    [({"server_error": {"status": 502}}, 502), ({"rate_limit": {"retry_after": 2}}, 429)],
)
def test_uploads_and_response_urls_go_wrong_too(bot, you, plan, status):
    ((kind, how),) = plan.items()
    you.api_call("workspace.faults", json={kind: {"method": "upload", **how}})
    begun = bot.files_getUploadURLExternal(filename="rows.csv", length=3)
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(begun["upload_url"], data=b"a,b", timeout=5)
    assert caught.value.code == status
    caught.value.close()
    with urllib.request.urlopen(begun["upload_url"], data=b"a,b", timeout=5) as answer:
        assert answer.read() == b"OK - 3"


def test_a_refused_file_is_never_ready_and_the_next_one_is(bot, you, general, refused):
    you.api_call("workspace.faults", json={"refused_file": 1})
    blocks = []
    for _ in range(2):
        begun = bot.files_getUploadURLExternal(filename="chart.png", length=3)
        urllib.request.urlopen(begun["upload_url"], data=b"png", timeout=5).close()
        bot.files_completeUploadExternal(files=[{"id": begun["file_id"], "title": "Chart"}])
        file = {"id": begun["file_id"]}
        blocks.append([{"type": "image", "slack_file": file, "alt_text": "A chart"}])
    for _ in range(3):
        refused("invalid_blocks", bot.chat_postMessage, channel=general, text="x", blocks=blocks[0])
    bot.chat_postMessage(channel=general, text="x", blocks=blocks[1])


def test_with_slack_s_limits_on_a_channel_takes_one_post_a_second(bot, you, dm, general):
    bot.chat_postMessage(channel=general, text="x")
    bot.chat_postMessage(channel=general, text="x")
    you.api_call("workspace.faults", json={"slack_rate_limits": True})
    bot.chat_postMessage(channel=general, text="x")
    assert limited(bot.chat_postMessage, channel=general, text="x").headers["Retry-After"] == "1"
    bot.chat_postMessage(channel=dm, text="elsewhere")


def test_with_slack_s_limits_on_tier_2_ends_at_20_a_minute(bot, you):
    you.api_call("workspace.faults", json={"slack_rate_limits": True})
    for _ in range(20):
        bot.users_list()
    assert int(limited(bot.users_list).headers["Retry-After"]) > 50
    bot.auth_test()


def test_limits_count_per_token(bot, you, workspace):
    you.api_call("workspace.faults", json={"slack_rate_limits": True})
    for _ in range(20):
        bot.users_list()
    other = WebClient(token=workspace.user_tokens["mia"], base_url=workspace.api_url)
    assert other.users_list()["ok"]
