"""Whose answers are judged, and by whom."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import SettingsInvalid
from agent.judge import ModelJudge, is_judged, make_judge
from agent.messages import Case, Verdict
from agent.models import make_model
from agent.protocols import Judge
from agent.settings import AgentSettings, JudgeMode, read_settings

SCRIPT = '[{"text": "{\\"valid\\": false, \\"reason\\": \\"Wrong year.\\"}"}]'
KEY = {"ANTHROPIC_API_KEY": "sk-ant-test"}


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("ANTHROPIC_API_KEY", "DB_AGENT_MODEL", "DB_AGENT_JUDGE", "DB_AGENT_JUDGE_MODEL"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "judge.json").write_text(SCRIPT)
    return tmp_path


def made(**settings: str) -> Judge | None:
    given = AgentSettings(**settings)  # type: ignore[arg-type]
    return make_judge(given, make_model(given))


@pytest.mark.parametrize(
    ("mode", "model", "judged"),
    [
        ("off", "claude-sonnet-5", False),
        ("off", "offline", False),
        ("auto", "claude-sonnet-5", True),
        ("auto", "offline", False),
        ("auto", "scripted:turns.json", False),
        ("always", "claude-sonnet-5", True),
        ("always", "offline", True),
        ("always", "scripted:turns.json", True),
    ],
)
def test_by_itself_a_judge_looks_at_what_a_language_model_wrote(
    mode: JudgeMode, model: str, judged: bool
) -> None:
    assert is_judged(mode, model) is judged


def test_nobody_judges_the_offline_model_unless_it_is_said() -> None:
    assert made() is None
    assert made(DB_AGENT_JUDGE_MODEL="claude-opus-5", **KEY, DB_AGENT_MODEL="offline") is None


def test_the_model_that_answers_judges_where_no_other_is_named() -> None:
    settings = AgentSettings(**KEY)  # type: ignore[arg-type]
    model = make_model(settings)
    judge = make_judge(settings, model)
    assert isinstance(judge, ModelJudge)
    assert judge.model is model
    assert judge.name == "claude-sonnet-5"


def test_another_model_judges_where_one_is_named() -> None:
    judge = made(**KEY, DB_AGENT_JUDGE_MODEL="claude-opus-5")
    assert judge is not None
    assert judge.name == "claude-opus-5"


def test_the_offline_model_can_be_judged_by_another(place: Path) -> None:
    judge = made(
        DB_AGENT_MODEL="offline",
        DB_AGENT_JUDGE="always",
        DB_AGENT_JUDGE_MODEL=f"scripted:{place / 'judge.json'}",
    )
    assert judge is not None
    assert judge.name == "scripted:judge.json"
    assert judge.judge(Case("?", "7"), timeout_s=5)[0] == Verdict(False, "Wrong year.")


@pytest.mark.parametrize(
    "settings",
    [
        {"DB_AGENT_JUDGE": "always"},
        {"DB_AGENT_JUDGE": "always", "DB_AGENT_JUDGE_MODEL": "offline"},
        {"DB_AGENT_JUDGE": "always", "DB_AGENT_MODEL": "scripted:judge.json"},
        {"DB_AGENT_JUDGE_MODEL": "offline", **KEY},
    ],
)
def test_a_model_that_cannot_judge_says_what_to_set(settings: dict[str, str]) -> None:
    with pytest.raises(SettingsInvalid, match=r"Set DB_AGENT_JUDGE_MODEL .*DB_AGENT_JUDGE=off\."):
        made(**settings)


@pytest.mark.parametrize(
    ("name", "words"),
    [("claude-opus-5", "claude-opus-5 needs a key"), ("gpt-oops", "no model 'gpt-oops'")],
)
def test_a_judge_that_cannot_be_made_is_a_wrong_setting(name: str, words: str) -> None:
    with pytest.raises(SettingsInvalid, match=f"DB_AGENT_JUDGE_MODEL.*{words}"):
        made(DB_AGENT_MODEL="offline", DB_AGENT_JUDGE="always", DB_AGENT_JUDGE_MODEL=name)


def test_the_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (read_settings().judge, read_settings().judge_model) == ("auto", "")
    monkeypatch.setenv("DB_AGENT_JUDGE", "Always")
    monkeypatch.setenv("DB_AGENT_JUDGE_MODEL", "claude-opus-5")
    assert (read_settings().judge, read_settings().judge_model) == ("always", "claude-opus-5")


def test_a_wrong_mode_says_what_it_must_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB_AGENT_JUDGE", "sometimes")
    with pytest.raises(SettingsInvalid) as raised:
        read_settings()
    assert str(raised.value) == "DB_AGENT_JUDGE must be off, auto or always, not 'sometimes'."
