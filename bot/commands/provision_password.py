"""The passwords of `db-agent provision`: the login's, and the operator's own."""

from __future__ import annotations

import getpass
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg

from agent.errors import SettingsInvalid

SHORT: Final = 12
"""Characters under which a password is guessed too soon."""
_CONNECT_TIMEOUT_S: Final = 10


@dataclass(frozen=True)
class Password:
    """Where the password of the login comes from; nothing given: a new one is made."""

    file: Path | None = None
    variable: str | None = None

    @property
    def is_given(self) -> bool:
        """The operator has one."""
        return self.file is not None or self.variable is not None

    @property
    def option(self) -> str:
        """The option that gives it."""
        if self.file is not None:
            return f"--password-file {self.file}"
        return f"--password-env {self.variable}"

    def read(self) -> str:
        """Return it. Raises `SettingsInvalid` where it is not there, or not one line of text."""
        if self.file is not None:
            text = self._from_file(self.file)
        elif (self.variable or "") not in os.environ:
            raise SettingsInvalid(f"{self.option}: there is no such variable in the environment.")
        else:
            text = os.environ[self.variable or ""]
        text = text.rstrip("\r\n")
        if not text:
            raise SettingsInvalid(f"{self.option}: it is empty; it has to hold the password.")
        if "\n" in text or "\r" in text:
            raise SettingsInvalid(
                f"{self.option}: it has several lines; the password has to be the only one."
            )
        if not text.isprintable():
            raise SettingsInvalid(f"{self.option}: it holds characters that nobody can type.")
        return text

    def _from_file(self, file: Path) -> str:
        try:
            return file.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise SettingsInvalid(f"{self.option}: there is no such file.") from None
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no text"
            raise SettingsInvalid(f"{self.option}: the file cannot be read: {reason}.") from None


def connect(url: str) -> psycopg.Connection[tuple[object, ...]]:
    """Connect as the operator; on a terminal, ask for a password that the server wants and nobody
    has given. Raises psycopg's errors.
    """
    try:
        return psycopg.connect(url, connect_timeout=_CONNECT_TIMEOUT_S, client_encoding="UTF8")
    except psycopg.OperationalError as error:
        if not (lacks_password(error) and sys.stdin.isatty()):
            raise
        try:
            secret = getpass.getpass("Your password for this database: ")
        except EOFError:  # Ctrl-D: there is none
            raise error from None
    return psycopg.connect(
        url, connect_timeout=_CONNECT_TIMEOUT_S, client_encoding="UTF8", password=secret
    )


def lacks_password(error: psycopg.Error) -> bool:
    """Say whether the server wanted a password and got none."""
    return "no password supplied" in str(error)


def is_login_refused(error: psycopg.Error) -> bool:
    """Say whether the server did not let the operator in for the password, or for want of one."""
    return lacks_password(error) or "password authentication failed" in str(error)
