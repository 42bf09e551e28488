"""The manifest for HTTP is the one for Socket Mode, called at an address; the two cannot drift."""

from __future__ import annotations

import json

import pytest

from bot.http import slack_requests
from bot.manifest import (
    EXAMPLE_ADDRESS,
    HTTP_FILE,
    http_text,
    load_manifest,
    manifest_path,
    over_http,
)

FILE = manifest_path().with_name(HTTP_FILE)
CALLED = json.loads(FILE.read_text(encoding="utf-8"))


def test_file_is_what_is_made_of_the_other_one():
    assert FILE.read_text(encoding="utf-8") == http_text(), "run: python -m bot.manifest"


def test_it_differs_in_its_addresses_and_in_socket_mode_and_in_nothing_else():
    # So what test_manifest and test_manifest_rules say of the other one holds for it as well.
    settings = CALLED["settings"]
    addresses = [
        settings[each].pop("request_url") for each in ("event_subscriptions", "interactivity")
    ]
    addresses += [command.pop("url") for command in CALLED["features"]["slash_commands"]]
    assert set(addresses) == {EXAMPLE_ADDRESS}
    assert not settings.pop("socket_mode_enabled")
    other = load_manifest()
    assert other["settings"].pop("socket_mode_enabled")
    assert other == CALLED


def test_its_addresses_are_such_as_slack_takes_and_the_bot_answers_at():
    # The rules that Slack publishes: text that begins with https://, and no longer than this.
    assert EXAMPLE_ADDRESS.startswith("https://")
    assert len(EXAMPLE_ADDRESS) <= 3000
    assert EXAMPLE_ADDRESS.endswith(slack_requests.PATH)


@pytest.mark.parametrize("address", [EXAMPLE_ADDRESS, "http://127.0.0.1:8080/slack/events"])
def test_workspace_takes_it(start_workspace, address):
    assert start_workspace(manifest=over_http(load_manifest(), address)).signing_secret
