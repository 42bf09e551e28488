"""Asks the server what the login may do beyond reading."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, LiteralString, TypeAlias

import psycopg
from psycopg import sql

from agent.database.boundaries import OWN_NAMES
from agent.database.rights import queries
from agent.database.rights.excess import Excess

_Connection: TypeAlias = psycopg.Connection[tuple[object, ...]]
_SHOWN: Final = 3
"""Objects of one kind that a message names; of more it gives the number."""
_NEVER_SMALL: Final = ("owner", "write")
_READS: Final = re.compile(r"pg_(read_all_|monitor$|stat_scan_tables$)")

PROVISION: Final = "db-agent provision --database-url ADMIN_URL"
MAKE_ONE: Final = f"log in as a role that can only read: {PROVISION} makes one"


@dataclass(frozen=True)
class _Kind:
    code: str
    query: LiteralString
    what: Callable[[str], str]
    """The objects, as a list, to what the login may do."""
    remedy: Callable[[str, str], str]
    """The objects and the holder to the SQL that takes the right away."""
    since: int = 0
    """The server version that has such a right."""


_KINDS: Final = (
    _Kind(
        "predefined_role", queries.PREDEFINED,
        lambda names: f"is a member of {names}",
        lambda names, holder: f"REVOKE {names} FROM {holder};",
    ),
    _Kind(
        "owner", queries.OWNED,
        lambda names: f"owns {names}",
        lambda names, holder: MAKE_ONE,
    ),
    _Kind(
        "write", queries.WRITABLE_TABLES,
        lambda names: f"may write to {names}",
        lambda names, holder: f"REVOKE {{privileges}} ON {names} FROM {holder};",
    ),
    _Kind(
        "sequence", queries.SEQUENCES,
        lambda names: f"may advance the sequences {names}",
        lambda names, holder: f"REVOKE USAGE, UPDATE ON SEQUENCE {names} FROM {holder};",
    ),
    _Kind(
        "create_in_schema", queries.CREATE_IN_SCHEMAS,
        lambda names: f"may create tables and functions in the schema {names}",
        lambda names, holder: f"REVOKE CREATE ON SCHEMA {names} FROM {holder};",
    ),
    _Kind(
        "create_schema", queries.CREATE_IN_DATABASE,
        lambda names: f"may create schemas in the database {names}",
        lambda names, holder: f"REVOKE CREATE ON DATABASE {names} FROM {holder};",
    ),
    _Kind(
        "temporary_tables", queries.TEMPORARY_TABLES,
        lambda names: f"may create temporary tables in the database {names}",
        lambda names, holder: f"REVOKE TEMPORARY ON DATABASE {names} FROM {holder};",
    ),
    _Kind(
        "tablespace", queries.TABLESPACES,
        lambda names: f"may create objects in the tablespace {names}",
        lambda names, holder: f"REVOKE CREATE ON TABLESPACE {names} FROM {holder};",
    ),
    _Kind(
        "foreign_server", queries.FOREIGN_SERVERS,
        lambda names: f"may use the foreign server {names}",
        lambda names, holder: f"REVOKE USAGE ON FOREIGN SERVER {names} FROM {holder};",
    ),
    _Kind(
        "security_definer", queries.SECURITY_DEFINER,
        lambda names: f"may call {names}, which runs with its owner's rights (SECURITY DEFINER)",
        lambda names, holder: f"REVOKE EXECUTE ON ROUTINE {names} FROM {holder};",
    ),
    _Kind(
        "server_function", queries.KEPT_BACK,
        lambda names: f"may call {names}, which PostgreSQL keeps for administrators",
        lambda names, holder: f"REVOKE EXECUTE ON FUNCTION {names} FROM {holder};",
    ),
    _Kind(
        "reaching_out", queries.REACHING_OUT,
        lambda names: f"may call {names}, which reach beyond this database",
        lambda names, holder: f"REVOKE EXECUTE ON FUNCTION {names} FROM {holder};",
    ),
    _Kind(
        "server_setting", queries.PARAMETERS,
        lambda names: f"may change the server's setting {names}",
        lambda names, holder: f"REVOKE SET, ALTER SYSTEM ON PARAMETER {names} FROM {holder};",
        since=150_000,
    ),
)  # fmt: skip

CODES: Final = frozenset(
    {"acts_as_another", "superuser", "attribute"} | {kind.code for kind in _KINDS}
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
    for kind in _KINDS:
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


def _ask(connection: _Connection, kind: _Kind, asked: _Asked, role: str) -> Iterator[Excess]:
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


def _is_small(kind: _Kind, name: str) -> bool:
    if kind.code == "predefined_role":
        return bool(_READS.match(name))
    return kind.code not in _NEVER_SMALL
