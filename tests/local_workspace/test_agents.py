"""The agent surface: status lines, prompts, sessions and streams."""

import pytest
from slack_sdk import WebClient


@pytest.fixture
def root(you, dm):
    return you.chat_postMessage(channel=dm, text="q")["ts"]


@pytest.fixture
def in_channel(you, general):
    return you.chat_postMessage(channel=general, text="q")["ts"]


def session(client):
    return client.api_call("workspace.boot")["sessions"][-1]


def test_a_status_line_shows_and_goes_when_the_app_posts(bot, you, dm, root):
    bot.assistant_threads_setStatus(
        channel_id=dm, thread_ts=root, status="is thinking…", loading_messages=["Reading film"]
    )
    assert session(you)["status"] == "is thinking…"
    assert session(you)["loading_messages"] == ["Reading film"]
    assert session(you)["state"] == "processing"
    bot.chat_postMessage(channel=dm, thread_ts=root, text="answer")
    assert session(you)["status"] == ""


def test_an_empty_status_clears_the_line(bot, you, dm, root):
    bot.assistant_threads_setStatus(channel_id=dm, thread_ts=root, status="is thinking…")
    bot.assistant_threads_setStatus(channel_id=dm, thread_ts=root, status="")
    assert (session(you)["status"], session(you)["state"]) == ("", "active")


def test_limits_of_the_status_line(bot, dm, root, refused):
    set_status, where = bot.assistant_threads_setStatus, {"channel_id": dm, "thread_ts": root}
    refused("invalid_arguments", set_status, **where, status="x", loading_messages=["y"] * 11)
    refused("invalid_arguments", set_status, **where, status="x", loading_messages=["y" * 51])
    set_status(**where, status="x", loading_messages=["y" * 50] * 10)


def test_a_status_needs_the_root_of_a_thread(bot, dm, root, refused):
    reply = bot.chat_postMessage(channel=dm, thread_ts=root, text="a")["ts"]
    set_status = bot.assistant_threads_setStatus
    refused("invalid_thread_ts", set_status, channel_id=dm, thread_ts=reply, status="x")
    refused("channel_not_found", set_status, channel_id="C0NO", thread_ts=root, status="x")


def test_prompts_and_title(bot, you, dm, root, refused):
    prompt = {"title": "Films", "message": "How many films?"}
    bot.assistant_threads_setSuggestedPrompts(channel_id=dm, prompts=[prompt] * 4)
    assert you.api_call("workspace.boot")["prompts"][0]["prompts"] == [prompt] * 4
    suggest = bot.assistant_threads_setSuggestedPrompts
    refused("invalid_arguments", suggest, channel_id=dm, prompts=[prompt] * 5)
    refused("invalid_arguments", suggest, channel_id=dm, prompts=[{"title": "x"}])
    bot.assistant_threads_setTitle(channel_id=dm, thread_ts=root, title="Films")
    assert session(you)["title"] == "Films"


def test_sessions(bot, you, dm, root, refused):
    answer = bot.agents_sessions_setStatus(
        channel_id=dm, thread_ts=root, status="processing", title="Films"
    )
    assert (answer["status"], answer["title"]) == ("processing", "Films")
    assert "warning" not in answer.data
    assert session(you)["status"]
    assert session(you)["can_stop"] is True
    bot.agents_sessions_setStatus(channel_id=dm, thread_ts=root, status="active")
    assert session(you)["status"] == ""
    renamed = bot.agents_sessions_rename(channel_id=dm, thread_ts=root, title="Stores")
    assert renamed["title"] == session(you)["title"] == "Stores"
    set_status = bot.agents_sessions_setStatus
    refused("invalid_status", set_status, channel_id=dm, thread_ts=root, status="busy")
    refused("thread_ts_required", set_status, channel_id=dm, status="active")


def test_without_the_stop_event_there_is_a_warning_and_no_stop_button(start, manifest, refused):
    manifest["settings"]["event_subscriptions"]["bot_events"].remove("agent_session_stopped")
    workspace = start(manifest)
    bot = WebClient(token=workspace.bot_token, base_url=workspace.api_url)
    you = WebClient(token=workspace.user_tokens["you"], base_url=workspace.api_url)
    channel = workspace.channels["general"]
    root = you.chat_postMessage(channel=channel, text="q")["ts"]
    answer = bot.agents_sessions_setStatus(channel_id=channel, thread_ts=root, status="processing")
    assert answer["warning"] == "missing_agent_session_stopped_event_subscription"
    stop = {"channel": channel, "thread_ts": root}
    refused("no_stop_button", you.api_call, "workspace.stopSession", json=stop)


def test_an_app_that_is_no_agent_has_none_of_it(start, manifest, refused):
    del manifest["features"]["agent_view"]
    workspace = start(manifest)
    bot = WebClient(token=workspace.bot_token, base_url=workspace.api_url)
    where = {"channel_id": workspace.channels["general"], "thread_ts": "1.000001"}
    refused("not_agent_app", bot.assistant_threads_setStatus, **where, status="x")


def test_the_sdk_s_stream_ends_as_one_message(bot, you, general, in_channel):
    stream = bot.chat_stream(
        channel=general,
        thread_ts=in_channel,
        recipient_user_id="U0LOCALYOU",
        recipient_team_id=bot.auth_test()["team_id"],
        buffer_size=4,
    )
    stream.append(markdown_text="**hello wo")
    task = {"type": "task_update", "id": "1", "title": "Look at film", "status": "in_progress"}
    stream.append(chunks=[task, {"type": "plan_update", "title": "Steps"}])
    live = you.conversations_replies(channel=general, ts=in_channel)["messages"][1]
    assert live["streaming_state"] == "in_progress"
    stream.append(chunks=[{**task, "status": "complete", "output": "1,000 films"}])
    stream.stop(markdown_text="rld!**", blocks=[{"type": "divider"}])
    done = you.conversations_replies(channel=general, ts=in_channel)["messages"][1]
    assert done["streaming_state"] == "completed"
    card, words, divider = done["blocks"]
    assert (card["type"], card["status"], card["title"]) == (
        "task_card",
        "complete",
        "Look at film",
    )
    assert (words["type"], words["text"]) == ("markdown", "**hello world!**")
    assert divider["type"] == "divider"


def test_plan_mode_gathers_the_tasks(bot, dm, root):
    start = bot.chat_startStream(
        channel=dm,
        thread_ts=root,
        task_display_mode="plan",
        chunks=[
            {"type": "plan_update", "title": "Steps"},
            {"type": "task_update", "id": "1", "title": "Look", "status": "pending"},
        ],
    )
    message = bot.chat_stopStream(channel=dm, ts=start["ts"])["message"]
    assert message["blocks"][0]["title"] == "Steps"
    assert [task["task_id"] for task in message["blocks"][0]["tasks"]] == ["1"]


def test_a_stream_in_a_channel_needs_its_recipient(bot, general, in_channel, refused):
    start, where = bot.chat_startStream, {"channel": general, "thread_ts": in_channel}
    refused("missing_recipient_user_id", start, **where)
    refused("missing_recipient_team_id", start, **where, recipient_user_id="U0LOCALYOU")


def test_a_finished_or_expired_stream_takes_no_more(bot, you, dm, root, refused):
    gone = "message_not_in_streaming_state"
    ts = bot.chat_startStream(channel=dm, thread_ts=root)["ts"]
    bot.chat_stopStream(channel=dm, ts=ts)
    refused(gone, bot.chat_appendStream, channel=dm, ts=ts, markdown_text="x")
    refused(gone, bot.chat_stopStream, channel=dm, ts=ts)
    ts = bot.chat_startStream(channel=dm, thread_ts=root, markdown_text="so far")["ts"]
    you.api_call("workspace.faults", json={"stream_life_s": 0.0})
    refused(gone, bot.chat_appendStream, channel=dm, ts=ts, markdown_text="x")
    # The way out: the text goes into the message by chat.update.
    assert bot.chat_update(channel=dm, ts=ts, text="all of it")["text"] == "all of it"


def test_streams_can_be_expired_at_a_word(bot, you, dm, root, refused):
    ts = bot.chat_startStream(channel=dm, thread_ts=root)["ts"]
    you.api_call("workspace.faults", json={"expire_streams": True})
    refused("message_not_in_streaming_state", bot.chat_stopStream, channel=dm, ts=ts)


def test_a_running_stream_cannot_be_edited(bot, dm, root, refused):
    ts = bot.chat_startStream(channel=dm, thread_ts=root)["ts"]
    refused("streaming_state_conflict", bot.chat_update, channel=dm, ts=ts, text="x")


def test_a_stream_past_its_time_can_be_edited_though_nobody_has_tried_to_add_to_it(
    bot, you, dm, root
):
    ts = bot.chat_startStream(channel=dm, thread_ts=root)["ts"]
    you.api_call("workspace.faults", json={"stream_life_s": 0.0})
    assert bot.chat_update(channel=dm, ts=ts, text="all of it")["text"] == "all of it"


def test_the_words_for_notifications_are_made_of_the_last_task(bot, dm, root):
    task = {"type": "task_update", "id": "1", "title": "Looking", "status": "in_progress"}
    chunks = [{"type": "plan_update", "title": "Steps"}, task]
    ts = bot.chat_startStream(channel=dm, thread_ts=root, chunks=chunks)["ts"]
    assert bot.chat_stopStream(channel=dm, ts=ts)["message"]["text"] == "Steps Looking"


def test_the_end_of_a_stream_takes_metadata_and_a_status_that_there_is(bot, dm, root, refused):
    ts = bot.chat_startStream(channel=dm, thread_ts=root)["ts"]
    where = {"channel": dm, "ts": ts}
    refused("invalid_arguments", bot.chat_stopStream, **where, session_status="done")
    metadata = {"event_type": "answer", "event_payload": {"of": "us"}}
    ended = bot.chat_stopStream(**where, session_status="suspended", metadata=metadata)
    assert ended["message"]["metadata"] == metadata


def test_blocks_in_a_stream_can_be_refused(bot, you, dm, root, refused):
    chunk = {"type": "blocks", "blocks": [{"type": "divider"}]}
    given = {"channel": dm, "thread_ts": root, "chunks": [chunk]}
    assert bot.chat_startStream(**given)["ok"]
    you.api_call("workspace.faults", json={"refuse_stream_blocks": True})
    refused("invalid_chunks", bot.chat_startStream, **given)


def test_limits_of_chunks(bot, dm, root, refused):
    ts = bot.chat_startStream(channel=dm, thread_ts=root)["ts"]
    where = {"channel": dm, "ts": ts}
    task = {"type": "task_update", "id": "1", "title": "x" * 257, "status": "pending"}
    refused("invalid_chunks", bot.chat_appendStream, **where, chunks=[task])
    task |= {"title": "x", "status": "completed"}
    refused("invalid_chunks", bot.chat_appendStream, **where, chunks=[task])
    refused("invalid_chunks", bot.chat_appendStream, **where, chunks=[{"type": "song"}])
    words = [{"type": "markdown_text", "text": "x"}]
    both = {"markdown_text": "x", "chunks": words}
    refused("markdown_text_conflict", bot.chat_appendStream, **where, **both)
