"""Settings are read once; a wrong one names itself and never shows a secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.errors import ModelUnavailable, QuestionInvalid, SettingsInvalid
from agent.messages import PAST, Turn, UserMessage
from agent.models import make_model
from agent.question import MAX_QUESTION, check_question
from agent.settings import AgentSettings, read_settings
from agent.testing import ScriptedModel, call, load_script, text


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DATABASE_URL", "ANTHROPIC_API_KEY", "DB_AGENT_MODEL", "DB_AGENT_TIME_ZONE"):
        monkeypatch.delenv(name, raising=False)


def test_the_offline_model_answers_where_no_key_is_set() -> None:
    assert read_settings().model_name == "offline"


def test_claude_answers_where_its_key_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    assert read_settings().model_name == "claude-sonnet-5"


def test_a_named_model_wins_over_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    monkeypatch.setenv("DB_AGENT_MODEL", "offline")
    assert read_settings().model_name == "offline"


def test_settings_are_read_from_a_file_too(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DB_AGENT_TIME_ZONE=Europe/Berlin\n")
    assert read_settings().time_zone == "Europe/Berlin"


def test_a_settings_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"DB_AGENT_TIME_ZONE=\xff\xfe\n")
    with pytest.raises(SettingsInvalid, match=r"\.env cannot be read: .*UTF-8"):
        read_settings()


def test_a_wrong_setting_is_named_with_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB_AGENT_TIME_ZONE", "Mars/Olympus")
    with pytest.raises(SettingsInvalid, match=r"DB_AGENT_TIME_ZONE.*Europe/Berlin"):
        read_settings()


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("DB_AGENT_MAX_ROWS", "abc", "must be a whole number from 1 to 100,000, not 'abc'."),
        ("DB_AGENT_MAX_ROWS", "1.5", "must be a whole number from 1 to 100,000, not '1.5'."),
        ("DB_AGENT_MAX_ROWS", "0", "must be a whole number from 1 to 100,000, not '0'."),
        ("DB_AGENT_MAX_ROWS", "9" * 5000, "must be a whole number from 1 to 100,000."),
        ("DB_AGENT_ACCEPT_PUBLIC_RIGHTS", "maybe", "must be 1 or 0, not 'maybe'."),
        ("DB_AGENT_MAX_USD_PER_QUESTION", "0", "must be a number above 0, or empty, not '0'."),
        ("DB_AGENT_MAX_USD_PER_QUESTION", "nan", "must be a number above 0, or empty, not 'nan'."),
        ("DB_AGENT_TIME_ZONE", "Mars", "must be a time zone such as Europe/Berlin, not 'Mars'."),
    ],
)
def test_a_wrong_setting_says_what_it_must_be(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsInvalid) as raised:
        read_settings()
    assert str(raised.value) == f"{name} {sentence}"


@pytest.mark.parametrize("milliseconds", ["0", "-1", "99999999999", "soon"])
def test_a_time_limit_that_the_server_would_refuse_is_a_wrong_setting(
    monkeypatch: pytest.MonkeyPatch, milliseconds: str
) -> None:
    monkeypatch.setenv("DB_AGENT_STATEMENT_TIMEOUT_MS", milliseconds)
    with pytest.raises(SettingsInvalid, match="DB_AGENT_STATEMENT_TIMEOUT_MS"):
        read_settings()


def test_secrets_do_not_show_in_a_repr() -> None:
    settings = AgentSettings(
        ANTHROPIC_API_KEY="sk-ant-secret", DATABASE_URL="postgresql://u:pw-secret@h/d"
    )
    assert "secret" not in repr(settings).replace("SecretStr", "")


def test_claude_without_a_key_says_how_to_get_one() -> None:
    with pytest.raises(SettingsInvalid, match="ANTHROPIC_API_KEY"):
        make_model(AgentSettings(DB_AGENT_MODEL="claude-sonnet-5"))


def test_an_unknown_model_names_the_choices() -> None:
    with pytest.raises(SettingsInvalid, match="offline, claude-…"):
        make_model(AgentSettings(DB_AGENT_MODEL="gpt-oops"))


def respond(model: ScriptedModel, *messages: object) -> Turn:
    return model.respond("", messages, (), timeout_s=1)  # type: ignore[arg-type]


def test_a_script_plays_its_turns_in_order_and_anew_in_each_run() -> None:
    first, second = call("get_schema", table_name="film"), text("done")
    model = ScriptedModel(first, second)
    question = UserMessage("how many?")
    assert respond(model, question) == first
    assert respond(model, question, first) == second
    assert respond(model, question) == first


def test_a_script_does_not_count_the_turns_of_earlier_questions() -> None:
    model = ScriptedModel(text("new"))
    past = Turn("old", stop_reason=PAST)
    assert respond(model, UserMessage("old?"), past, UserMessage("new?")) == text("new")


def test_a_script_that_has_ended_is_out_of_reach() -> None:
    with pytest.raises(ModelUnavailable, match="after 0 turns"):
        respond(ScriptedModel(), UserMessage("?"))


def test_a_script_file_holds_turns_with_text_and_tool_calls(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(
        '[{"tool_calls": [{"name": "get_schema", "arguments": {"table_name": "film"}},'
        ' {"name": "get_schema", "arguments": "{broken"}]}, {"text": "42"}]'
    )
    model = load_script(path)
    turn = respond(model, UserMessage("?"))
    assert [dict(c.arguments) for c in turn.tool_calls] == [{"table_name": "film"}, {}]
    assert [c.malformed for c in turn.tool_calls] == ["", "{broken"]
    assert len({c.id for c in turn.tool_calls}) == 2
    assert respond(model, UserMessage("?"), turn).text == "42"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "no list of turns"),
        ('{"text": "a"}', "no list of turns"),
        ('[{"txet": "a"}]', "txet"),
        ("[" * 100_000, "nested too deeply"),
        ('[{"tool_calls": [{"arguments": {}}]}]', "name"),
    ],
)
def test_a_wrong_script_says_what_is_wrong(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "script.json"
    path.write_text(content)
    with pytest.raises(SettingsInvalid, match=problem):
        load_script(path)


def test_a_missing_script_names_its_path(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match=r"nowhere\.json cannot be read"):
        load_script(tmp_path / "nowhere.json")


@pytest.mark.parametrize("empty", ["", "  \n ", "\x00\x07"])
def test_an_empty_question_is_refused_with_an_example(empty: str) -> None:
    with pytest.raises(QuestionInvalid, match="how many films"):
        check_question(empty)


def test_a_question_of_ten_thousand_characters_is_refused_with_the_limit() -> None:
    with pytest.raises(QuestionInvalid, match=r"10,000 characters; at most 4,000"):
        check_question("x" * 10_000)
    assert check_question("x" * MAX_QUESTION)


def test_emoji_and_right_to_left_text_stay_as_they_are() -> None:
    assert check_question("  كم عدد الأفلام؟ 🎬 ") == "كم عدد الأفلام؟ 🎬"
