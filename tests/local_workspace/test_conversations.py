"""conversations.* and users.*: what a token may know, page by page."""

import pytest


def names(answer):
    return [each["name"] for each in answer["channels"]]


def test_channels_by_type_and_membership(bot, you, mia, dm, workspace):
    assert names(bot.conversations_list()) == ["general", "data", "helpdesk"]
    kinds = "public_channel,private_channel"
    assert names(you.conversations_list(types=kinds)) == [
        "general",
        "data",
        "helpdesk",
        "finance-private",
    ]
    assert names(mia.conversations_list(types=kinds)) == ["general", "data", "helpdesk"]
    (direct,) = bot.conversations_list(types="im")["channels"]
    assert (direct["id"], direct["user"], direct["is_im"]) == (dm, "U0LOCALYOU", True)


def test_what_info_says_of_a_channel(bot, you, general, dm, workspace, refused):
    info = bot.conversations_info(channel=general)["channel"]
    assert (info["name"], info["is_member"], info["is_private"]) == ("general", True, False)
    assert info["is_ext_shared"] is False
    assert bot.conversations_info(channel=dm)["channel"]["is_im"] is True
    private = workspace.channels["finance-private"]
    assert you.conversations_info(channel=private)["channel"]["is_private"] is True
    refused("channel_not_found", bot.conversations_info, channel=private)


def test_members(bot, general, workspace):
    inside = bot.conversations_members(channel=general)["members"]
    assert inside == ["U0LOCALYOU", "U0LOCALMIA", "U0LOCALBEN", workspace.bot_user_id]


def test_users(bot, refused, workspace):
    assert bot.users_info(user="U0LOCALMIA")["user"]["real_name"] == "Mia Torres"
    me = bot.users_info(user=workspace.bot_user_id)["user"]
    assert me["is_bot"] is True
    assert len(bot.users_list()["members"]) == 4
    refused("user_not_found", bot.users_info, user="U0NOBODY")
    bot_id = me["profile"]["bot_id"]
    assert bot.bots_info(bot=bot_id)["bot"]["user_id"] == workspace.bot_user_id
    refused("bot_not_found", bot.bots_info, bot="B0NOBODY")


def test_team_info(you, bot, refused):
    assert you.team_info()["team"]["name"] == "Local workspace"
    refused("missing_scope", bot.team_info)


def test_direct_messages_open_once(bot, you, dm, refused):
    again = bot.conversations_open(users=["U0LOCALYOU"], return_im=True)["channel"]
    assert again["id"] == dm
    refused("user_not_found", bot.conversations_open, users="U0NOBODY")


def test_a_message_to_a_member_s_id_goes_into_the_direct_messages(bot, dm):
    assert bot.chat_postMessage(channel="U0LOCALYOU", text="hi")["channel"] == dm


@pytest.fixture
def thread(you, general):
    root = you.chat_postMessage(channel=general, text="0")["ts"]
    for number in range(1, 6):
        you.chat_postMessage(channel=general, thread_ts=root, text=str(number))
    return root


def test_replies_come_in_pages(bot, general, thread):
    first = bot.conversations_replies(channel=general, ts=thread, limit=4)
    assert [m["text"] for m in first["messages"]] == ["0", "1", "2", "3"]
    assert first["has_more"] is True
    cursor = first["response_metadata"]["next_cursor"]
    rest = bot.conversations_replies(channel=general, ts=thread, limit=4, cursor=cursor)
    assert [m["text"] for m in rest["messages"]] == ["4", "5"]
    assert (rest["has_more"], rest["response_metadata"]["next_cursor"]) == (False, "")


def test_replies_between_two_times(bot, general, thread):
    all_of_it = bot.conversations_replies(channel=general, ts=thread)["messages"]
    second = all_of_it[2]["ts"]
    after = bot.conversations_replies(channel=general, ts=thread, oldest=second)["messages"]
    assert [m["text"] for m in after] == ["3", "4", "5"]
    incl = bot.conversations_replies(channel=general, ts=thread, latest=second, inclusive=True)
    assert [m["text"] for m in incl["messages"]] == ["0", "1", "2"]


def test_replies_refuses_what_is_not_there(bot, general, thread, refused):
    replies = bot.conversations_replies
    refused("thread_not_found", replies, channel=general, ts="1.000001")
    refused("invalid_cursor", replies, channel=general, ts=thread, cursor="x")
    refused("invalid_limit", replies, channel=general, ts=thread, limit=1001)
    refused("invalid_ts_oldest", replies, channel=general, ts=thread, oldest="x")


def test_the_ts_of_a_reply_finds_its_thread(bot, general, thread):
    reply = bot.conversations_replies(channel=general, ts=thread)["messages"][3]["ts"]
    found = bot.conversations_replies(channel=general, ts=reply)["messages"]
    assert found[0]["ts"] == thread


def test_history_is_newest_first_and_without_replies(bot, you, general, thread):
    you.chat_postMessage(channel=general, text="later")
    history = bot.conversations_history(channel=general)["messages"]
    assert [m["text"] for m in history] == ["later", "0"]


def test_a_broadcast_reply_is_in_both_places(bot, general, thread):
    post = {"channel": general, "thread_ts": thread, "text": "all", "reply_broadcast": True}
    ts = bot.chat_postMessage(**post)["ts"]
    assert bot.conversations_history(channel=general)["messages"][0]["ts"] == ts
    assert bot.conversations_replies(channel=general, ts=thread)["messages"][-1]["ts"] == ts


def test_an_invitation_lets_the_bot_in(you, bot, workspace, refused):
    private = workspace.channels["finance-private"]
    refused("channel_not_found", bot.conversations_history, channel=private)
    you.conversations_invite(channel=private, users=workspace.bot_user_id)
    assert bot.conversations_history(channel=private)["ok"]
    invite = you.conversations_invite
    refused("already_in_channel", invite, channel=private, users=workspace.bot_user_id)


def test_what_an_app_noted_on_a_message_is_shown_where_it_is_asked_for(bot, general):
    noted = {"event_type": "card", "event_payload": {"mark": "m1"}}
    bot.chat_postMessage(channel=general, text="x", metadata=noted)
    (plain,) = bot.conversations_history(channel=general)["messages"]
    assert "metadata" not in plain
    found = bot.conversations_history(channel=general, include_all_metadata=True)["messages"]
    assert [each["metadata"] for each in found] == [noted]
