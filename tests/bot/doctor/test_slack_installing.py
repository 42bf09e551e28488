"""What the doctor says where workspaces install the app: no bot token, but much else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.doctor import Finding, Level
from bot.doctor.set_up import SetUp, read_set_up
from bot.doctor.slack_area import slack_findings
from bot.http.port import Port
from bot.installations.seal import new_key
from bot.local_workspace import LocalWorkspace
from bot.manifest import load_manifest

Said = Callable[..., str]
Found = Callable[..., list[Finding]]


@pytest.fixture
def found(set_up: Callable[..., SetUp]) -> Found:
    """What is found for a local Slack's app, with these variables in place of the right ones."""

    def look(**changes: str) -> list[Finding]:
        with LocalWorkspace.start(load_manifest(), installed=False) as workspace:
            right = {
                "SLACK_CLIENT_ID": workspace.client_id,
                "SLACK_CLIENT_SECRET": workspace.client_secret,
                "SLACK_APP_TOKEN": workspace.app_token,
                "DB_AGENT_SLACK_URL": workspace.api_url,
                "DB_AGENT_TOKEN_KEY": new_key(),
                "DB_AGENT_PUBLIC_URL": "https://bot.example.com",
                "DB_AGENT_TEAMS": "T0LOCALDEV",
            }
            set_up(**{**right, **changes})
            return list(slack_findings(read_set_up(port=Port("127.0.0.1", 0))))

    return look


def test_all_that_is_right_is_said_and_no_bot_token_is_missed(found: Found, said: Said) -> None:
    findings = found()
    assert said(findings, Level.WRONG) == ""
    good = said(findings, Level.OK)
    assert "Slack knows the app by its SLACK_CLIENT_ID and SLACK_CLIENT_SECRET" in good
    assert "workspaces that may install the app: T0LOCALDEV" in good
    assert "https://bot.example.com/slack/oauth_redirect" in good
    assert "SLACK_APP_TOKEN opens Socket Mode" in good
    assert "SLACK_BOT_TOKEN" not in str(findings)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"SLACK_CLIENT_SECRET": "guessed"}, "SLACK_CLIENT_SECRET is not that of the app"),
        ({"SLACK_CLIENT_ID": "1.2"}, "Slack knows no app with that SLACK_CLIENT_ID"),
        ({"SLACK_CLIENT_SECRET": ""}, "SLACK_CLIENT_SECRET is not set"),
        ({"DB_AGENT_TOKEN_KEY": ""}, "db-agent new-token-key prints one"),
        ({"DB_AGENT_TEAMS": ""}, "DB_AGENT_TEAMS is not set"),
    ],
)
def test_what_is_wrong_is_named_with_its_cure(
    found: Found, said: Said, changes: dict[str, str], words: str
) -> None:
    assert words in said(found(**changes), Level.WRONG)


def test_any_workspace_is_something_to_know_of(found: Found, said: Said) -> None:
    assert "any workspace may install the app" in said(found(DB_AGENT_TEAMS="any"), Level.NOTE)
