"""`db-agent doctor`: looks at the whole set-up, and says what to do for what is wrong."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from bot.doctor import AREAS, Group, as_json, examine, group_as_text, is_well, totals
from bot.http.port import Port
from bot.terminal import printable

NOT_WELL: Final = 1
_BEGINNING: Final = (
    "Nothing is set up yet. .venv/bin/db-agent demo shows everything without any of it. For a real"
    " workspace: cp .env.example .env, fill in SLACK_BOT_TOKEN, SLACK_APP_TOKEN and DATABASE_URL,"
    " and run .venv/bin/db-agent doctor again."
)


def doctor(
    *, only: Sequence[str], json_text: bool, model: str | None, port: Port | None = None
) -> int:
    """Print what is found in the areas `only` (empty: in all); returns the exit code.

    `port` is the one that would be served. 0: all is well; 1: something is wrong.
    """
    # What the libraries warn of is part of a finding already.
    for name in ("slack_sdk", "bot", "agent", "psycopg"):
        quiet = logging.getLogger(name)
        if not logging.getLogger().isEnabledFor(logging.DEBUG):
            quiet.setLevel(logging.CRITICAL)
    areas = list(dict.fromkeys(only)) or list(AREAS)
    groups: list[Group] = []
    for group in examine(areas, model=model, port=port):
        groups.append(group)
        if not json_text:
            print(printable(group_as_text(group)), flush=True)
    if json_text:
        print(as_json(groups))
    else:
        print(totals(groups))
        if _is_bare(groups):
            print(_BEGINNING)
    return 0 if is_well(groups) else NOT_WELL


def _is_bare(groups: Sequence[Group]) -> bool:
    said = {finding.what for group in groups for finding in group.findings}
    return {"DATABASE_URL is not set", "SLACK_BOT_TOKEN is not set"} <= said
