"""A channel that two workspaces share: offered, accepted, seen from each side, given up."""

from __future__ import annotations

import pytest

YOU = "U0LOCALYOU"


@pytest.fixture
def shared(you, pat, partner):
    """#partners, of the first workspace, with you and Mia of there and Pat of the other."""
    members = {"members": "U0LOCALMIA"}
    channel = you.api_call("workspace.addChannel", json={"name": "partners", **members})["channel"]
    you.api_call("workspace.shareChannel", json={"channel": channel["id"], "team": "T0PARTNER"})
    pat.api_call("workspace.acceptChannel", json={"channel": channel["id"]})
    return channel["id"]


@pytest.fixture
def bot(maker, ours, you, shared):
    """The app's bot of the first workspace, in the channel."""
    you.conversations_invite(channel=shared, users=ours["bot_user_id"])
    return maker.caller(ours["access_token"])


@pytest.fixture
def their_bot(maker, theirs, pat, shared):
    """The app's bot of the other workspace, in the channel."""
    pat.conversations_invite(channel=shared, users=theirs["bot_user_id"])
    return maker.caller(theirs["access_token"])


def me(client):
    return client.auth_test()["user_id"]


def events(socket, count):
    return [socket.take(kind="events_api")["payload"] for _ in range(count)]


def test_an_offer_is_pending_and_unseen_until_it_is_accepted(you, pat, lee, refused):
    channel = you.api_call("workspace.addChannel", json={"name": "partners"})["channel"]["id"]
    offer = {"channel": channel, "team": "T0PARTNER"}
    refused("channel_not_found", pat.api_call, "workspace.acceptChannel", json=offer)
    you.api_call("workspace.shareChannel", json=offer)
    refused("already_in_channel", you.api_call, "workspace.shareChannel", json=offer)
    info = you.conversations_info(channel=channel)["channel"]
    assert (info["is_pending_ext_shared"], info["is_ext_shared"]) == (True, False)
    assert info["pending_shared"] == info["pending_connected_team_ids"] == ["T0PARTNER"]
    refused("channel_not_found", pat.conversations_info, channel=channel)
    pat.api_call("workspace.acceptChannel", json={"channel": channel, "members": me(lee)})
    info = you.conversations_info(channel=channel)["channel"]
    assert (info["is_pending_ext_shared"], info["is_ext_shared"]) == (False, True)
    members = you.conversations_members(channel=channel)["members"]
    assert members == [YOU, me(pat), me(lee)]


def test_only_the_host_offers_and_only_to_whom_there_is(you, pat, shared, refused):
    for client, team, error in (
        (pat, "T0LOCALDEV", "channel_cannot_be_shared"),
        (you, "T0NOBODY", "team_not_found"),
        (you, "T0LOCALDEV", "team_not_found"),
    ):
        offer = {"channel": shared, "team": team}
        refused(error, client.api_call, "workspace.shareChannel", json=offer)


def test_each_side_sees_the_channel_from_where_it_stands(you, pat, lee, shared):
    for client, team, other in (
        (you, "T0LOCALDEV", "T0PARTNER"),
        (pat, "T0PARTNER", "T0LOCALDEV"),
    ):
        info = client.conversations_info(channel=shared)["channel"]
        assert info["is_shared"]
        assert info["is_ext_shared"]
        assert info["context_team_id"] == team
        assert info["conversation_host_id"] == "T0LOCALDEV"
        assert info["shared_team_ids"] == ["T0LOCALDEV", "T0PARTNER"]
        assert info["connected_team_ids"] == [other]
        assert info["num_members"] == 3
        assert client.team_info(team=other)["team"]["id"] == other
    listed = lee.conversations_list()["channels"]
    assert {each["name"]: each["is_member"] for each in listed} == {
        "general": True,
        "partners": False,
    }


def test_both_write_into_one_history(you, pat, shared):
    ts = you.chat_postMessage(channel=shared, text="good morning")["ts"]
    pat.chat_postMessage(channel=shared, thread_ts=ts, text="and to you")
    pat.reactions_add(channel=shared, timestamp=ts, name="wave")
    for client in (you, pat):
        thread = client.conversations_replies(channel=shared, ts=ts)["messages"]
        assert [each["text"] for each in thread] == ["good morning", "and to you"]
        assert thread[0]["reactions"][0]["users"] == [me(pat)]


def test_people_of_the_other_side_are_known_by_their_team(you, pat, bot, shared, lee, refused):
    seen = bot.users_info(user=me(pat))["user"]
    assert (seen["team_id"], seen["profile"]["team"]) == ("T0PARTNER", "T0PARTNER")
    # Slack calls nobody a stranger who is in a channel with the bot.
    assert "is_stranger" not in seen
    refused("user_not_found", bot.users_info, user=me(lee))
    you.conversations_kick(channel=shared, user=me(bot))
    assert bot.users_info(user=me(pat))["user"]["is_stranger"] is True
    assert "is_stranger" not in you.users_info(user=me(pat))["user"]


def test_a_message_tells_the_other_side_whose_it_is(you, pat, shared):
    ts = pat.chat_postMessage(channel=shared, text="hello")["message"]["ts"]
    here = you.conversations_history(channel=shared, latest=ts, inclusive="1")["messages"][0]
    assert here["team"] == here["user_team"] == here["source_team"] == "T0PARTNER"
    assert here["user_profile"]["team"] == "T0PARTNER"
    assert here["user_profile"]["real_name"] == "Pat Quinn"
    there = pat.conversations_history(channel=shared, latest=ts, inclusive="1")["messages"][0]
    assert there["team"] == "T0PARTNER"
    assert "user_team" not in there


def test_an_event_of_the_other_side_names_both_teams(bot, pat, ours, shared, link):
    socket = link()
    pat.chat_postMessage(channel=shared, text=f"<@{ours['bot_user_id']}> how many?")
    found = {each["event"]["type"]: each for each in events(socket, 2)}
    for payload in found.values():
        assert payload["is_ext_shared_channel"] is True
        assert payload["authorizations"][0]["team_id"] == "T0LOCALDEV"
        assert payload["event"]["user_team"] == payload["event"]["source_team"] == "T0PARTNER"
        assert payload["event"]["user_profile"]["team"] == "T0PARTNER"
        assert payload["context_team_id"] == "T0LOCALDEV"
    # As Slack does: the writer's team is around a message, the app's around a mention.
    message, mention = found["message"], found["app_mention"]
    assert (message["team_id"], message["event"]["team"]) == ("T0PARTNER", "T0PARTNER")
    assert (mention["team_id"], mention["event"]["team"]) == ("T0LOCALDEV", "T0LOCALDEV")


def test_an_app_of_both_sides_is_told_once_as_of_the_writers_side(
    you, pat, bot, their_bot, shared, link
):
    socket = link()
    for writer, team in ((you, "T0LOCALDEV"), (pat, "T0PARTNER")):
        ts = writer.chat_postMessage(channel=shared, text="hello")["ts"]
        writer.chat_update(channel=shared, ts=ts, text="hello again")
        writer.reactions_add(channel=shared, timestamp=ts, name="wave")
        for told in events(socket, 3):
            assert told["authorizations"][0]["team_id"] == team
        assert socket.nothing()


def test_a_mention_is_told_as_of_the_bot_that_it_names(you, bot, their_bot, theirs, shared, link):
    socket = link()
    you.chat_postMessage(channel=shared, text=f"<@{theirs['bot_user_id']}> how many?")
    mention, message = events(socket, 2)
    assert mention["event"]["type"] == "app_mention"
    assert mention["authorizations"][0]["team_id"] == mention["team_id"] == "T0PARTNER"
    assert mention["event"]["user_team"] == "T0LOCALDEV"
    assert message["authorizations"][0]["team_id"] == "T0LOCALDEV"
    assert mention["event"]["ts"] == message["event"]["ts"]
    assert socket.nothing()


def test_edits_and_deletions_reach_the_app_from_either_side(bot, pat, shared, link):
    socket = link()
    ts = pat.chat_postMessage(channel=shared, text="one")["ts"]
    pat.chat_update(channel=shared, ts=ts, text="two")
    pat.chat_delete(channel=shared, ts=ts)
    told = events(socket, 3)
    assert [each["event"].get("subtype") for each in told] == [
        None,
        "message_changed",
        "message_deleted",
    ]
    assert told[1]["event"]["message"]["user_team"] == "T0PARTNER"


def test_a_click_from_the_other_side_is_the_apps_and_says_who(
    bot, pat, ours, shared, link, in_background
):
    socket = link()
    button = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
    blocks = [{"type": "actions", "elements": [button]}]
    ts = bot.chat_postMessage(channel=shared, text="x", blocks=blocks)["ts"]
    body = {"channel": shared, "ts": ts, "action_id": "go"}
    done = in_background(pat.api_call, "workspace.clickButton", json=body)
    click = socket.take(kind="interactive")["payload"]
    assert done.result()["ok"]
    assert (click["team"]["id"], click["user"]["team_id"]) == ("T0LOCALDEV", "T0PARTNER")
    assert click["user"]["id"] == me(pat)
    assert click["message"]["user"] == ours["bot_user_id"]
    # A modal that the click opens is before the person who clicked, and comes back from them.
    title = {"type": "plain_text", "text": "Why?"}
    view = {"type": "modal", "title": title, "submit": title, "blocks": [{"type": "divider"}]}
    opened = bot.views_open(trigger_id=click["trigger_id"], view=view)["view"]
    body = {"view_id": opened["id"], "values": {}}
    done = in_background(pat.api_call, "workspace.submitView", json=body)
    sent = socket.take(kind="interactive")["payload"]
    assert done.result()["ok"]
    assert sent["view"]["app_installed_team_id"] == "T0LOCALDEV"
    assert sent["user"]["team_id"] == "T0PARTNER"


def test_a_command_is_that_of_ones_own_workspace(
    bot, pat, theirs, shared, link, in_background, refused
):
    body = {"channel": shared, "command": "/ask", "text": "x"}
    socket = link()
    in_background(pat.api_call, "workspace.slashCommand", json=body)
    command = socket.take(kind="slash_commands")["payload"]
    assert command["team_id"] == "T0PARTNER"
    pat.api_call("workspace.removeApp")
    refused("unknown_command", pat.api_call, "workspace.slashCommand", json=body)


def test_a_file_shown_there_is_seen_by_both(bot, pat, you, lee, shared, refused):
    file = bot.files_upload_v2(filename="a.csv", content="a,b", channel=shared)["file"]["id"]
    assert you.files_info(file=file)["file"]["id"] == file
    assert pat.files_info(file=file)["file"]["id"] == file
    refused("file_not_found", lee.files_info, file=file)


def test_a_bot_that_is_named_before_it_is_in_is_told_once_it_is(pat, theirs, shared, link):
    socket = link()
    pat.chat_postMessage(channel=shared, text=f"<@{theirs['bot_user_id']}> how many?")
    assert socket.nothing()
    pat.conversations_invite(channel=shared, users=theirs["bot_user_id"])
    told = events(socket, 1)[0]
    assert told["event"]["type"] == "app_mention"
    assert told["authorizations"][0]["team_id"] == "T0PARTNER"


def test_the_host_can_put_somebody_of_the_other_side_out(you, pat, lee, shared, refused):
    whom = me(pat)
    you.api_call("workspace.changeChannel", json={"channel": shared, "put_out": whom})
    assert whom not in you.conversations_members(channel=shared)["members"]
    refused("not_in_channel", pat.chat_postMessage, channel=shared, text="x")


def test_nobody_ends_what_others_share(pat, shared, refused):
    body = {"channel": shared, "team": "T0LOCALDEV"}
    refused("restricted_action", pat.api_call, "workspace.disconnectChannel", json=body)


def test_what_was_shared_is_given_up_by_either_side(you, pat, bot, shared, link, refused):
    socket = link()
    before = pat.chat_postMessage(channel=shared, text="before")["ts"]
    pat.api_call("workspace.disconnectChannel", json={"channel": shared})
    refused("channel_not_found", pat.conversations_info, channel=shared)
    refused("user_not_found", pat.users_info, user=YOU)
    refused("team_not_found", you.team_info, team="T0PARTNER")
    info = you.conversations_info(channel=shared)["channel"]
    assert (info["is_ext_shared"], info["num_members"]) == (False, 3)
    kept = you.conversations_history(channel=shared)["messages"]
    assert before in [each["ts"] for each in kept]
    socket.take(kind="events_api")
    you.chat_postMessage(channel=shared, text="ours again")
    assert events(socket, 1)[0]["is_ext_shared_channel"] is False
