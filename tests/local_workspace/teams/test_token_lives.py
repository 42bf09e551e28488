"""Tokens that end, their exchange for new ones, and an app that is removed."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackTokenRotationError
from slack_sdk.oauth.installation_store import Bot
from slack_sdk.oauth.token_rotation import TokenRotator


@pytest.fixture
def manifest(manifest):
    manifest["settings"]["token_rotation_enabled"] = True
    return manifest


@pytest.fixture
def answer(maker):
    return maker.installed()


@pytest.fixture
def lives(you):
    """Sets how long tokens live, or ends them."""
    return lambda **given: you.api_call("workspace.tokens", json=given)


def rotator(workspace):
    return TokenRotator(
        client_id=workspace.client_id,
        client_secret=workspace.client_secret,
        client=WebClient(base_url=workspace.api_url),
    )


def as_stored(answer):
    """What an installation store keeps of an answer; due to be exchanged."""
    return Bot(
        bot_id="B1",
        bot_user_id=answer["bot_user_id"],
        bot_token=answer["access_token"],
        bot_refresh_token=answer["refresh_token"],
        bot_token_expires_at=int(time.time()) + answer["expires_in"] - 42_000,
        installed_at=time.time(),
    )


def test_a_token_that_rotates_comes_with_what_it_is_exchanged_for(workspace, answer, maker):
    assert answer["access_token"].startswith("xoxe.xoxb-")
    assert answer["refresh_token"].startswith("xoxe-1-")
    assert answer["expires_in"] == 43_200
    assert maker.caller(answer["access_token"]).auth_test()["team_id"] == "T0LOCALDEV"


def test_the_sdk_exchanges_a_token_that_is_about_to_end(workspace, answer, maker):
    stored = as_stored(answer)
    fresh = rotator(workspace).perform_bot_token_rotation(bot=stored)
    assert fresh.bot_token != stored.bot_token
    assert fresh.bot_refresh_token != stored.bot_refresh_token
    assert maker.caller(fresh.bot_token).auth_test()["user_id"] == stored.bot_user_id


def test_a_refresh_token_is_good_once(workspace, answer, refused, maker):
    again = maker.refresh(answer["refresh_token"])
    assert (again["token_type"], again["expires_in"]) == ("bot", 43_200)
    refused("invalid_refresh_token", maker.refresh, answer["refresh_token"])
    with pytest.raises(SlackTokenRotationError):
        rotator(workspace).perform_bot_token_rotation(bot=as_stored(answer))
    assert maker.refresh(again["refresh_token"])["ok"]


def test_of_many_who_spend_a_refresh_token_at_once_one_has_a_new_one(maker, answer):
    def spend(_):
        try:
            return maker.refresh(answer["refresh_token"])["ok"]
        except SlackApiError as error:
            return error.response["error"]

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(spend, range(8)))
    assert sorted(outcomes, key=str) == [True, *["invalid_refresh_token"] * 7]


def test_an_exchanged_token_lives_on_for_a_moment(workspace, answer, lives, refused, maker):
    bot = maker.caller(answer["access_token"])
    again = maker.refresh(answer["refresh_token"])
    assert bot.auth_test()["ok"]
    lives(exchanged_life_s=0)
    maker.refresh(again["refresh_token"])
    refused("token_expired", maker.caller(again["access_token"]).auth_test)


def test_tokens_end_when_their_time_is_over(workspace, lives, refused, maker):
    lives(life_s=0)
    answer = maker.installed()
    assert answer["expires_in"] == 0
    bot = maker.caller(answer["access_token"])
    refused("token_expired", bot.auth_test)
    refused("token_expired", bot.chat_postMessage, channel="C1", text="x")


def test_all_tokens_can_be_ended_at_once_and_be_exchanged_still(
    workspace, answer, lives, refused, maker
):
    assert lives(expire=True)["ended"] == 1
    refused("token_expired", maker.caller(answer["access_token"]).auth_test)
    fresh = maker.refresh(answer["refresh_token"])
    assert maker.caller(fresh["access_token"]).auth_test()["ok"]


def test_a_revoked_bot_leaves_its_channels_and_the_app_is_told(
    workspace, answer, you, link, refused, maker
):
    general = workspace.channels["general"]
    you.conversations_invite(channel=general, users=answer["bot_user_id"])
    socket = link()
    bot = maker.caller(answer["access_token"])
    assert bot.auth_revoke(test="true")["revoked"] is False
    assert bot.auth_revoke()["revoked"] is True
    event = socket.take_event()
    assert event["tokens"] == {"oauth": [], "bot": [answer["bot_user_id"]]}
    refused("account_inactive", bot.auth_test)
    refused("invalid_refresh_token", maker.refresh, answer["refresh_token"])
    members = you.conversations_members(channel=general)["members"]
    assert answer["bot_user_id"] not in members
    assert socket.nothing()


@pytest.mark.parametrize("by", ["the app", "an administrator"])
def test_a_removed_app_is_told_last_and_hears_no_more(
    workspace, answer, you, link, refused, by, maker
):
    bot, socket = maker.caller(answer["access_token"]), link()
    general = workspace.channels["general"]
    you.conversations_invite(channel=general, users=answer["bot_user_id"])
    ts = bot.chat_postMessage(channel=general, text="before")["ts"]
    socket.take(kind="events_api")
    if by == "the app":
        bot.apps_uninstall(client_id=workspace.client_id, client_secret=workspace.client_secret)
    else:
        you.api_call("workspace.removeApp")
    assert [socket.take()["payload"]["event"]["type"] for _ in range(2)] == [
        "tokens_revoked",
        "app_uninstalled",
    ]
    refused("account_inactive", bot.auth_test)
    you.chat_postMessage(channel=general, text=f"<@{answer['bot_user_id']}> still there?")
    you.chat_postMessage(channel=answer["bot_user_id"], text="or here?")
    assert socket.nothing()
    # What it wrote is still there, and so is its name.
    kept = you.conversations_history(channel=general, latest=ts, inclusive="true")["messages"][0]
    assert kept["bot_profile"]["name"] == "db-agent"
    assert you.bots_info(bot=kept["bot_id"])["bot"]["deleted"] is True
    refused(
        "unknown_command",
        you.api_call,
        "workspace.slashCommand",
        json={"channel": general, "command": "/ask", "text": "x"},
    )


def test_an_app_that_comes_back_is_the_same_bot_with_new_tokens(
    workspace, answer, you, maker, refused
):
    you.api_call("workspace.removeApp")
    again = maker.installed()
    refused("token_revoked", maker.caller(answer["access_token"]).auth_test)
    refused("invalid_refresh_token", maker.refresh, answer["refresh_token"])
    assert again["bot_user_id"] == answer["bot_user_id"]
    assert maker.caller(again["access_token"]).auth_test()["ok"]


def test_only_the_app_itself_and_administrators_remove_it(workspace, answer, mia, refused, maker):
    bot = maker.caller(answer["access_token"])
    other = {"client_id": "1.2", "client_secret": workspace.client_secret}
    refused("invalid_client_id", bot.apps_uninstall, **other)
    guessed = {"client_id": workspace.client_id, "client_secret": "guessed"}
    refused("bad_client_secret", bot.apps_uninstall, **guessed)
    refused("restricted_action", mia.api_call, "workspace.removeApp")
    assert bot.auth_test()["ok"]
