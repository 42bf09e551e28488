"""Who is in a conversation, and what becomes of it: opened, left, closed, shared."""

from __future__ import annotations

import pytest
from slack_sdk import WebClient

NEWS = [
    *("channel_archive", "channel_unarchive", "channel_left", "channel_shared"),
    *("group_left", "member_joined_channel", "member_left_channel", "user_change"),
]


@pytest.fixture
def workspace(start, manifest):
    """One whose app hears of all that happens to conversations, group messages included."""
    manifest["oauth_config"]["scopes"]["bot"] += ["mpim:history", "mpim:read"]
    manifest["settings"]["event_subscriptions"]["bot_events"] += ["message.mpim", *NEWS]
    return start(manifest)


@pytest.fixture
def group(you, workspace):
    users = ["U0LOCALMIA", workspace.bot_user_id]
    return str(you.conversations_open(users=users)["channel"]["id"])


class TestGroupMessages:
    def test_they_open_once_for_the_same_people(self, you, mia, group, workspace):
        same = mia.conversations_open(users=[workspace.bot_user_id, "U0LOCALYOU"])
        assert same["channel"]["id"] == group
        other = you.conversations_open(users=["U0LOCALMIA", "U0LOCALBEN"])["channel"]["id"]
        assert other != group

    def test_only_their_members_know_of_them(self, bot, workspace, group, refused):
        info = bot.conversations_info(channel=group)["channel"]
        kinds = ("is_mpim", "is_private", "is_im", "is_channel", "is_archived")
        assert [info[kind] for kind in kinds] == [True, True, False, False, False]
        assert info["name"].startswith("mpdm-you--mia--")
        inside = bot.conversations_members(channel=group)["members"]
        assert inside == ["U0LOCALYOU", "U0LOCALMIA", workspace.bot_user_id]
        assert [each["id"] for each in bot.conversations_list(types="mpim")["channels"]] == [group]
        ben = WebClient(workspace.user_tokens["ben"], base_url=workspace.api_url)
        refused("channel_not_found", ben.conversations_info, channel=group)
        refused("channel_not_found", ben.chat_postMessage, channel=group, text="hi")

    def test_a_message_there_is_an_event_of_its_own_kind(self, link, you, group, workspace):
        socket = link()
        you.chat_postMessage(channel=group, text=f"<@{workspace.bot_user_id}> hi")
        events = [socket.take_event() for _ in range(2)]
        assert {each["type"] for each in events} == {"app_mention", "message"}
        (message,) = (each for each in events if each["type"] == "message")
        assert (message["channel_type"], message["channel"]) == ("mpim", group)

    def test_whom_they_cannot_be_opened_with(self, you, bot, refused, workspace):
        open_with = you.conversations_open
        refused("users_list_not_supplied", open_with, users="")
        refused("user_not_found", open_with, users="U0LOCALMIA,U0NOBODY")
        added = [you.api_call("workspace.addUser", json={"name": f"n{n}"}) for n in range(9)]
        everybody = [each["user"]["id"] for each in added]
        refused("too_many_users", open_with, users=everybody)
        gone = {"user": everybody[0], "deleted": True}
        you.api_call("workspace.changeUser", json=gone)
        refused("user_disabled", open_with, users=everybody[:2])
        # The bot's own scopes open direct messages of two, and no others.
        refused("missing_scope", bot.conversations_open, users="U0LOCALYOU,U0LOCALMIA")

    def test_nobody_is_invited_put_out_or_shut_out_of_them(self, you, group, refused):
        wrong = "method_not_supported_for_channel_type"
        refused(wrong, you.conversations_invite, channel=group, users="U0LOCALBEN")
        refused(wrong, you.conversations_kick, channel=group, user="U0LOCALMIA")
        refused(wrong, you.conversations_archive, channel=group)

    def test_without_its_scope_nothing_is_read(self, start, refused):
        workspace = start()
        you = WebClient(workspace.user_tokens["you"], base_url=workspace.api_url)
        bot = WebClient(workspace.bot_token, base_url=workspace.api_url)
        users = ["U0LOCALMIA", workspace.bot_user_id]
        group = you.conversations_open(users=users)["channel"]["id"]
        body = refused("missing_scope", bot.conversations_info, channel=group)
        assert body["needed"] == "mpim:read"
        refused("missing_scope", bot.conversations_history, channel=group)


class TestClosedChannels:
    @pytest.fixture
    def data(self, workspace):
        return workspace.channels["data"]

    def test_nothing_can_be_said_in_one_and_all_can_be_read(self, you, bot, data, refused):
        root = you.chat_postMessage(channel=data, text="hello")["ts"]
        mine = bot.chat_postMessage(channel=data, text="mine", thread_ts=root)["ts"]
        there = {"channel": data, "thread_ts": root}
        to = {"recipient_user_id": "U0LOCALYOU", "recipient_team_id": "T0LOCALDEV"}
        stream = bot.chat_startStream(**there, **to)["ts"]
        you.conversations_archive(channel=data)
        refused("is_archived", bot.chat_postMessage, text="more", **there)
        refused("is_archived", you.chat_postMessage, channel=data, text="more")
        refused("is_archived", bot.chat_postEphemeral, user="U0LOCALYOU", text="more", **there)
        refused("is_archived", bot.chat_startStream, **there, **to)
        refused("is_archived", bot.chat_appendStream, channel=data, ts=stream, markdown_text="x")
        refused("is_archived", bot.chat_stopStream, channel=data, ts=stream)
        refused("is_inactive", bot.chat_update, channel=data, ts=mine, text="more")
        refused("is_archived", bot.reactions_add, channel=data, timestamp=root, name="eyes")
        read = bot.conversations_replies(channel=data, ts=root)["messages"]
        assert [each["text"] for each in read[:2]] == ["hello", "mine"]
        assert bot.conversations_info(channel=data)["channel"]["is_archived"]
        you.conversations_unarchive(channel=data)
        assert bot.chat_update(channel=data, ts=mine, text="more")["ok"]

    def test_a_command_finds_no_way_in_and_a_reply_to_one_no_way_out(self, you, data, refused):
        you.conversations_archive(channel=data)
        command = {"channel": data, "command": "/ask", "text": "hi"}
        refused("is_archived", you.api_call, "workspace.slashCommand", json=command)

    def test_the_app_is_told(self, link, you, data):
        socket = link()
        you.conversations_archive(channel=data)
        event = socket.take_event()
        assert (event["type"], event["channel"]) == ("channel_archive", data)
        assert event["user"] == "U0LOCALYOU"
        you.conversations_unarchive(channel=data)
        assert socket.take_event()["type"] == "channel_unarchive"

    def test_what_is_refused(self, you, general, data, refused):
        refused("cant_archive_general", you.conversations_archive, channel=general)
        refused("not_archived", you.conversations_unarchive, channel=data)
        you.conversations_archive(channel=data)
        refused("already_archived", you.conversations_archive, channel=data)
        refused("is_archived", you.conversations_invite, channel=data, users="U0NOBODY")
        shown = you.conversations_list(exclude_archived=True)["channels"]
        assert data not in [each["id"] for each in shown]


class TestLeaving:
    def test_a_bot_that_is_put_out_is_told_and_can_say_nothing(self, link, you, bot, workspace):
        socket, data = link(), workspace.channels["data"]
        you.conversations_kick(channel=data, user=workspace.bot_user_id)
        events = [socket.take_event() for _ in range(2)]
        assert [each["type"] for each in events] == ["member_left_channel", "channel_left"]
        assert events[1]["actor_id"] == "U0LOCALYOU"
        with pytest.raises(Exception, match="not_in_channel"):
            bot.chat_postMessage(channel=data, text="hi")
        you.conversations_invite(channel=data, users=workspace.bot_user_id)
        event = socket.take_event()
        assert (event["type"], event["inviter"]) == ("member_joined_channel", "U0LOCALYOU")
        assert bot.chat_postMessage(channel=data, text="hi")["ok"]

    def test_of_a_private_channel_nothing_is_known_from_outside(self, you, bot, workspace, refused):
        private = workspace.channels["finance-private"]
        you.conversations_invite(channel=private, users=workspace.bot_user_id)
        assert bot.chat_postMessage(channel=private, text="hi")["ok"]
        bot_id = workspace.bot_user_id
        you.conversations_kick(channel=private, user=bot_id)
        refused("channel_not_found", bot.chat_postMessage, channel=private, text="hi")
        refused("not_in_channel", you.conversations_kick, channel=private, user=bot_id)

    def test_what_is_refused(self, you, general, workspace, refused):
        kick, data = you.conversations_kick, workspace.channels["data"]
        refused("cant_kick_self", kick, channel=data, user="U0LOCALYOU")
        refused("cant_kick_from_general", kick, channel=general, user="U0LOCALMIA")
        refused("user_not_found", kick, channel=data, user="U0NOBODY")
        refused("cant_leave_general", you.conversations_leave, channel=general)
        assert you.conversations_leave(channel=data)["ok"]
        assert you.conversations_leave(channel=data)["not_in_channel"]

    def test_who_has_left_a_public_channel_comes_in_again_by_themselves(
        self, link, you, mia, workspace, refused
    ):
        socket, data = link(), workspace.channels["data"]
        mia.conversations_leave(channel=data)
        refused("not_in_channel", mia.chat_postMessage, channel=data, text="hi")
        for _ in range(2):  # who is in it already stays
            assert mia.conversations_join(channel=data)["channel"]["is_member"]
        events = [socket.take_event() for _ in range(2)]
        assert [each["type"] for each in events] == ["member_left_channel", "member_joined_channel"]
        assert "inviter" not in events[1]
        assert socket.nothing()
        private = workspace.channels["finance-private"]
        refused("channel_not_found", mia.conversations_join, channel=private)


def test_a_channel_that_others_come_into_is_told_of(link, you, general):
    socket = link()
    shared = {"channel": general, "is_ext_shared": True, "outsiders": "T0OTHER"}
    you.api_call("workspace.changeChannel", json=shared)
    event = socket.take_event()
    assert (event["type"], event["connected_team_id"]) == ("channel_shared", "T0OTHER")


def test_a_member_who_is_deactivated_is_told_of_and_can_do_nothing(link, you, mia, refused):
    socket = link()
    you.api_call("workspace.changeUser", json={"user": "U0LOCALMIA", "deleted": True})
    event = socket.take_event()
    assert (event["type"], event["user"]["deleted"]) == ("user_change", True)
    refused("account_inactive", mia.auth_test)


def test_zone_and_language_of_a_member_can_be_set(you, bot):
    given = {"name": "yui", "tz": "Asia/Tokyo", "locale": "ja-JP", "is_ultra_restricted": True}
    user = you.api_call("workspace.addUser", json=given)["user"]
    assert bot.users_info(user=user["id"])["user"]["tz"] == "Asia/Tokyo"
    assert user["is_restricted"]
    assert user["is_ultra_restricted"]
    changed = {"user": user["id"], "tz": "America/New_York"}
    you.api_call("workspace.changeUser", json=changed)
    assert bot.users_info(user=user["id"])["user"]["tz"] == "America/New_York"


def test_locale_of_a_member_is_told_only_when_it_is_asked_for(you, bot):
    you.api_call("workspace.changeUser", json={"user": "U0LOCALMIA", "locale": "de-DE"})
    assert "locale" not in bot.users_info(user="U0LOCALMIA")["user"]
    asked = bot.users_info(user="U0LOCALMIA", include_locale=True)["user"]
    assert (asked["locale"], asked["tz"]) == ("de-DE", "Europe/Berlin")
    members = bot.users_list(include_locale=True)["members"]
    assert {each["locale"] for each in members} == {"de-DE", "en-US"}
    assert not any("locale" in each for each in bot.users_list()["members"])
