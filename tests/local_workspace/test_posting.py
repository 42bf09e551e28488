"""chat.*: what goes in comes out, and what Slack refuses is refused by the same name."""

import pytest


def test_a_posted_message_comes_back_in_the_history(bot, you, general):
    posted = bot.chat_postMessage(channel=general, text="hello")
    assert posted["channel"] == general
    assert posted["message"]["bot_id"].startswith("B")
    newest = you.conversations_history(channel=general)["messages"][0]
    assert (newest["ts"], newest["text"]) == (posted["ts"], "hello")
    assert newest["bot_profile"]["name"] == "db-agent"


def test_message_ids_are_unique_and_grow(bot, general):
    ids = [bot.chat_postMessage(channel=general, text=str(n))["ts"] for n in range(5)]
    assert ids == sorted(set(ids))
    assert all(len(each.partition(".")[2]) == 6 for each in ids)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
        ("already &amp; escaped", "already &amp; escaped"),
        ("<@U0LOCALMIA> <!here> <#C0LOCALGEN|general>",) * 2,
        ("<https://example.org|here>",) * 2,
        ("see https://example.org/x.", "see <https://example.org/x>."),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ],
)
def test_control_characters_are_escaped_and_tokens_kept(you, general, typed, stored):
    assert you.chat_postMessage(channel=general, text=typed)["message"]["text"] == stored


def test_what_a_person_types_carries_rich_text(you, general):
    message = you.chat_postMessage(channel=general, text="hi <@U0LOCALMIA> & co")["message"]
    assert message["client_msg_id"]
    assert message["blocks"][0]["elements"][0]["elements"] == [
        {"type": "text", "text": "hi "},
        {"type": "user", "user_id": "U0LOCALMIA"},
        {"type": "text", "text": " & co"},
    ]


def test_an_empty_message_is_no_text(bot, general, refused):
    post = "chat.postMessage"
    refused("no_text", bot.api_call, post, json={"channel": general, "text": "  "})
    refused("no_text", bot.api_call, post, json={"channel": general, "blocks": []})


def test_text_is_cut_at_40000_characters_with_a_warning(bot, general):
    answer = bot.chat_postMessage(channel=general, text="x" * 40_001)
    assert len(answer["message"]["text"]) == 40_000
    assert answer["warning"] == "message_truncated"
    assert "warning" not in bot.chat_postMessage(channel=general, text="x" * 40_000).data


def test_an_update_takes_4000_characters(bot, general, refused):
    ts = bot.chat_postMessage(channel=general, text="short")["ts"]
    bot.chat_update(channel=general, ts=ts, text="x" * 4000)
    refused("msg_too_long", bot.chat_update, channel=general, ts=ts, text="x" * 4001)


def test_markdown_text_stands_alone_and_has_12000_characters(bot, general, refused):
    message = bot.chat_postMessage(channel=general, markdown_text="**bold**")["message"]
    assert message["blocks"][0]["type"] == "markdown"
    both = {"text": "x", "markdown_text": "y"}
    refused("markdown_text_conflict", bot.chat_postMessage, channel=general, **both)
    refused("msg_too_long", bot.chat_postMessage, channel=general, markdown_text="x" * 12_001)


def test_unknown_and_hidden_channels_are_not_found(bot, mia, workspace, refused):
    refused("channel_not_found", bot.chat_postMessage, channel="C0NOWHERE", text="x")
    private = workspace.channels["finance-private"]
    refused("channel_not_found", bot.chat_postMessage, channel=private, text="x")
    refused("channel_not_found", mia.chat_postMessage, channel=private, text="x")


def test_posting_where_one_is_no_member_is_refused(you, bot, refused):
    channel = you.api_call("workspace.addChannel", json={"name": "quiet"})["channel"]["id"]
    refused("not_in_channel", bot.chat_postMessage, channel=channel, text="x")


def test_a_reply_shows_in_its_thread_and_counts_on_the_root(bot, you, general):
    root = you.chat_postMessage(channel=general, text="question")["ts"]
    reply = bot.chat_postMessage(channel=general, thread_ts=root, text="answer")["ts"]
    thread = you.conversations_replies(channel=general, ts=root)["messages"]
    assert [each["ts"] for each in thread] == [root, reply]
    assert thread[0]["reply_count"] == 1
    assert thread[0]["latest_reply"] == reply
    assert thread[1]["parent_user_id"] == "U0LOCALYOU"
    assert reply not in [m["ts"] for m in you.conversations_history(channel=general)["messages"]]


def test_thread_ts_must_be_the_ts_of_a_root(bot, you, general, refused):
    root = you.chat_postMessage(channel=general, text="question")["ts"]
    reply = bot.chat_postMessage(channel=general, thread_ts=root, text="answer")["ts"]
    post = bot.chat_postMessage
    refused("cannot_reply_to_message", post, channel=general, thread_ts=reply, text="x")
    refused("invalid_thread_ts", post, channel=general, thread_ts="0", text="x")
    refused("thread_not_found", post, channel=general, thread_ts="1700000000.000001", text="x")


def test_a_reply_to_a_root_deleted_meanwhile_lands_in_the_channel(bot, you, general):
    root = you.chat_postMessage(channel=general, text="question")["ts"]
    you.chat_delete(channel=general, ts=root)
    message = bot.chat_postMessage(channel=general, thread_ts=root, text="answer")["message"]
    assert "thread_ts" not in message


def test_a_deleted_root_with_replies_stays_as_a_tombstone(bot, you, general):
    root = you.chat_postMessage(channel=general, text="question")["ts"]
    answer = bot.chat_postMessage(channel=general, thread_ts=root, text="answer")["ts"]
    you.chat_delete(channel=general, ts=root)
    thread = you.conversations_replies(channel=general, ts=root)["messages"]
    assert [each.get("subtype") for each in thread] == ["tombstone", None]
    assert (thread[0]["reply_count"], thread[0]["latest_reply"]) == (1, answer)


def test_only_the_author_may_change_or_delete(bot, you, mia, general, refused):
    ts = you.chat_postMessage(channel=general, text="mine")["ts"]
    refused("cant_update_message", bot.chat_update, channel=general, ts=ts, text="x")
    refused("cant_delete_message", mia.chat_delete, channel=general, ts=ts)
    refused("message_not_found", you.chat_update, channel=general, ts="1.000001", text="x")
    edited = you.chat_update(channel=general, ts=ts, text="still mine")["message"]
    assert edited["text"] == "still mine"
    assert edited["edited"]["user"] == "U0LOCALYOU"


def test_an_update_without_blocks_keeps_them_and_an_empty_list_takes_them_away(bot, general):
    divider = [{"type": "divider"}]
    ts = bot.chat_postMessage(channel=general, text="a", blocks=divider)["ts"]
    kept = bot.chat_update(channel=general, ts=ts, text="b")["message"]
    assert (kept["text"], kept["blocks"][0]["type"]) == ("b", "divider")
    gone = bot.chat_update(channel=general, ts=ts, text="c", blocks=[])["message"]
    assert "blocks" not in gone


def test_an_ephemeral_message_is_seen_by_one_person_only(bot, you, mia, general, refused):
    sent = bot.chat_postEphemeral(channel=general, user="U0LOCALYOU", text="psst")
    see = {"channel": general}
    yours = you.api_call("workspace.messages", json=see)["messages"]
    assert [each["text"] for each in yours if each.get("is_ephemeral")] == ["psst"]
    assert mia.api_call("workspace.messages", json=see)["messages"] == []
    assert you.conversations_history(channel=general)["messages"] == []
    ts = sent["message_ts"]
    refused("message_not_found", bot.chat_update, channel=general, ts=ts, text="x")
    stranger = {"channel": general, "user": "U0NOBODY", "text": "x"}
    refused("user_not_in_channel", bot.chat_postEphemeral, **stranger)


def test_metadata_is_kept_and_checked(bot, general, refused):
    good = {"event_type": "answer", "event_payload": {"run": "7"}}
    ts = bot.chat_postMessage(channel=general, text="x", metadata=good)["ts"]
    kept = bot.chat_update(channel=general, ts=ts, text="y")["message"]["metadata"]
    assert kept == good
    send = bot.chat_postMessage
    bad = {"event_type": "answer"}
    refused("invalid_metadata_format", send, channel=general, text="x", metadata=bad)
    huge = {"event_type": "a", "event_payload": {"x": "y" * 9000}}
    refused("metadata_too_large", send, channel=general, text="x", metadata=huge)


def test_the_permalink_opens_the_page_at_the_message(bot, you, general, workspace):
    root = you.chat_postMessage(channel=general, text="q")["ts"]
    reply = bot.chat_postMessage(channel=general, thread_ts=root, text="a")["ts"]
    link = bot.chat_getPermalink(channel=general, message_ts=reply)["permalink"]
    assert link == f"{workspace.url}?channel={general}&message={reply}&thread={root}"


def test_reactions_come_once_and_go(bot, you, general, refused):
    ts = you.chat_postMessage(channel=general, text="q")["ts"]
    eyes = {"channel": general, "timestamp": ts, "name": "eyes"}
    bot.reactions_add(**eyes)
    refused("already_reacted", bot.reactions_add, **eyes)
    shown = you.conversations_history(channel=general)["messages"][0]["reactions"]
    assert shown == [{"name": "eyes", "users": [bot.auth_test()["user_id"]], "count": 1}]
    bot.reactions_remove(**eyes)
    refused("no_reaction", bot.reactions_remove, **eyes)
    refused("invalid_name", bot.reactions_add, **{**eyes, "name": "not a name"})
    refused("message_not_found", bot.reactions_add, **{**eyes, "timestamp": "1.000001"})
