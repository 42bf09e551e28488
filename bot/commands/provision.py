"""`db-agent provision`: makes the login that the bot reads as, or prints the SQL that does."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import psycopg

from agent.database import failures
from agent.database.boundaries import OWN_NAMES
from agent.database.provision import Plan, Step, Wish, applying, plan_drop, plan_provision, script
from agent.database.provision.server import Connection
from agent.database.session import AnalyticsDatabase
from agent.errors import Fault, SettingsInvalid

_CONNECT_TIMEOUT_S = 10
_SHOWN = "PASSWORD"
"""Stands in an address for a password that the operator has given, and knows."""


@dataclass(frozen=True)
class Password:
    """Where the password of the login comes from; nothing given: a new one is made."""

    file: Path | None = None
    variable: str | None = None

    @property
    def is_given(self) -> bool:
        """The operator has one."""
        return self.file is not None or self.variable is not None

    def read(self) -> str:
        """Return it. Raises `SettingsInvalid` where it is not there."""
        if self.file is not None:
            try:
                text = self.file.read_text(encoding="utf-8").rstrip("\r\n")
            except (OSError, UnicodeError) as error:
                reason = getattr(error, "strerror", None) or "it is no text"
                raise SettingsInvalid(
                    f"--password-file {self.file}: the file cannot be read: {reason}."
                ) from None
        else:
            text = os.environ.get(self.variable or "", "")
        if not text or not text.isprintable():
            raise SettingsInvalid("The password must be one line of text, and not empty.")
        return text


def provision(
    wish: Wish, *, admin_url: str, password: Password, drop: bool = False, carry_out: bool = False
) -> int:
    """Print what makes (or drops) the login, or with `carry_out` do it; returns the exit code.

    0 where all is well, 1 where the login that was made cannot log in. Raises `SettingsInvalid`
    for what cannot be had, `DatabaseUnavailable`, and `Fault` where the server refused something;
    then nothing was changed.
    """
    if password.is_given and (drop or not carry_out):
        raise SettingsInvalid("--password-file and --password-env go with --apply, not alone.")
    with _connected(admin_url) as connection:

        def plan() -> Plan:
            return plan_drop(connection, wish.role) if drop else plan_provision(connection, wish)

        first = plan()
        if not carry_out:
            _print_script(first)
            return 0
        if drop:
            applying.apply(connection, first, plan)
            connection.commit()
            _say_what_was_done(first)
            return 0
        return _make(connection, wish, admin_url, password, first, plan)


def _make(
    connection: Connection,
    wish: Wish,
    admin_url: str,
    password: Password,
    first: Plan,
    plan: Callable[[], Plan],
) -> int:
    secret = password.read() if password.is_given else None
    if secret is None and first.creates:
        secret = applying.new_password()
    url = applying.login_url(connection, admin_url, wish.role, secret or _SHOWN)
    applying.apply(connection, first, plan, accept_public=wish.keep_public)
    is_new = secret is not None and (first.creates or not applying.works(url))
    if secret is not None and is_new:
        applying.set_password(connection, wish.role, secret)
    connection.commit()
    _say_what_was_done(first, new_password=is_new)
    if secret is None:
        _say(
            f"The login {wish.role} keeps its password; --password-file FILE gives it another,"
            " and tries it."
        )
        return 0
    shown = applying.login_url(connection, admin_url, wish.role, _SHOWN)
    if password.is_given:
        _say(f"Put this into DATABASE_URL, with your password:\n{shown}")
    else:
        _say(f"Put this into DATABASE_URL; the password is not shown again:\n{url}")
    if trouble := applying.try_login(url, wish):
        _note(f"the login {wish.role} is made, but could not be tried: {trouble}")
        return 1
    _say(f"Checked: {wish.role} logs in and {_can(wish)}.")
    return 0


def _can(wish: Wish) -> str:
    if wish.keep_public:
        return "can do nothing but read, and what everybody can"
    return "can do nothing but read"


def _print_script(plan: Plan) -> None:
    if plan.steps:
        print(script(plan), end="")
        return
    _say_notes(plan)
    print(f"-- {_nothing(plan)}")


def _say_what_was_done(plan: Plan, *, new_password: bool = False) -> None:
    _say_notes(plan)
    if not plan.steps:
        _say(f"{_nothing(plan)[0].upper()}{_nothing(plan)[1:]}")
    else:
        _say(f"Done, in one transaction, in the database {plan.database}:")
        for part, steps in groupby(plan.steps, key=lambda step: step.part):
            _say_part(part, list(steps))
    if new_password and not plan.creates:
        _say("The password was set.")


def _say_part(part: str, steps: list[Step]) -> None:
    number = f"{len(steps)} statement{'s' if len(steps) > 1 else ''}"
    _say(f"- {part} ({number})")
    for step in steps:
        if step.from_public:
            first, *more = step.sql.splitlines()
            _say(f"    {first}{f' {len(more) - 1} of them FROM PUBLIC;' if more else ''}")


def _nothing(plan: Plan) -> str:
    if plan.drops:
        return f"nothing to drop: {plan.notes[0]}" if plan.notes else "nothing to drop."
    return f"nothing to change: {plan.role} is as it has to be in {plan.database}."


def _say_notes(plan: Plan) -> None:
    for note in plan.notes if plan.steps or not plan.drops else ():
        _note(note)


def _say(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Fault(f"The result cannot be written: {error.strerror or error}.") from error


def _note(text: str) -> None:
    print(f"note: {text}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def _connected(url: str) -> Iterator[Connection]:
    """Connect as the admin; the transaction is rolled back unless it was committed."""
    database = AnalyticsDatabase(url)  # for its words; it makes no connection by itself
    try:
        connection = psycopg.connect(url, connect_timeout=_CONNECT_TIMEOUT_S)
    except psycopg.Error as error:
        raise database.unavailable(error) from None
    with contextlib.closing(connection):
        try:
            # Lasts until the commit, and what comes after asks nothing.
            connection.execute(OWN_NAMES)
            yield connection
        except psycopg.Error as error:
            if failures.is_connection_trouble(error):
                raise database.unavailable(error, was_open=True) from None
            detail = (error.diag.message_detail or "").replace("\n", "; ")
            said = f"{failures.first_line(error)}. {failures.cut(detail)}".strip()
            raise Fault(f"Nothing was changed. The server says: {said}") from error
