"""`db-agent migrate`: brings the schema of the bot's own record up to date."""

from __future__ import annotations

from agent.settings import read_settings
from bot.commands.record import store_url_beside_the_bot
from bot.settings import read_store_place
from bot.store.migrate import Migrated, behind, standing
from bot.store.migrate import migrate as bring_up_to_date

EXIT_BEHIND = 3
"""With `--check`: the schema is not there yet, or not up to date."""


def migrate(*, check: bool) -> int:
    """Bring the schema up to date and say from where to where; returns the exit code.

    With `check` nothing is changed: 0 where it is up to date, `EXIT_BEHIND` where it is not. Raises
    `StoreUnavailable` where the record is out of reach or busy, `SettingsInvalid` for an address or
    a login that does not do, and for a schema of a newer version.
    """
    with store_url_beside_the_bot(read_store_place(), read_settings().pg_bin) as address:
        if not check:
            print(_done(bring_up_to_date(address)))
            return 0
        found = standing(address)
    print(f"The record is up to date, at {found.version}." if found.is_current else behind(found))
    return 0 if found.is_current else EXIT_BEHIND


def _done(done: Migrated) -> str:
    if done.before == done.after:
        return f"The record is up to date, at {done.after}; nothing was changed."
    if not done.before:
        return f"The record was made, at {done.after}."
    return f"The record was brought from {done.before} to {done.after}."
