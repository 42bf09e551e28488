"""Rate limits and planned errors."""

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
