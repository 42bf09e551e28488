"""The settings: what is set wrongly, what nobody reads, and who else can read them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from dotenv import dotenv_values
from rapidfuzz import process
from rapidfuzz.distance import OSA

from agent.settings import AgentSettings
from bot.doctor.finding import Finding, note, ok, wrong
from bot.doctor.set_up import SetUp, variable_of
from bot.settings import BotSettings

ENV_FILE: Final = Path(".env")
COMPOSE: Final = frozenset(
    {"POSTGRES_ADMIN_PASSWORD", "AGENT_RO_PASSWORD", "DB_AGENT_STORE_PASSWORD"}
)
"""Read by docker/docker-compose.yml, not by us."""
_MAX_SLIPS: Final = 3
"""Letters by which a misspelt name may differ from the right one."""
_LETTERS_A_SLIP: Final = 8
"""Letters of a name in the environment for each slip in it: other programs have names there too."""
_AREAS: Final = {
    "slack": (
        "SLACK_",
        "DB_AGENT_SLACK_",
        "DB_AGENT_ESCALATION_",
        "DB_AGENT_OPERATORS_",
        "DB_AGENT_ADMINS",
        "DB_AGENT_TOKEN_KEY",
        "DB_AGENT_PUBLIC_URL",
        "DB_AGENT_TEAMS",
    ),
    "model": (
        "ANTHROPIC_",
        "DB_AGENT_MODEL",
        "DB_AGENT_JUDGE",
        "DB_AGENT_PRICES",
        "DB_AGENT_MAX_USD_",
    ),
    "store": ("DB_AGENT_STORE_", "DB_AGENT_DATA_DIR"),
    "database": ("DATABASE_URL", "DB_AGENT_DATABASE_"),
}


def known_variables() -> frozenset[str]:
    """Return the names of all variables that some part of db-agent reads."""
    fields = {**AgentSettings.model_fields, **BotSettings.model_fields}
    return frozenset(variable_of(name, field) for name, field in fields.items()) | COMPOSE


def settings_findings(
    set_up: SetUp, areas: frozenset[str], environment: Mapping[str, str], env_file: Path = ENV_FILE
) -> Iterator[Finding]:
    """Yield what is to be said of the settings that matter to `areas`."""
    in_file = _in_file(env_file)
    problems = [sentence for name, sentence in set_up.problems.items() if _matters(name, areas)]
    for sentence in problems:
        what, _, where = sentence.partition(": ")
        yield wrong(what, where or "set it so, or leave it out")
    unknown = list(_unknown(environment, in_file))
    yield from unknown
    yield from _set_twice(environment, in_file)
    if not problems and not unknown:
        count = sum(bool(environment.get(name) or in_file.get(name)) for name in known_variables())
        where = "the environment and .env" if env_file.is_file() else "the environment (no .env)"
        yield ok(f"{_number(count)} set, in {where}{'; all can be read' if count > 1 else ''}")
    if env_file.is_file():
        yield from _seen_by_others(env_file)


def _number(count: int) -> str:
    if count > 1:
        return f"{count} settings are"
    return "1 setting is" if count else "no setting is"


def _matters(variable: str, areas: frozenset[str]) -> bool:
    belongs = [area for area, starts in _AREAS.items() if variable.startswith(starts)]
    return not belongs or bool(areas.intersection(belongs))


def _in_file(env_file: Path) -> dict[str, str]:
    if not env_file.is_file():
        return {}
    values = dotenv_values(env_file, encoding="utf-8", interpolate=False)
    return {name.upper(): value for name, value in values.items() if value}


def _unknown(environment: Mapping[str, str], in_file: Mapping[str, str]) -> Iterator[Finding]:
    known = sorted(known_variables())
    for name in sorted({*environment, *in_file}):
        if name.upper() in known:
            continue
        near = process.extractOne(name.upper(), known, scorer=OSA.distance, score_cutoff=_MAX_SLIPS)
        # Other programs have variables in the environment too; ours alone begin like this.
        ours = name.upper().startswith("DB_AGENT_")
        where = ".env" if name in in_file else "the environment"
        if near is not None and (ours or name in in_file):
            yield wrong(
                f"{name} in {where} is read by nobody", f"it should be {near[0]}: rename it"
            )
        elif ours:
            yield note(f"{name} in {where} is read by nobody", "take it out")
        elif near is not None and near[1] <= len(name) // _LETTERS_A_SLIP:
            is_set = bool(environment.get(near[0]) or in_file.get(near[0]))
            if not is_set and near[0] not in COMPOSE:
                yield note(
                    f"{name} is set in {where}, and {near[0]} is not",
                    f"if that is what it was meant for, rename it to {near[0]}",
                )


def _set_twice(environment: Mapping[str, str], in_file: Mapping[str, str]) -> Iterator[Finding]:
    for name in sorted(known_variables() - COMPOSE):
        if name in in_file and environment.get(name) and environment[name] != in_file[name]:
            yield note(
                f"{name} is set in the environment and differs from .env",
                "the environment's value is used; take one of them out",
            )


def _seen_by_others(env_file: Path) -> Iterator[Finding]:
    mode = env_file.stat().st_mode
    if os.name == "posix" and mode & (stat.S_IRGRP | stat.S_IROTH):
        yield note(".env can be read by other users of this machine", "close it", "chmod 600 .env")
