"""Modals that stand on each other: three at most, and what is closed with what."""

from __future__ import annotations

import threading

import pytest

MODAL = {
    "type": "modal",
    "title": {"type": "plain_text", "text": "Why?"},
    "blocks": [{"type": "divider"}],
    "notify_on_close": True,
}


@pytest.fixture
def socket(link):
    return link()


@pytest.fixture
def trigger(socket, you, general):
    """A fresh trigger_id, from a command."""

    def use():
        body = {"channel": general, "command": "/ask", "text": "hi"}
        typed = threading.Thread(
            target=you.api_call, args=("workspace.slashCommand",), kwargs={"json": body}
        )
        typed.start()
        envelope = socket.take(kind="slash_commands")
        typed.join()
        return envelope["payload"]["trigger_id"]

    return use


@pytest.fixture
def stack(bot, trigger):
    """Three modals, one on another."""
    views = [bot.views_open(trigger_id=trigger(), view=MODAL)["view"]]
    for _ in range(2):
        views.append(bot.views_push(trigger_id=trigger(), view=MODAL)["view"])
    return views


def closed(socket):
    payload = socket.take(kind="interactive")["payload"]
    assert payload["type"] == "view_closed"
    return payload["view"]["id"], payload["is_cleared"]


def test_three_stand_on_each_other_and_a_fourth_is_refused(bot, you, stack, trigger, refused):
    first, second, third = stack
    assert (third["previous_view_id"], third["root_view_id"]) == (second["id"], first["id"])
    refused("push_limit_reached", bot.views_push, trigger_id=trigger(), view=MODAL)
    assert len(you.api_call("workspace.boot")["views"]) == 3


def test_one_is_closed_by_itself_unless_it_takes_all_along(bot, you, socket, stack):
    first, second, third = stack
    you.api_call("workspace.closeView", json={"view_id": third["id"]})
    assert closed(socket) == (third["id"], False)
    assert [each["id"] for each in you.api_call("workspace.boot")["views"]] == [
        first["id"],
        second["id"],
    ]
    bot.views_update(view_id=second["id"], view={**MODAL, "clear_on_close": True})
    you.api_call("workspace.closeView", json={"view_id": second["id"]})
    assert [closed(socket), closed(socket)] == [(second["id"], True), (first["id"], True)]
    assert you.api_call("workspace.boot")["views"] == []


def test_an_app_that_did_not_ask_hears_nothing_of_the_end(bot, you, socket, trigger):
    quiet = {**MODAL, "notify_on_close": False}
    view = bot.views_open(trigger_id=trigger(), view=quiet)["view"]
    you.api_call("workspace.closeView", json={"view_id": view["id"]})
    assert socket.nothing()


def test_nothing_is_pushed_onto_nothing_and_a_trigger_is_used_once(bot, trigger, refused):
    unused, used = trigger(), trigger()
    refused("invalid_arguments", bot.views_push, trigger_id=unused, view=MODAL)
    bot.views_open(trigger_id=used, view=MODAL)
    refused("exchanged_trigger_id", bot.views_push, trigger_id=used, view=MODAL)


def test_a_name_of_the_app_s_own_is_given_once(bot, you, trigger, refused):
    named = {**MODAL, "external_id": "mine"}
    view = bot.views_open(trigger_id=trigger(), view=named)["view"]
    refused("duplicate_external_id", bot.views_open, trigger_id=trigger(), view=named)
    assert bot.views_update(external_id="mine", view=named)["view"]["id"] == view["id"]
    you.api_call("workspace.closeView", json={"view_id": view["id"]})
    assert bot.views_open(trigger_id=trigger(), view=named)["ok"]
