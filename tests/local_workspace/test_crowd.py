"""Many people write at once, and a transcript tells what stands at the end."""

from __future__ import annotations

import time

import pytest


@pytest.fixture
def people(you, mia):
    return [each.auth_test()["user_id"] for each in (you, mia)]


def test_many_people_write_in_one_call(you, people, general, dm):
    posts = [
        {"user": people[0], "channel": general, "text": "one"},
        {"user": people[1], "channel": general, "text": "two"},
        {"user": people[0], "channel": dm, "text": "three"},
    ]
    written = you.api_call("workspace.postMany", json={"posts": posts})["ts"]
    found = you.api_call("workspace.transcript")["messages"]
    assert written == sorted(written)
    assert [(each["user"], each["channel"], each["text"]) for each in found] == [
        (post["user"], post["channel"], post["text"]) for post in posts
    ]


def test_they_write_evenly_within_a_time(you, people, general):
    post = {"user": people[0], "channel": general, "text": "one"}
    began = time.monotonic()
    you.api_call("workspace.postMany", json={"posts": [post] * 4, "within_s": 0.2})
    assert time.monotonic() - began >= 0.15


def test_only_members_write_and_only_messages(you, refused):
    refused("user_not_found", you.api_call, "workspace.postMany", json={"posts": [{"user": "U0"}]})
    refused("invalid_arguments", you.api_call, "workspace.postMany", json={"posts": ["one"]})


def test_a_transcript_counts_the_envelopes(link, you, general):
    socket = link()
    you.chat_postMessage(channel=general, text="hello")
    socket.take()
    counts = you.api_call("workspace.transcript")["envelopes"]
    assert counts | {"open": 0} == {"sent": 1, "again": 0, "open": 0, "lost": 0, "unheard": 0}
