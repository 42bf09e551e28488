"""Which name the next query used in the place of one that does not exist."""

from __future__ import annotations

from difflib import SequenceMatcher

from sqlglot import TokenType
from sqlglot.dialects.postgres import Postgres
from sqlglot.errors import SqlglotError


def used_instead(failed_sql: str, missing: str, next_sql: str) -> str:
    """Return the name that stands in `next_sql` where `failed_sql` had `missing`.

    Returns "" where that is not clear: the place is not the only thing that changed around there,
    different names stand in different places, or the missing name is still used.
    """
    before, after = _names_and_signs(failed_sql), _names_and_signs(next_sql)
    wanted = missing.lower()
    if wanted not in before:
        return ""
    found: set[str] = set()
    for change, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        old, new = before[a:b], after[c:d]
        if wanted not in old:
            continue
        if change == "equal":
            # A label such as "sum(amount) AS total" may keep the name; a value may not.
            if any(before[a + n - 1] != "as" for n, each in enumerate(old) if each == wanted):
                return ""
            continue
        old, new = _without_table(old), _without_table(new)
        if old != [wanted] or len(new) != 1 or not _is_name(new[0]):
            return ""
        found.add(new[0])
    return found.pop() if len(found) == 1 else ""


def _names_and_signs(sql: str) -> list[str]:
    """Return the words of a query; what PostgreSQL does not tell apart is written the same."""
    try:
        tokens = Postgres().tokenize(sql)
    except (SqlglotError, ValueError, RecursionError):
        return []
    return [
        f"'{token.text}'" if token.token_type is TokenType.STRING else token.text.lower()
        for token in tokens
    ]


def _without_table(words: list[str]) -> list[str]:
    """Return a column without the table before it: "p . amount" is "amount"."""
    return words[2:] if len(words) == 3 and words[1] == "." else words


def _is_name(word: str) -> bool:
    return word[:1].isalpha() or word[:1] == "_"
