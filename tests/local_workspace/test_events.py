"""Which event an app is told of: what it subscribed to, in the channels where its bot is."""

import pytest
from slack_sdk import WebClient


def test_an_event_that_is_not_subscribed_is_not_sent(start, manifest):
    manifest["settings"]["event_subscriptions"]["bot_events"] = ["app_mention"]
    workspace = start(manifest)
    you = WebClient(token=workspace.user_tokens["you"], base_url=workspace.api_url)
    general = workspace.channels["general"]
    you.chat_postMessage(channel=general, text="hello")
    you.chat_postMessage(channel=general, text=f"<@{workspace.bot_user_id}> hi")
    rows = you.api_call("workspace.deliveries")["deliveries"]
    assert [row["payload"]["event"]["type"] for row in rows] == ["app_mention"]


def test_a_direct_message_is_message_im_and_no_mention(link, you, dm, workspace):
    socket = link()
    you.chat_postMessage(channel=dm, text=f"<@{workspace.bot_user_id}> hi")
    event = socket.take_event()
    assert (event["type"], event["channel_type"], event["channel"]) == ("message", "im", dm)
    assert "thread_ts" not in event
    assert socket.nothing()


def test_a_channel_without_the_bot_is_silent_until_it_is_invited(link, you, workspace):
    socket = link()
    channel = workspace.channels["finance-private"]
    asked = you.chat_postMessage(channel=channel, text=f"<@{workspace.bot_user_id}> hi")["ts"]
    assert socket.nothing()
    you.conversations_invite(channel=channel, users=workspace.bot_user_id)
    event = socket.take_event()
    assert (event["type"], event["ts"]) == ("app_mention", asked)
    you.chat_postMessage(channel=channel, text="now you hear")
    assert socket.take_event()["channel_type"] == "group"


def test_a_thread_reply_says_its_thread_and_parent(link, you, mia, general):
    socket = link()
    root = you.chat_postMessage(channel=general, text="q")["ts"]
    socket.take()
    mia.chat_postMessage(channel=general, thread_ts=root, text="me too")
    event = socket.take_event()
    assert (event["thread_ts"], event["parent_user_id"]) == (root, "U0LOCALYOU")
    assert event["user"] == "U0LOCALMIA"


def test_editing_and_deleting_are_told(link, you, general):
    socket = link()
    ts = you.chat_postMessage(channel=general, text="old")["ts"]
    socket.take()
    you.chat_update(channel=general, ts=ts, text="new")
    event = socket.take_event()
    assert (event["subtype"], event["hidden"]) == ("message_changed", True)
    assert (event["message"]["text"], event["previous_message"]["text"]) == ("new", "old")
    assert event["message"]["ts"] == ts != event["ts"]
    you.chat_delete(channel=general, ts=ts)
    event = socket.take_event()
    assert (event["subtype"], event["deleted_ts"]) == ("message_deleted", ts)
    assert event["previous_message"]["text"] == "new"


def test_the_end_of_a_message_with_replies_is_told_as_a_change(link, you, general):
    socket = link()
    ts = you.chat_postMessage(channel=general, text="old")["ts"]
    you.chat_postMessage(channel=general, text="a reply", thread_ts=ts)
    socket.take(), socket.take()
    you.chat_delete(channel=general, ts=ts)
    event = socket.take_event()
    assert (event["subtype"], event["message"]["subtype"]) == ("message_changed", "tombstone")
    assert (event["message"]["ts"], event["previous_message"]["text"]) == (ts, "old")


def test_the_app_is_told_of_its_own_messages_but_not_of_its_own_mention(
    link, bot, workspace, general
):
    socket = link()
    bot.chat_postMessage(channel=general, text=f"I am <@{workspace.bot_user_id}>")
    event = socket.take_event()
    assert (event["type"], event["user"]) == ("message", workspace.bot_user_id)
    assert event["bot_id"]
    assert socket.nothing()


def test_ephemeral_messages_are_no_events(link, bot, general):
    socket = link()
    bot.chat_postEphemeral(channel=general, user="U0LOCALYOU", text="psst")
    assert socket.nothing()


def test_a_reaction_is_an_event(link, you, general):
    socket = link()
    ts = you.chat_postMessage(channel=general, text="q")["ts"]
    socket.take()
    you.reactions_add(channel=general, timestamp=ts, name="eyes")
    event = socket.take_event()
    assert (event["type"], event["reaction"]) == ("reaction_added", "eyes")
    assert event["item"] == {"type": "message", "channel": general, "ts": ts}


@pytest.mark.parametrize("tab", ["home", "messages"])
def test_opening_the_app_s_home(link, you, dm, tab):
    socket = link()
    assert you.api_call("workspace.openAppHome", json={"tab": tab})["channel"] == dm
    event = socket.take_event()
    assert (event["type"], event["tab"], event["channel"]) == ("app_home_opened", tab, dm)
    assert event["user"] == "U0LOCALYOU"


def test_the_stop_button_ends_streams_and_tells_the_app(link, bot, you, dm, refused):
    socket = link()
    root = you.chat_postMessage(channel=dm, text="q")["ts"]
    socket.take()
    ts = bot.chat_startStream(channel=dm, thread_ts=root, markdown_text="so far")["ts"]
    socket.take()
    you.api_call("workspace.stopSession", json={"channel": dm, "thread_ts": root})
    event = socket.take_event()
    assert (event["type"], event["thread_ts"]) == ("agent_session_stopped", root)
    assert (event["channel"], event["user"]) == (dm, "U0LOCALYOU")
    assert event["streaming_message_ts"] == [ts]
    refused("stopped_by_user", bot.chat_appendStream, channel=dm, ts=ts, markdown_text="more")


def test_an_external_channel_says_so_everywhere(link, you, bot, workspace):
    socket = link()
    partner = you.api_call("workspace.addUser", json={"name": "pat", "is_stranger": True})
    shared = {
        "name": "shared",
        "is_ext_shared": True,
        "members": f"{workspace.bot_user_id},{partner['user']['id']}",
    }
    channel = you.api_call("workspace.addChannel", json=shared)["channel"]["id"]
    pat = WebClient(token=partner["token"], base_url=workspace.api_url)
    pat.chat_postMessage(channel=channel, text="hello")
    assert socket.take()["payload"]["is_ext_shared_channel"] is True
    assert bot.conversations_info(channel=channel)["channel"]["is_ext_shared"] is True
    assert bot.users_info(user=partner["user"]["id"])["user"]["is_stranger"] is True
