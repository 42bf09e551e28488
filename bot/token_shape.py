"""What one of Slack's tokens looks like, and what else may stand in its place."""

from __future__ import annotations

from typing import Final

from pydantic import SecretStr

QUOTES: Final = tuple("\"'`“”„‘’")


def with_prefix(token: SecretStr, prefix: str, where: str) -> SecretStr:
    """Return the token without blanks around it. Raises `ValueError`, which ends with `where`."""
    text = token.get_secret_value().strip()
    if text.startswith(prefix) and text != prefix:
        return SecretStr(text)
    kinds = {"xoxb-": "a bot token", "xapp-": "an app-level token", "xoxp-": "a person's token"}
    found = next((kind for start, kind in kinds.items() if text.startswith(start)), "no token")
    if text.startswith(QUOTES):
        raise ValueError(f"must not have quotation marks around it: leave them out; {where}")
    if text == prefix:
        raise ValueError(f"is not filled in: it is still {prefix}, as in .env.example; {where}")
    raise ValueError(f"must be a token that starts with {prefix}, but holds {found}: {where}")
