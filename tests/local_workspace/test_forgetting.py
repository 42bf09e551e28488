"""A workspace that is to stay small keeps what is newest, whole threads at a time."""

from __future__ import annotations

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.local_workspace import LocalWorkspace

KEPT = 4


@pytest.fixture
def small(manifest):
    with LocalWorkspace.start(manifest, kept=KEPT) as workspace:
        yield workspace


@pytest.fixture
def writer(small):
    return WebClient(small.user_tokens["you"], base_url=small.api_url)


def texts(writer):
    found = writer.api_call("workspace.transcript")["messages"]
    return [each["text"] for each in found]


def test_the_oldest_thread_goes_with_its_replies(small, writer):
    channel = small.channels["general"]
    root = writer.chat_postMessage(channel=channel, text="old")["ts"]
    for number in range(2):
        writer.chat_postMessage(channel=channel, thread_ts=root, text=f"reply {number}")
    for number in range(2):
        writer.chat_postMessage(channel=channel, text=f"new {number}")
    assert texts(writer) == ["new 0", "new 1"]


def test_a_channel_keeps_as_many_as_it_was_told(small, writer):
    for number in range(KEPT + 3):
        writer.chat_postMessage(channel=small.channels["general"], text=f"{number}")
    writer.chat_postMessage(channel=small.channels["data"], text="elsewhere")
    assert sorted(texts(writer)) == ["3", "4", "5", "6", "elsewhere"]


def test_a_file_goes_with_its_message(small, writer):
    channel = small.channels["general"]
    shared = writer.files_upload_v2(channel=channel, content="a,b", filename="rows.csv")["file"]
    for number in range(KEPT):
        writer.chat_postMessage(channel=channel, text=f"{number}")
    with pytest.raises(SlackApiError, match="file_not_found"):
        writer.files_info(file=shared["id"])
