"""What the doctor says of the model and the judge, asked over Anthropic's own protocol."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from bot.doctor import Finding, Level
from bot.doctor.model_area import model_findings
from bot.doctor.set_up import read_set_up


@pytest.fixture(autouse=True)
def empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def look(monkeypatch: pytest.MonkeyPatch, **environment: str) -> list[Finding]:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return list(model_findings(read_set_up()))


def said(findings: Iterable[Finding], level: Level) -> str:
    return "\n".join(f"{each.what} | {each.todo}" for each in findings if each.level is level)


def claude(api: Any, **changes: str) -> dict[str, str]:
    return {"ANTHROPIC_API_KEY": api.key, "ANTHROPIC_BASE_URL": api.url, **changes}


def test_claude_is_asked_for_one_token_and_judges_itself(
    api: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.say("H", stop="max_tokens")
    found = look(monkeypatch, **claude(api))
    assert [each.level for each in found[:2]] == [Level.OK, Level.OK]
    assert "claude-sonnet-5 answers" in found[0].what
    assert "claude-sonnet-5 judges" in found[1].what
    (request,) = api.requests
    assert request["max_tokens"] == 1
    assert api.refusals == []


def test_a_judge_of_its_own_is_asked_too(api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    api.say("H")
    found = look(monkeypatch, **claude(api, DB_AGENT_JUDGE_MODEL="claude-nope"))
    assert "claude-sonnet-5 answers" in said(found, Level.OK)
    assert said(found, Level.WRONG) == (
        "there is no model claude-nope for this key | set DB_AGENT_JUDGE_MODEL to one that there "
        "is, such as claude-sonnet-5"
    )


def test_a_wrong_key_is_said_and_not_shown(api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = look(monkeypatch, **claude(api, ANTHROPIC_API_KEY="sk-ant-of-another"))
    assert "ANTHROPIC_API_KEY is not accepted | copy it again" in said(found, Level.WRONG)
    assert "of-another" not in str(found)


@pytest.mark.parametrize(
    ("status", "message", "level", "words"),
    [
        (400, "Your credit balance is too low to access the API.", Level.WRONG, "no credit left"),
        (402, "Pay.", Level.WRONG, "no credit left"),
        (403, "No.", Level.WRONG, "the key may not use claude-sonnet-5"),
        (404, "model", Level.WRONG, "there is no model claude-sonnet-5 for this key"),
        (404, "Not Found", Level.WRONG, "check ANTHROPIC_BASE_URL, which ends without /v1"),
        (400, "What?", Level.WRONG, "does not answer as Claude does"),
        (429, "Slowly.", Level.NOTE, "run this again in a few minutes"),
        (529, "Busy.", Level.NOTE, "run this again in a few minutes"),
    ],
)
def test_each_refusal_has_its_own_advice_and_is_not_repeated(
    api: Any,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    message: str,
    level: Level,
    words: str,
) -> None:
    api.fail(status, message)
    assert words in said(look(monkeypatch, **claude(api)), level)
    assert len(api.requests) == 1


def test_what_is_no_claude_is_told_from_one(api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    api.say("x")
    api.replies[0].body = b"<html>Welcome to the hotel</html>"
    assert "check ANTHROPIC_BASE_URL" in said(look(monkeypatch, **claude(api)), Level.WRONG)


def test_an_address_out_of_reach_is_said(api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = look(monkeypatch, **claude(api, ANTHROPIC_BASE_URL="http://127.0.0.1:1"))
    assert "http://127.0.0.1:1 cannot be reached" in said(found, Level.WRONG)


@pytest.mark.parametrize(
    ("environment", "level", "words"),
    [
        ({}, Level.OK, "the offline model answers"),
        ({"DB_AGENT_MODEL": "claude-sonnet-5"}, Level.WRONG, "set ANTHROPIC_API_KEY"),
        ({"DB_AGENT_MODEL": "gpt"}, Level.WRONG, "there is no model 'gpt'"),
        ({"DB_AGENT_MODEL": "scripted:none.json"}, Level.WRONG, "the script none.json cannot be"),
        ({"DB_AGENT_MODEL": "scripted:bad.json"}, Level.WRONG, "is no list of turns"),
        ({"DB_AGENT_MODEL": "scripted:good.json"}, Level.NOTE, "plays a script"),
        ({"DB_AGENT_JUDGE": "always"}, Level.WRONG, "set DB_AGENT_JUDGE_MODEL"),
        ({"ANTHROPIC_API_KEY": "k", "DB_AGENT_MODEL": "offline"}, Level.NOTE, "is set, and not"),
    ],
)
def test_the_other_models_are_looked_at_without_a_call(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], level: Level, words: str
) -> None:
    Path("good.json").write_text('[{"text": "Four."}]')
    Path("bad.json").write_text("{}")
    assert words in said(look(monkeypatch, **environment), level)


def test_the_model_that_takes_over_is_asked_too(api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    api.say("H")
    found = look(monkeypatch, **claude(api, DB_AGENT_FALLBACK_MODEL="claude-nope"))
    assert said(found, Level.WRONG) == (
        "there is no model claude-nope for this key | set DB_AGENT_FALLBACK_MODEL to one that "
        "there is, such as claude-sonnet-5"
    )
    api.say("H")
    found = look(monkeypatch, DB_AGENT_FALLBACK_MODEL="claude-sonnet-5")
    assert "DB_AGENT_FALLBACK_MODEL is claude-sonnet-5, which" in said(found, Level.WRONG)
    found = look(monkeypatch, DB_AGENT_MODEL="offline")
    assert "is set, and not used: offline is never out of reach" in said(found, Level.NOTE)
