"""What the doctor says of prices: unknown, old, wrong, or known since when."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from bot.doctor import Level
from bot.doctor.model_prices import price_findings
from bot.doctor.set_up import read_set_up

NOVEMBER = date(2026, 11, 30)


@pytest.fixture(autouse=True)
def empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-any")
    monkeypatch.setenv("GROQ_API_KEY", "gsk-any")
    monkeypatch.setenv("DB_AGENT_JUDGE", "off")


def look(
    monkeypatch: pytest.MonkeyPatch, today: date = NOVEMBER, **environment: str
) -> list[tuple[Level, str]]:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    found = price_findings(read_set_up(), today)
    return [(each.level, f"{each.what} | {each.todo}") for each in found]


def test_a_price_has_a_date(monkeypatch: pytest.MonkeyPatch) -> None:
    ((level, words),) = look(monkeypatch)
    assert level is Level.OK
    assert words.startswith(
        "claude-sonnet-5 costs $2.00 in and $10.00 out for a million tokens, as of 2026-"
    )


@pytest.mark.parametrize(("days", "level"), [(180, Level.OK), (181, Level.NOTE)])
def test_a_price_of_half_a_year_ago_is_to_be_looked_up_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, days: int, level: Level
) -> None:
    as_of = date.fromordinal(NOVEMBER.toordinal() - days)
    row = '[models]\n"groq:any" = { input = 1, output = 2 }'
    (tmp_path / "p.toml").write_text(f"as_of = {as_of}\n{row}")
    ((found, words),) = look(monkeypatch, DB_AGENT_MODEL="groq:any", DB_AGENT_PRICES="p.toml")
    assert (found, f"{days} days ago" in words) == (level, level is Level.NOTE)


def test_a_judge_has_a_price_too(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = {"DB_AGENT_JUDGE": "auto", "DB_AGENT_JUDGE_MODEL": "claude-nobody-knows"}
    found = look(monkeypatch, **judge)
    assert [level for level, _ in found] == [Level.OK, Level.NOTE]
    assert "what claude-nobody-knows costs is not known" in found[1][1]


@pytest.mark.parametrize("model", ["offline", "ollama:any", "vllm:any"])
def test_what_is_free_needs_no_word(monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    assert look(monkeypatch, DB_AGENT_MODEL=model) == []


@pytest.mark.parametrize(
    "ceiling", ["DB_AGENT_MAX_USD_PER_QUESTION", "DB_AGENT_MAX_USD_PER_WORKSPACE_MONTH"]
)
def test_a_ceiling_without_a_price_is_wrong(monkeypatch: pytest.MonkeyPatch, ceiling: str) -> None:
    ((level, words),) = look(monkeypatch, DB_AGENT_MODEL="groq:any", **{ceiling: "5"})
    assert level is Level.WRONG
    assert words.startswith(f"what groq:any costs is not known, so {ceiling} cannot be kept | ")


def test_a_file_that_is_none_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text("as_of = 2026-11-30")
    ((level, words),) = look(monkeypatch, DB_AGENT_PRICES="p.toml")
    assert level is Level.WRONG
    assert "DB_AGENT_PRICES: p.toml is no list of prices: models: Field required | it must" in words
    ((level, words),) = look(monkeypatch, DB_AGENT_PRICES="none.toml")
    assert (level, "cannot be read" in words) == (Level.WRONG, True)
