"""What broke, as the log may have it."""

from __future__ import annotations

import builtins
import re
from typing import Final

from bot.logs.redaction import WITHHELD

_NAMED: Final = re.compile(r"^(\w+): ")
_QUOTED: Final = re.compile(r"'(?:[^'\n]|'')*'")


def fault_words(detail: str) -> str:
    """Return the detail of a fault without what may be somebody's data.

    Of a bug that is the name of its exception: its trace is in the log. What a server quotes of a
    statement is left out.
    """
    named = _NAMED.match(detail)
    kind = getattr(builtins, named[1], None) if named else None
    if named and isinstance(kind, type) and issubclass(kind, Exception):
        return named[1]
    return _QUOTED.sub(f"'{WITHHELD}'", detail)
