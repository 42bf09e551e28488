"""What the doctor's areas are given, and what they find."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from bot.doctor import Finding, Level
from bot.doctor.set_up import SetUp, read_set_up

MakeSetUp = Callable[..., SetUp]


@pytest.fixture
def set_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> MakeSetUp:
    """Read the settings from an environment that has those given and no others."""
    monkeypatch.chdir(tmp_path)

    def read(**environment: str) -> SetUp:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return read_set_up()

    return read


Said = Callable[[Iterable[Finding], Level], str]


@pytest.fixture
def said() -> Said:
    """Return all that was found on one level, as one text; each wrong thing has something to do."""

    def text(findings: Iterable[Finding], level: Level) -> str:
        found = list(findings)
        assert all(each.todo for each in found if each.level is Level.WRONG), found
        chosen = [each for each in found if each.level is level]
        return "\n".join(" | ".join([each.what, each.todo, *each.lines]) for each in chosen)

    return text
