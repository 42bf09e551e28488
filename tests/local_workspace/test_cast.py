"""Those beside a bot's colleagues: guests, somebody of another organisation, other bots."""

from __future__ import annotations

import pytest
from slack_sdk import WebClient


@pytest.fixture
def crowded(start):
    return start(cast=True)


def test_each_kind_is_there_and_slack_says_what_they_are(crowded, refused):
    bot = WebClient(crowded.bot_token, base_url=crowded.api_url)
    people = {each["name"]: each for each in bot.users_list()["members"]}
    assert people["ada"]["is_admin"]
    kinds = ("is_restricted", "is_ultra_restricted")
    assert [people["gus"][kind] for kind in kinds] == [True, False]
    assert [people["sol"][kind] for kind in kinds] == [True, True]
    assert people["eva"]["is_stranger"]
    assert people["eva"]["team_id"] != people["you"]["team_id"]
    assert people["pollbot"]["is_bot"]
    assert people["dan"]["deleted"]
    dan = WebClient(crowded.user_tokens["dan"], base_url=crowded.api_url)
    refused("account_inactive", dan.auth_test)
    shared = bot.conversations_info(channel=crowded.channels["partners"])["channel"]
    assert (shared["is_ext_shared"], shared["is_member"]) == (True, True)


def test_guests_and_outsiders_know_only_of_what_they_are_in(crowded, refused):
    def known_to(name):
        person = WebClient(crowded.user_tokens[name], base_url=crowded.api_url)
        on_page = person.api_call("workspace.boot")["channels"]
        listed = person.conversations_list()["channels"]
        assert {each["id"] for each in listed} <= {each["id"] for each in on_page}
        return {each["name"] for each in listed}

    assert known_to("gus") == {"general", "data"}
    assert known_to("sol") == {"data"}
    assert known_to("eva") == {"partners"}
    assert "helpdesk" in known_to("ben")
    eva = WebClient(crowded.user_tokens["eva"], base_url=crowded.api_url)
    refused("channel_not_found", eva.conversations_info, channel=crowded.channels["general"])


def test_a_workspace_is_small_unless_asked(workspace, bot):
    assert len(bot.users_list()["members"]) == 4
    assert "partners" not in workspace.channels


def test_what_bots_workflows_and_slackbot_write_says_who_they_are(
    link, you, general, workspace, refused
):
    other = you.api_call("workspace.addBot", json={"name": "pollbot", "channels": general})
    socket = link()
    pollbot = WebClient(other["token"], base_url=workspace.api_url)
    text = f"<@{workspace.bot_user_id}> hi"
    pollbot.chat_postMessage(channel=general, text=text)
    mention, message = socket.take_event(), socket.take_event()
    assert (mention["type"], message["type"]) == ("app_mention", "message")
    assert mention["user"] == other["user"]
    assert mention["bot_profile"]["name"] == "pollbot"
    workflow = {"who": "workflow", "channel": general, "text": text}
    you.api_call("workspace.sayAs", json=workflow)
    mention = socket.take_event()
    assert (mention["subtype"], "user" in mention) == ("bot_message", False)
    assert socket.take_event()["bot_id"].startswith("B")
    you.api_call("workspace.sayAs", json={**workflow, "who": "slackbot"})
    assert socket.take_event()["user"] == "USLACKBOT"
    refused("invalid_arguments", you.api_call, "workspace.sayAs", json={**workflow, "who": "me"})
