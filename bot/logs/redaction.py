"""Takes secrets out of what is logged, whoever logs it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Final

HIDDEN: Final = "[hidden]"
WITHHELD: Final = "[withheld]"
"""In the place of words that are no secret, and still nobody's but the person's who said them."""
LEAST: Final = 8
"""A value of a setting is taken for a secret from this length on: a shorter one is in any line."""

_SHAPES: Final = (
    # Tokens of Slack, of providers of models, and of clouds.
    re.compile(r"\b(?:xox[a-z]|xapp|xwfp)[-.][A-Za-z0-9.-]{4,}"),
    re.compile(r"\b(?:sk|gsk|nvapi|pk|rk)[-_][A-Za-z0-9_-]{6,}"),
    re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{12,}"),
    re.compile(r"\beyJ[\w-]{6,}\.[\w-]{6,}\.[\w-]*"),
    # An address at which whoever knows it may answer in our name, or listen.
    re.compile(r"https?://hooks\.slack\.com/\S+"),
    re.compile(r"https?://[^\s\"']*/(?:commands|actions|response)/[^\s\"']+"),
    re.compile(r"wss?://[^\s\"']+"),
    re.compile(r"\bv0=[0-9a-f]{16,}"),
)
_AFTER: Final = (
    # The group before what is hidden stays.
    re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*://[^\s:/@\"']*:)[^\s\"']+(?=@)"),
    re.compile(r"(?i)(\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{6,}"),
    re.compile(
        r"(?i)([\w-]*(?:password|passwd|pwd|secret|token|api[_-]?key|authorization|response_url"
        r"|x-slack-signature|cookie|ticket)[\"']?\s*(?:=|:)\s*[\"']?(?:(?:bearer|basic)\s+)?)"
        r"[^\s\"',;&}\])]{3,}"
    ),
)
_NAMES: Final = re.compile(r"(?i)secret|token|password|passwd|api_?key|_key$|headers$")
_PARTS: Final = re.compile(r"[,=\s]+")
_LOGIN: Final = re.compile(r"://[^\s:/@]*:([^\s]+)@")


class Redaction:
    """Knows the shapes of secrets, and those that this process was given."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        """`known` are secrets as they are."""
        wanted = sorted({each for each in known if len(each) >= LEAST}, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, wanted))) if wanted else None

    def __call__(self, text: str) -> str:
        """Return `text` without what is secret."""
        if self._known is not None:
            text = self._known.sub(HIDDEN, text)
        for shape in _SHAPES:
            text = shape.sub(HIDDEN, text)
        for shape in _AFTER:
            text = shape.sub(rf"\g<1>{HIDDEN}", text)
        return text


def secrets_of(*settings: Mapping[str, str | None]) -> set[str]:
    """Return the values that are secret by the names of their settings, and logins' passwords."""
    found: set[str] = set()
    for name, value in (pair for each in settings for pair in each.items()):
        text = (value or "").strip()
        login = _LOGIN.search(text)
        if login is not None:
            found.add(login[1])
        elif _NAMES.search(name):
            found.update([text, *_PARTS.split(text)])
    return found


def own_secrets() -> set[str]:
    """Return the secrets of this process: of its environment, and of .env."""
    from dotenv import dotenv_values

    try:
        kept = dotenv_values(".env")
    except (OSError, UnicodeError):  # whoever reads the settings tells of it
        kept = {}
    return secrets_of(os.environ, kept)
