"""Administrators who set what holds in a channel, by the form or behind its back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.store import ChannelSettings, Store

TEAM = "T0LOCALDEV"
FIELD = "channel_settings"
Json = dict[str, Any]


class Form:
    """What a person does with the form of a channel."""

    @staticmethod
    def open(person: Any, channel: str) -> Json:
        """Ask for it, and wait for it."""
        person.command(channel, "settings")
        return dict(person.modal())

    @staticmethod
    def ticked(view: Json) -> set[str]:
        """What is ticked as it opens."""
        (element,) = [each["element"] for each in view["blocks"] if each["type"] == "input"]
        return {each["value"] for each in element.get("initial_options", ())}

    @staticmethod
    def save(person: Any, view: Json, *chosen: str) -> Json:
        """Tick just these, and save; what became of it."""
        options = [{"value": each, "text": {"type": "plain_text", "text": each}} for each in chosen]
        values = {FIELD: {FIELD: {"type": "checkboxes", "selected_options": options}}}
        body = {"view_id": view["id"], "values": values}
        return dict(person.client.api_call("workspace.submitView", json=body).data)

    def set(self, person: Any, channel: str, *chosen: str) -> None:
        """Open it, tick just these, save, close it."""
        saved = self.save(person, self.open(person, channel), *chosen)
        assert "this holds now" in str(saved)
        self.close(person, saved["view"])

    @staticmethod
    def close(person: Any, view: Json) -> None:
        person.client.api_call("workspace.closeView", json={"view_id": view["id"]})


@pytest.fixture
def form() -> Form:
    return Form()


@pytest.fixture
def was_set(store: Store) -> Callable[..., None]:
    """Sets a channel before a bot has looked at what is set."""

    def put(channel: str, **given: Any) -> None:
        store.set_channel(TEAM, channel, ChannelSettings(set_by="U0BOSS", **given))

    return put


@pytest.fixture
def add_channel(you: Any) -> Callable[..., str]:
    """Adds a channel with the bot in it, and returns its id."""

    def add(name: str, **traits: Any) -> str:
        members = ",".join([you.workspace.bot_user_id, *traits.pop("members", ())])
        body = {"name": name, "members": members, **traits}
        return str(you.client.api_call("workspace.addChannel", json=body)["channel"]["id"])

    return add


@pytest.fixture
def shared(add_channel: Callable[..., str]) -> str:
    """A channel that one other organisation shares."""
    return add_channel("partners", is_ext_shared=True, outsiders="T0OTHER")


@pytest.fixture
def told_alone() -> Callable[..., list[Json]]:
    """Waits for what only one person is told in a channel or thread: just so many messages."""

    def wait(person: Any, channel: str, thread_ts: str = "", count: int = 1) -> list[Json]:
        def alone() -> list[Json]:
            seen = person.from_bot(channel, thread_ts)
            return [each for each in seen if each.get("is_ephemeral")]

        person.eventually(lambda: len(alone()) >= count)
        found = alone()
        assert len(found) == count
        return found

    return wait
