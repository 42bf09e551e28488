"""Settings and tokens: what is missing or wrong is named, with the way to get it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pydantic import ValidationError

from agent.errors import SettingsInvalid
from bot.app import SlackBot
from bot.settings import read_settings
from bot.slack_errors import SlackUnavailable
from bot.tokens import check_tokens

EXAMPLE = Path(__file__).parents[2] / ".env.example"
GOOD = {"slack_bot_token": "xoxb-1", "slack_app_token": "xapp-1"}


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # no .env of whoever runs the tests


def test_settings_come_from_the_environment(monkeypatch):
    for name, value in {
        "SLACK_BOT_TOKEN": " xoxb-env ",
        "SLACK_APP_TOKEN": "xapp-env",
        "DB_AGENT_STORE_URL": "postgresql://store",
        "DB_AGENT_WORKERS": "3",
        "DB_AGENT_DATA_DIR": "/somewhere",
    }.items():
        monkeypatch.setenv(name, value)
    settings = read_settings()
    assert settings.slack_bot_token.get_secret_value() == "xoxb-env"
    assert settings.store_url.get_secret_value() == "postgresql://store"
    assert settings.workers == 3
    assert str(settings.data_dir) == "/somewhere"
    assert read_settings(slack_bot_token="xoxb-given").slack_bot_token.get_secret_value() == (
        "xoxb-given"
    )


def test_settings_come_from_a_file_too(tmp_path):
    (tmp_path / ".env").write_text("SLACK_BOT_TOKEN=xoxb-file\nSLACK_APP_TOKEN=xapp-file\n")
    assert read_settings().slack_bot_token.get_secret_value() == "xoxb-file"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, ["SLACK_BOT_TOKEN is not set", "OAuth & Permissions", "SLACK_APP_TOKEN is not set"]),
        (GOOD | {"slack_bot_token": "xapp-1"}, ["SLACK_BOT_TOKEN", "xoxb-", "an app-level token"]),
        (GOOD | {"slack_app_token": "xoxb-1"}, ["SLACK_APP_TOKEN", "a bot token", "connections:"]),
        (GOOD | {"slack_bot_token": "xoxb-"}, ["SLACK_BOT_TOKEN is not filled in", "xoxb-"]),
        (GOOD | {"slack_bot_token": "hunter2"}, ["SLACK_BOT_TOKEN", "no token"]),
        (GOOD | {"admins": "U0123ABCD, ann"}, ["DB_AGENT_ADMINS must be members' ids", "profile"]),
        (
            GOOD | {"max_usd_per_channel_day": "-1"},
            ["DB_AGENT_MAX_USD_PER_CHANNEL_DAY must be a number above 0, or empty, not '-1'."],
        ),
        (
            GOOD | {"workers": 0},
            ["DB_AGENT_WORKERS must be a whole number from 1 to 64, not '0'."],
        ),
    ],
    ids=[
        "missing",
        "swapped bot",
        "swapped app",
        "placeholder",
        "nonsense",
        "a name",
        "no dollars",
        "no workers",
    ],
)
def test_wrong_settings_are_named_with_their_cure(given, words):
    with pytest.raises(SettingsInvalid) as raised:
        read_settings(**given)
    for word in words:
        assert word in str(raised.value)
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("DB_AGENT_WORKERS", "abc", "must be a whole number from 1 to 64, not 'abc'."),
        ("DB_AGENT_SOCKETS", "11", "must be a whole number from 1 to 10, not '11'."),
        ("DB_AGENT_KEEP_RUNS_DAYS", "-1", "must be a whole number from 0 to 36,500, not '-1'."),
        ("DB_AGENT_KEEP_RESULTS_DAYS", "a", "must be a whole number from 0 to 36,500, not 'a'."),
        ("DB_AGENT_SLACK_URL", "nonsense", "must be the address of a Web API, such as https://"),
        ("DB_AGENT_SLACK_URL", "https://u:hunter2@h:port/", "must be the address of a Web API"),
        ("DB_AGENT_SLACK_URL", "slack.com/api/", "must be the address of a Web API"),
    ],
)
def test_wrong_variable_says_what_it_must_be(monkeypatch, variable, value, sentence):
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsInvalid) as raised:
        read_settings(**GOOD)
    assert str(raised.value).startswith(f"{variable} {sentence}")
    assert "hunter2" not in str(raised.value)


def test_copied_and_unfilled_file_is_named_as_such():
    shutil.copy(EXAMPLE, ".env")
    with pytest.raises(SettingsInvalid) as raised:
        read_settings()
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"):
        assert f"{name} is not filled in: it is still x" in str(raised.value)


def test_settings_never_change_and_never_show_a_token():
    settings = read_settings(**GOOD)
    with pytest.raises(ValidationError):
        settings.workers = 9
    assert "xoxb-1" not in repr(settings)


def test_good_tokens_pass(workspace):
    check_tokens(settings_for(workspace))


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"slack_bot_token": "xoxb-wrong"}, "SLACK_BOT_TOKEN does not work"),
        ({"slack_app_token": "xapp-wrong"}, "SLACK_APP_TOKEN does not work"),
    ],
)
def test_token_that_slack_refuses_is_named(workspace, given, name):
    with pytest.raises(SettingsInvalid, match=name) as raised:
        check_tokens(settings_for(workspace, **given))
    assert "api.slack.com" in str(raised.value)
    assert "wrong" not in str(raised.value)


def test_slack_out_of_reach_is_no_wrong_token():
    with pytest.raises(SlackUnavailable, match="cannot be reached"):
        check_tokens(read_settings(**GOOD, slack_url="http://127.0.0.1:1/api/"))


def test_bot_that_cannot_reach_slack_says_so(store, agent):
    settings = read_settings(**GOOD, slack_url="http://127.0.0.1:1/api/")
    with pytest.raises(SlackUnavailable, match="Slack does not say who the bot is"):
        SlackBot(settings, agent=agent, store=store)


def settings_for(workspace, **given):
    tokens = {"slack_bot_token": workspace.bot_token, "slack_app_token": workspace.app_token}
    return read_settings(**{**tokens, **given}, slack_url=workspace.api_url)


@pytest.mark.parametrize("app_token", ["", "xapp-"])
def test_where_slack_calls_us_the_app_token_is_not_asked_for(app_token):
    given = {"slack_bot_token": "xoxb-1", "slack_app_token": app_token}
    settings = read_settings(http=True, slack_signing_secret="8f742231b10e8888", **given)
    assert settings.events_over_http
    with pytest.raises(SettingsInvalid, match="SLACK_APP_TOKEN"):  # a secret alone opens no port
        read_settings(slack_signing_secret="8f742231b10e8888", **given)


def test_port_without_a_signing_secret_needs_a_way_to_slack_and_both_are_named():
    with pytest.raises(SettingsInvalid, match=r"SLACK_APP_TOKEN is not set.*SLACK_SIGNING_SECRET"):
        read_settings(http=True, slack_bot_token="xoxb-1")
    assert not read_settings(http=True, **GOOD).events_over_http


@pytest.mark.parametrize("secret", ["xoxb-12345678", '"8f742231b10e8888"', "8f74 2231", "short"])
def test_wrong_signing_secret_is_named_and_not_shown(secret):
    with pytest.raises(SettingsInvalid) as caught:
        read_settings(http=True, slack_bot_token="xoxb-1", slack_signing_secret=secret)
    assert 'SLACK_SIGNING_SECRET must be letters and digits alone: it is the "Signing' in str(
        caught.value
    )
    assert "SLACK_APP_TOKEN" not in str(caught.value)
    assert secret not in str(caught.value)
