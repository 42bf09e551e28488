"""The settings of a bot that several workspaces install: all of them, or none."""

from __future__ import annotations

import pytest

from agent.errors import SettingsInvalid
from bot.cli import main
from bot.installations.seal import Seal, new_key
from bot.settings import read_settings

RIGHT = {
    "slack_app_token": "xapp-1",
    "slack_client_id": "123.456",
    "slack_client_secret": "abcdef",
    "token_key": new_key(),
    "public_url": "https://bot.example.com/",
    "teams": "T0123ABCD, T0456EFGH",
}


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # no .env of whoever runs the tests


def test_with_a_client_id_no_bot_token_is_needed(monkeypatch):
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-")  # as in .env.example
    settings = read_settings(**RIGHT)
    assert settings.serves_several
    assert settings.public_url == "https://bot.example.com"
    assert settings.allows("T0123ABCD")
    assert not settings.allows("T0999")
    assert not settings.allows("")


def test_without_one_none_of_the_others_is():
    settings = read_settings(slack_app_token="xapp-1", slack_bot_token="xoxb-1")
    assert not settings.serves_several
    assert not settings.allows("T0123ABCD")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"slack_client_secret": ""}, "SLACK_CLIENT_SECRET is not set: it is on the page"),
        ({"token_key": ""}, "DB_AGENT_TOKEN_KEY is not set: it encrypts"),
        ({"token_key": "short"}, "DB_AGENT_TOKEN_KEY must be keys of 44 letters"),
        ({"public_url": ""}, "DB_AGENT_PUBLIC_URL is not set"),
        ({"public_url": "http://bot.example.com"}, "DB_AGENT_PUBLIC_URL must be an address with"),
        ({"public_url": "https://u:p@bot.example.com"}, "must be an address with https"),
        ({"teams": ""}, "DB_AGENT_TEAMS is not set: it names the workspaces that may install"),
        ({"teams": "everybody"}, "DB_AGENT_TEAMS must be ids of workspaces with commas"),
        ({"slack_client_id": "my app"}, "SLACK_CLIENT_ID must be the app's Client ID"),
    ],
)
def test_what_is_missing_or_wrong_is_named_with_its_cure(changes, words):
    with pytest.raises(SettingsInvalid) as raised:
        read_settings(**{**RIGHT, **changes})
    assert words in str(raised.value)
    assert RIGHT["token_key"] not in str(raised.value)


def test_a_command_makes_a_key(capsys):
    assert main(["new-token-key"]) == 0
    made = capsys.readouterr().out.strip()
    seal = Seal(f"{made},{new_key()}")
    assert seal.open(seal.close("a token"), "T1") == "a token"
