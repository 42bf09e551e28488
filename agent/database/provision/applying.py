"""Carries a plan out, whole or not at all, and tries the login that came of it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from urllib.parse import quote, urlencode

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from agent.database.failing.failures import cut
from agent.database.postgres import PostgresDatabase
from agent.database.provision.script import beyond_in_words
from agent.database.provision.server import Connection
from agent.database.provision.wish import Plan, Wish
from agent.database.rights import find_excess_of
from agent.errors import AgentError, Fault

_PASSED_ON = re.compile(r"(ssl(mode|rootcert|negotiation|crl)|gssencmode|channel_binding)")
"""What of the given address holds for the new login as well."""


def new_password() -> str:
    """Return a password that nobody guesses, of letters that need no quoting in a URL."""
    return secrets.token_urlsafe(24)


def apply(
    connection: Connection, plan: Plan, replan: Callable[[], Plan], *, accept_public: bool = False
) -> None:
    """Carry out the plan within the transaction that is open, and see that nothing is left to do.

    `replan` makes the plan again. Raises `Fault` where something could not or did not take effect,
    so that the caller rolls back, and psycopg's errors.
    """
    if plan.beyond:
        raise Fault(f"Nothing was changed. {beyond_in_words(plan)}")
    for step in plan.steps:
        connection.execute(step.sql)
    left = [step.sql.partition("\n")[0] for step in replan().steps]
    if left:
        raise Fault(
            "Nothing was changed: the server left this undone, since another role than this login"
            f" has the right to do it (as a rule the object's owner, or a superuser): {left[0]}"
        )
    if not plan.drops:
        _check_is_reader(connection, plan, accept_public=accept_public)


def _check_is_reader(connection: Connection, plan: Plan, *, accept_public: bool) -> None:
    for excess in find_excess_of(connection, plan.role):
        if not (accept_public and excess.from_public):
            raise Fault(
                f"Nothing was changed: the login {plan.role} {excess.what} all the same. A login"
                f" that may do so has to take it away first: {cut(excess.remedy)}"
            )


def set_password(connection: Connection, role: str, password: str) -> None:
    """Set a password; only its hash leaves this process, so no log of the server has it."""
    hashed = connection.pgconn.encrypt_password(
        password.encode(), role.encode(), b"scram-sha-256"
    ).decode()
    statement = sql.SQL("ALTER ROLE {} PASSWORD {}")
    connection.execute(statement.format(sql.Identifier(role), sql.Literal(hashed)))


def login_url(connection: Connection, admin_url: str, role: str, password: str) -> str:
    """Return the address for the role, of the server and database that `connection` is on."""
    given = conninfo_to_dict(admin_url)
    rest = {key: str(value) for key, value in given.items() if _PASSED_ON.fullmatch(key)}
    info = connection.info
    host = quote(info.host)
    if info.host.startswith("/"):
        rest["host"], host = info.host, ""
    elif ":" in info.host:
        host = f"[{info.host}]"
    port = f":{info.port}" if host else ""
    if not host and info.port != 5432:
        rest["port"] = str(info.port)
    query = f"?{urlencode(rest)}" if rest else ""
    login = f"{quote(role, '')}:{quote(password, '')}"
    return f"postgresql://{login}@{host}{port}/{quote(info.dbname, '')}{query}"


def works(url: str) -> bool:
    """Say whether the server lets somebody in for the password in this address."""
    try:
        with psycopg.connect(url, connect_timeout=10) as connection:
            return connection.pgconn.used_password
    except psycopg.Error:
        return False


def try_login(url: str, wish: Wish) -> str:
    """Log in as the bot will, and return what stands in the way; "" where nothing does."""
    database = PostgresDatabase(url, accept_public_rights=wish.keep_public)
    try:
        database.ping()
        seen = database.find_tables("").total  # by the very queries that the bot begins with
        database.fetch("SELECT 1")
    except AgentError as error:
        return str(error)
    finally:
        database.close()
    return "" if seen else "it sees no table."
