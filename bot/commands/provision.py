"""`db-agent provision`: makes the login that the bot reads as, or prints the SQL that does."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Final

import psycopg

from agent.database.failing import failures
from agent.database.link.boundaries import OWN_NAMES
from agent.database.provision import Plan, Wish, applying, plan_drop, plan_provision
from agent.database.provision.server import Connection
from agent.database.session import AnalyticsDatabase
from agent.errors import DatabaseUnavailable, Fault, SettingsInvalid
from bot.commands.provision_password import SHORT, Password, connect, is_login_refused
from bot.commands.provision_report import (
    note,
    print_beyond,
    print_script,
    say,
    say_what_was_done,
    what_it_can,
)

_SHOWN = "PASSWORD"
"""Stands in an address for a password that the operator has given, and knows."""

LOCK_WAIT_S: Final = 10
_AT_THE_SAME_TIME: Final = frozenset({"23505", "40001", "40P01"})
"""A role made twice, or a deadlock; "tuple concurrently updated" has no code of its own."""


def provision(
    wish: Wish, *, admin_url: str, password: Password, drop: bool = False, carry_out: bool = False
) -> int:
    """Print what makes (or drops) the login, or with `carry_out` do it; returns the exit code.

    0 where all is well, 1 where the login that was made cannot log in. Raises `SettingsInvalid`
    for what cannot be had, `DatabaseUnavailable`, and `Fault` where the server refused something;
    then nothing was changed.
    """
    if password.is_given and not carry_out:
        raise SettingsInvalid("--password-file and --password-env go with --apply, not alone.")
    secret = password.read() if password.is_given else None
    with _connected(admin_url) as connection:

        def plan() -> Plan:
            return plan_drop(connection, wish.role) if drop else plan_provision(connection, wish)

        first = plan()
        if not carry_out:
            print_script(first)
            return 0
        if drop:
            applying.apply(connection, first, plan)
            connection.commit()
            say_what_was_done(first)
            return 0
        if first.beyond:
            print_beyond(first)
        return _make(connection, wish, admin_url, secret, first, plan)


def _make(
    connection: Connection,
    wish: Wish,
    admin_url: str,
    given: str | None,
    first: Plan,
    plan: Callable[[], Plan],
) -> int:
    secret = given
    if secret is None and first.creates:
        secret = applying.new_password()
    url = applying.login_url(connection, admin_url, wish.role, secret or _SHOWN)
    applying.apply(connection, first, plan, accept_public=wish.keep_public)
    is_new = secret is not None and (first.creates or not applying.works(url))
    if secret is not None and is_new:
        applying.set_password(connection, wish.role, secret)
    connection.commit()
    say_what_was_done(first, new_password=is_new)
    if secret is None:
        say(
            f"The login {wish.role} keeps its password; --password-file FILE gives it another,"
            " and tries it."
        )
        return 0
    if len(secret) < SHORT:
        note(f"the password has fewer than {SHORT} characters, and can be guessed.")
    shown = applying.login_url(connection, admin_url, wish.role, _SHOWN)
    if given is not None:
        say(f"Put this into DATABASE_URL, with your password:\n{shown}")
    else:
        say(f"Put this into DATABASE_URL; the password is not shown again:\n{url}")
    if trouble := applying.try_login(url, wish):
        note(f"the login {wish.role} is made, but could not be tried: {trouble}")
        return 1
    say(f"Checked: {wish.role} logs in and {what_it_can(wish)}.")
    return 0


@contextlib.contextmanager
def _connected(url: str) -> Iterator[Connection]:
    """Connect as the admin; the transaction is rolled back unless it was committed."""
    database = AnalyticsDatabase(url)  # for its words; it makes no connection by itself
    try:
        connection = connect(url)
    except psycopg.Error as error:
        if is_login_refused(error):
            raise DatabaseUnavailable(
                f"The database {database.where} refused the login: check your user and password."
                " One that is not in the address comes from PGPASSWORD or ~/.pgpass; on a terminal"
                " it is asked for."
            ) from None
        raise database.unavailable(error) from None
    with contextlib.closing(connection):
        try:
            # Lasts until the commit, and what comes after asks nothing.
            connection.execute(OWN_NAMES)
            connection.execute(f"SET LOCAL lock_timeout = '{LOCK_WAIT_S}s'")
            yield connection
        except psycopg.errors.LockNotAvailable:
            raise Fault(
                f"Nothing was changed: somebody has held a lock for {LOCK_WAIT_S} seconds on what"
                " has to be granted. Run it again when they are done."
            ) from None
        except psycopg.Error as error:
            if error.sqlstate in _AT_THE_SAME_TIME or "concurrently updated" in str(error):
                raise Fault(
                    "Nothing was changed: somebody else changed the same rights at the same time."
                    " Run it again."
                ) from None
            if failures.is_connection_trouble(error):
                raise database.unavailable(error, was_open=True) from None
            detail = (error.diag.message_detail or "").replace("\n", "; ")
            hint = (error.diag.message_hint or "").replace("\n", " ")
            said = " ".join([f"{failures.first_line(error)}.", failures.cut(detail), hint]).strip()
            raise Fault(f"Nothing was changed. The server says: {said}") from error
