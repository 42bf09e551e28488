"""Refuses a login that may do more than read, and names the way out."""

from __future__ import annotations

import logging
from typing import Final

from agent.database.pool import Connection
from agent.database.rights import MAKE_ONE, Excess, find_excess
from agent.errors import SettingsInvalid

log = logging.getLogger(__name__)

MAX_REMEDY_CHARS: Final = 500
"""Of SQL in a message: what is longer is a list for `db-agent doctor`."""


def check_role(connection: Connection, *, accept_public_rights: bool = False) -> None:
    """Raise `SettingsInvalid` if the login may do more than read.

    The message names the first right that is too much, and how to take it away. With
    `accept_public_rights` what every login of the database may do is no reason, only a warning.
    """
    found = find_excess(connection)
    own = [excess for excess in found if not (accept_public_rights and excess.from_public)]
    if not own:
        for excess in found:
            log.warning("every login of this database %s; %s", excess.what, excess.remedy)
        return
    first = own[0]
    whose = ", as every login of this database does" if first.from_public else ""
    more = f" ({len(own) - 1} more: db-agent doctor lists them)" if len(own) > 1 else ""
    raise SettingsInvalid(
        f"The database login {_name(connection)} {first.what}{whose}{more}, and db-agent works only"
        f" with a role that can do nothing but read. {_way_out(first)}"
    )


def _way_out(excess: Excess) -> str:
    if excess.remedy == MAKE_ONE:
        return f"{MAKE_ONE[0].upper()}{MAKE_ONE[1:]}."
    way_out = f"Take it away: {excess.remedy}"
    if len(way_out) > MAX_REMEDY_CHARS:
        way_out = "db-agent doctor writes out what takes it away."
    if excess.from_public:
        way_out += (
            " db-agent provision does that with a new login. Where others need that right:"
            " DB_AGENT_ACCEPT_PUBLIC_RIGHTS=1 accepts what everybody has."
        )
    return way_out


def _name(connection: Connection) -> str:
    row = connection.execute("SELECT session_user::text").fetchone()
    return str(row[0]) if row else "?"
