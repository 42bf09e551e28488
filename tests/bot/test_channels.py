"""The channels that the settings name are tried before the bot starts."""

from __future__ import annotations

import pytest

from agent.errors import SettingsInvalid
from bot.channels import check_channels
from bot.settings import read_settings
from bot.slack_errors import SlackUnavailable


@pytest.fixture
def settings(workspace):
    def make(**given):
        return read_settings(
            slack_bot_token=workspace.bot_token,
            slack_app_token=workspace.app_token,
            slack_url=workspace.api_url,
            **given,
        )

    return make


def test_a_channel_with_the_bot_in_it_passes(settings, workspace):
    channel = workspace.channels["helpdesk"]
    check_channels(settings(escalation_channel=channel, operators_channel=channel))
    check_channels(settings())


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"escalation_channel": "C0NOBODYKNOWS"}, "DB_AGENT_ESCALATION_CHANNEL: there is no"),
        ({"operators_channel": "C0NOBODYKNOWS"}, "DB_AGENT_OPERATORS_CHANNEL: there is no"),
    ],
)
def test_a_channel_that_is_not_seen_is_named(settings, given, words):
    with pytest.raises(SettingsInvalid, match=words):
        check_channels(settings(**given))


@pytest.mark.parametrize(
    ("traits", "words"),
    [
        ({}, "#elsewhere does not have the bot as a member. Write /invite"),
        ({"is_ext_shared": True}, "#elsewhere is shared with another organisation"),
    ],
)
def test_a_channel_that_will_not_do_is_named_with_its_cure(settings, you, traits, words):
    body = {"name": "elsewhere", **traits}
    channel = you.client.api_call("workspace.addChannel", json=body)["channel"]["id"]
    with pytest.raises(SettingsInvalid, match=words):
        check_channels(settings(escalation_channel=channel))


def test_slack_that_does_not_answer_is_no_wrong_setting(settings, you):
    you.faults(error={"method": "conversations.info", "error": "internal_error"})
    with pytest.raises(SlackUnavailable, match="Try again"):
        check_channels(settings(escalation_channel="C0LOCALHLP"))
