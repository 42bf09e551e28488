"""The login that can read the two views of the log, and nothing else."""

from __future__ import annotations

import hashlib
import hmac
from contextlib import suppress
from typing import Any, Final, LiteralString

import psycopg
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from agent.database.link.address import read_address
from agent.errors import SettingsInvalid
from bot.store.errors import StoreUnavailable
from bot.store.migrate import LOCK_KEY

READER: Final = "db_agent_reader"
LOG_SCHEMA: Final = "db_agent_log"
SETTING: Final = "DB_AGENT_STORE_READER_URL"
CONNECT_TIMEOUT_S: Final = 5

HOW_TO_MAKE_ONE: Final = (
    "Questions about the bot itself need a login that can read nothing but its log, and the login "
    f"of DB_AGENT_STORE_URL may not make it. Once, as a superuser of that server: CREATE ROLE "
    f"{READER} LOGIN PASSWORD '…'; then set {SETTING} to "
    f"postgresql://{READER}:PASSWORD@HOST:5432/DATABASE and start the bot again."
)

_Connection = psycopg.Connection[tuple[Any, ...]]
_GRANTS: Final = (
    "grant usage on schema {log} to {reader}",
    "grant select on {log}.runs, {log}.steps to {reader}",
)
_DEFAULTS: Final = (
    "alter role {reader} noinherit connection limit 20",
    "alter role {reader} set search_path = {log}",
    "alter role {reader} set default_transaction_read_only = on",
)


def reader_address(store_url: str, given: str | None = None) -> str:
    """Return where and as whom the log can be read, and nothing else; PostgreSQL's conninfo.

    Makes the role `db_agent_reader` where it is missing and the store's login may; its password
    is derived from that login's own, so that it needs no place to be kept. `given` is the address
    of a reader that somebody made by hand: only its rights are seen to. The store has to be
    migrated. Raises `StoreUnavailable`, or `SettingsInvalid`, which says what to do.
    """
    reader = None if given is None else read_address(given, name=SETTING)
    try:
        with psycopg.connect(
            store_url, autocommit=True, connect_timeout=CONNECT_TIMEOUT_S
        ) as owner:
            # Two processes that grant the same at the same moment get in each other's way.
            owner.execute("select pg_advisory_lock(%s)", [LOCK_KEY])
            if given is not None and reader is not None:
                _grant(owner, str(reader.get("user") or READER))
                return given
            _make_role(owner)
            _grant(owner, READER)
            return _address(owner, store_url)
    except (errors.InsufficientPrivilege, errors.UndefinedObject) as error:
        raise SettingsInvalid(HOW_TO_MAKE_ONE, detail=f"store: {error}") from None
    except psycopg.Error as error:
        raise StoreUnavailable.because(error) from None


def _make_role(owner: _Connection) -> None:
    if owner.execute("select from pg_roles where rolname = %s", [READER]).fetchone() is not None:
        return
    # Another process may make it at the same moment.
    with suppress(errors.DuplicateObject, errors.UniqueViolation):
        owner.execute(_composed("create role {reader} login"))
        for statement in _DEFAULTS:
            owner.execute(_composed(statement))
        _set_password(owner)


def _grant(owner: _Connection, reader: str) -> None:
    for statement in _GRANTS:
        owner.execute(_composed(statement, reader))
    row = owner.execute(
        "select has_database_privilege(%s, current_database(), 'connect'), current_database()",
        [reader],
    ).fetchone()
    assert row is not None
    may_connect, database = row
    if not may_connect:
        names = {"reader": sql.Identifier(reader), "database": sql.Identifier(database)}
        owner.execute(sql.SQL("grant connect on database {database} to {reader}").format(**names))


def _address(owner: _Connection, store_url: str) -> str:
    """Return the reader's address after a login with it; its password is set anew if need be."""
    known: dict[str, Any] = {**conninfo_to_dict(store_url), "user": READER}
    known |= {"password": _password(owner) or None, "options": None}
    address = make_conninfo(**known)
    try:
        _try(address)
    except psycopg.OperationalError:
        _set_password(owner)
        try:
            _try(address)
        except psycopg.OperationalError as error:
            raise SettingsInvalid(HOW_TO_MAKE_ONE, detail=f"store: {error}") from None
    return address


def _try(address: str) -> None:
    psycopg.connect(address, connect_timeout=CONNECT_TIMEOUT_S).close()


def _password(owner: _Connection) -> str:
    """Return the reader's password; "" where the owner has none either."""
    key = owner.info.password.encode()
    return hmac.new(key, READER.encode(), hashlib.sha256).hexdigest() if key else ""


def _set_password(owner: _Connection) -> None:
    password = _password(owner)
    if not password:
        return
    # Only its hash is sent, so that no server's log has it in clear.
    hashed = owner.pgconn.encrypt_password(
        password.encode(), READER.encode(), b"scram-sha-256"
    ).decode()
    names = {"reader": sql.Identifier(READER), "password": sql.Literal(hashed)}
    owner.execute(sql.SQL("alter role {reader} password {password}").format(**names))


def _composed(statement: LiteralString, reader: str = READER) -> sql.Composed:
    names = {"reader": sql.Identifier(reader), "log": sql.Identifier(LOG_SCHEMA)}
    return sql.SQL(statement).format(**names)
