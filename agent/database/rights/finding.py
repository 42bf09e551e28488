"""Asks the server what the login may do beyond reading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, LiteralString, TypeAlias

import psycopg
from psycopg import sql

from agent.database.link.boundaries import OWN_NAMES
from agent.database.rights import queries
from agent.database.rights.excess import Excess
from agent.database.rights.kinds import KINDS, MAKE_ONE, Kind

_Connection: TypeAlias = psycopg.Connection[tuple[object, ...]]
_SHOWN: Final = 3
"""Objects of one kind that a message names; of more it gives the number."""
_NEVER_SMALL: Final = ("owner", "write")
_READS: Final = re.compile(r"pg_(read_all_|monitor$|stat_scan_tables$)")

CODES: Final = frozenset(
    {"acts_as_another", "superuser", "attribute"} | {kind.code for kind in KINDS}
)
"""Every code of an `Excess`."""


def find_excess(connection: _Connection) -> list[Excess]:
    """Return what the login of `connection` may do beyond reading, the worst first; [] is well.

    Rights count that the login has, that everybody has, and that a role has which it could become.
    Raises psycopg's errors.
    """
    return _find(connection, _Asked(sql.SQL("session_user"), sql.SQL("current_user")))


def find_excess_of(
    connection: _Connection, role: str | None, schemas: Sequence[str] = ()
) -> list[Excess]:
    """Return what the role may do beyond reading, whoever the login of `connection` is.

    Without a role: what a role would have that is still to be made. `schemas` are some that it will
    be let into. All objects are named. Raises psycopg's errors.
    """
    name = sql.Literal(role) if role is not None else None
    return _find(connection, _Asked(name, name, schemas, most=None))


@dataclass(frozen=True)
class _Asked:
    """Who is asked about."""

    login: sql.Composable | None
    role: sql.Composable | None
    """None: everybody."""
    schemas: Sequence[str] = ()
    most: int | None = 50
    """Objects of one kind that are asked for."""

    def query(self, text: LiteralString, privileges: str) -> sql.Composed:
        me: sql.Composable = sql.SQL(queries.EVERYBODY)
        if self.role is not None:
            me = sql.SQL(queries.ME).format(role=self.role)
        return sql.SQL(text).format(
            me=me,
            login=self.login,
            role=self.role,
            privileges=sql.Literal(privileges),
            schemas=sql.SQL("{}::name[]").format(sql.Literal(list(self.schemas))),
            most=sql.Literal(self.most),
        )


def _find(connection: _Connection, asked: _Asked) -> list[Excess]:
    # Rolled back, so that a transaction that is open already keeps its search_path.
    with connection.transaction(force_rollback=True):
        connection.execute(OWN_NAMES)
        found = list(_all_kinds(connection, asked))
    return sorted(found, key=lambda excess: excess.from_public)


def _all_kinds(connection: _Connection, asked: _Asked) -> Iterator[Excess]:
    role = ""
    if asked.role is not None:
        roles = connection.execute(asked.query(queries.ATTRIBUTES, "")).fetchall()
        login, role = str(roles[0][0]), str(roles[0][1])
        if login != role:
            yield Excess("acts_as_another", f"acts as {role}", "log in as the role itself")
        for excess in _attributes(roles):
            yield excess
            if excess.code == "superuser":  # who may do all of the rest
                return
    for kind in KINDS:
        if connection.info.server_version >= kind.since:
            yield from _ask(connection, kind, asked, role)


def _attributes(roles: list[tuple[object, ...]]) -> Iterator[Excess]:
    names = ("SUPERUSER", "CREATEROLE", "CREATEDB", "REPLICATION", "BYPASSRLS")
    role = roles[0][1]
    for row in roles:
        holder = row[2]
        itself = holder == role
        if row[3]:
            what = "is a superuser" if itself else f"is a member of the superuser {holder}"
            remedy = MAKE_ONE if itself else f"REVOKE {holder} FROM {role};"
            yield Excess("superuser", what, remedy)
            return
        for name, has_it in zip(names[1:], row[4:], strict=True):
            if has_it:
                what = f"has {name}" if itself else f"is a member of {holder}, which has {name}"
                yield Excess("attribute", what, f"ALTER ROLE {holder} NO{name};")


def _ask(connection: _Connection, kind: Kind, asked: _Asked, role: str) -> Iterator[Excess]:
    """Yield what of that kind is had, by who holds it; `role` is the login's, as SQL writes it."""
    # MAINTAIN came with PostgreSQL 17, and older servers do not know its name.
    privileges = "INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER"
    if connection.info.server_version >= 170_000:
        privileges += ", MAINTAIN"
    query = asked.query(kind.query, privileges)
    rows = [
        _Row(str(name), str(holder), bool(public), *map(str, more))
        for name, holder, public, *more in connection.execute(query)
    ]
    rows.sort(key=_Row.together)
    for (holder, public, extension), group in groupby(rows, key=_Row.together):
        names = tuple(dict.fromkeys(row.name for row in group))
        what = kind.what(_shown(names, extension))
        remedy = kind.remedy(", ".join(names), holder).replace("{privileges}", privileges)
        is_small = holder == role and len(names) == 1 and _is_small(kind, names[0])
        yield Excess(kind.code, what, remedy, public, names, is_small)


@dataclass(frozen=True)
class _Row:
    """What a query gives of one object."""

    name: str
    role: str
    public: bool
    extension: str = ""

    def together(self) -> tuple[str, bool, str]:
        """Return what the rows that are told of together have in common."""
        return "PUBLIC" if self.public else self.role, self.public, self.extension


def _shown(names: Sequence[str], extension: str) -> str:
    if extension and len(names) > 1:
        return f"{len(names)} functions of {extension}"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _is_small(kind: Kind, name: str) -> bool:
    if kind.code == "predefined_role":
        return bool(_READS.match(name))
    return kind.code not in _NEVER_SMALL
