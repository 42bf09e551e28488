"""Refuses a login that may do more than read, and names the way out."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import Final

from agent.database.link.pool import Connection
from agent.database.rights import PROVISION, Excess, find_excess, is_somebodys
from agent.errors import SettingsInvalid

log = logging.getLogger(__name__)

MAX_REMEDY_CHARS: Final = 500
"""Of SQL in a message: what is longer is a list for `db-agent doctor`."""
SOMEBODYS: Final = (
    "It looks like somebody's own login, so leave it as it is: make one for the bot with"
    f" {PROVISION}."
)
_told: Final[set[tuple[str, int, str]]] = set()
_lock: Final = threading.Lock()


def check_role(connection: Connection, *, accept_public_rights: bool = False) -> None:
    """Raise `SettingsInvalid` if the login may do more than read.

    The message names the first right that is too much, and how to take it away. With
    `accept_public_rights` what every login of the database may do is no reason, only a warning.
    """
    found = find_excess(connection)
    too_much = [excess for excess in found if not (accept_public_rights and excess.from_public)]
    if not too_much:
        _tell_what_is_accepted(connection, len(found))
        return
    raise SettingsInvalid(
        f"The database login {_name(connection)} {_in_words(too_much)}, and db-agent works only"
        " with a role that can do nothing but read."
        f" {SOMEBODYS if is_somebodys(found) else _way_out(too_much[0])}"
    )


def _in_words(too_much: Sequence[Excess]) -> str:
    first, *more = too_much
    if is_somebodys(too_much):
        return first.what + (", and more than that" if more else "")
    whose = ", as every login of this database does" if first.from_public else ""
    return f"{first.what}{whose}" + (
        f" ({len(more)} more: db-agent doctor lists them)" if more else ""
    )


def _way_out(excess: Excess) -> str:
    remedy = excess.remedy
    if len(remedy) > MAX_REMEDY_CHARS:
        remedy = "db-agent doctor writes out how."
    if not excess.from_public:
        return f"Make one for the bot with {PROVISION}, or take it away: {remedy}"
    return (
        f"{PROVISION} makes one and takes that away from all; or do so yourself: {remedy} Where"
        " others need that right: DB_AGENT_ACCEPT_PUBLIC_RIGHTS=1 accepts what everybody has."
    )


def _tell_what_is_accepted(connection: Connection, count: int) -> None:
    """Log it once in a process: every new connection has its rights looked at."""
    if not count:
        return
    info = connection.info
    with _lock:
        is_new = (info.host, info.port, info.dbname) not in _told
        _told.add((info.host, info.port, info.dbname))
    if is_new:
        rights = "1 right" if count == 1 else f"{count} rights"
        log.warning(
            "accepted: %s that every login of the database %s has (db-agent doctor lists them)",
            rights, info.dbname,
        )  # fmt: skip


def _name(connection: Connection) -> str:
    row = connection.execute("SELECT session_user").fetchone()
    return str(row[0]) if row else "?"
