"""The last look at what is printed: no token, key or password of the settings is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import unquote

import psycopg
from psycopg.conninfo import conninfo_to_dict
from pydantic import SecretStr

from bot.doctor.set_up import SetUp

_SHORTEST: Final = 6
"""Characters of a secret that is looked for; a shorter one is a word like any other."""


def without_secrets(set_up: SetUp) -> Callable[[str], str]:
    """Return a function that puts *** where a text holds a secret of the settings."""
    secrets = sorted({each for each in _secrets(set_up) if len(each) >= _SHORTEST}, key=len)

    def clean(text: str) -> str:
        for secret in reversed(secrets):
            text = text.replace(secret, "***")
        return text

    return clean


def _secrets(set_up: SetUp) -> Iterator[str]:
    for settings in (set_up.agent, set_up.bot):
        for name in type(settings).model_fields:
            value = getattr(settings, name)
            if isinstance(value, SecretStr):
                text = value.get_secret_value()
                yield text
                yield from _password(text)


def _password(address: str) -> Iterator[str]:
    """Yield the password of a database's address, unless it is the name of something there."""
    try:
        parts = conninfo_to_dict(address)
    except (psycopg.Error, ValueError):
        return
    password = str(parts.get("password") or "")
    names = {str(parts.get(each) or "") for each in ("user", "dbname", "host")}
    if password and password not in names:
        yield password
        yield unquote(password)
