"""What to do about a text that the grammar cannot read, where its habit is a known one."""

from __future__ import annotations

import re
from typing import Final

_FLAGS: Final = re.IGNORECASE | re.DOTALL
_PLACEHOLDER: Final = "A placeholder has no value here: write the value itself."
_TEMPLATE: Final = "Fill in the template: write the value itself, or the name."
_FENCE: Final = "Send the SQL without the code fence (```)."
_QUOTES: Final = "A quote inside a string is written twice: 'it''s'."
_MOST_LOOKED_AT: Final = 300
_BACKTICKS: Final = "Write names without backticks, or in double quotes."
_HABITS: Final = tuple(
    (re.compile(before, _FLAGS), re.compile(rest, _FLAGS), hint)
    for before, rest, hint in (
        (
            r"'\s*--[^\n]*\s*$",
            r"'",
            "Join the pieces of a string with ||, without a comment in it.",
        ),
        (r"'\s*$", r"'", "Join strings with ||."),
        (r"\w'$", r"\w", _QUOTES),
        (r"", r"LIMIT\s+[^,]+,", "LIMIT a, b is written LIMIT b OFFSET a."),
        (r"\bTOP\s*$", r"\d", "Instead of TOP n write LIMIT n at the end."),
        (r"", r"`", _BACKTICKS),
        (r"", r"\[\[\s*[a-z_{\"]|\{\{|\{%|\$\{|<%|<[a-z_][\w ]*>", _TEMPLATE),
        (r"[=<>(,]\s*<[a-z_][\w ]*>\s*$", r"", _TEMPLATE),
        (r"", r"\[", 'Names stand in double quotes: "a name"; arrays are written ARRAY[…].'),
        (r"\?\s*$", r"", _PLACEHOLDER),
        (r"", r"%(?:s|d|\()|:\w|\{|\$\w", _PLACEHOLDER),
        (r"\*\s*(?:EXCEPT|EXCLUDE|REPLACE)\s*\(\s*$", r"", "Name the columns one by one."),
        (r"\bINTERVAL\s+$", r"[-\d]", "Write an interval in quotes: INTERVAL '1 day'."),
        (r"", r"#", "A comment begins with two minus signs."),
        (r",\s*$", r"(?:FROM|WHERE|GROUP|ORDER|LIMIT|\)|$)", "Leave out the comma before it."),
    )
)
_TALK: Final = re.compile(r"(?!SE|WI|VA)[a-z][^;]*\b(?:SELECT|WITH)\b", _FLAGS)
_WORDS: Final = {
    "QUALIFY": "Put the window function into a subquery, and filter around it.",
    "(?:REGEXP|RLIKE)": "A pattern is written x ~ 'pattern'.",
    "DIV": "Division without a rest is written div(a, b).",
}
"""Words that PostgreSQL takes for a name: it stumbles over them, or over what follows."""


def hint_for(before: str, rest: str, message: str) -> str:
    """Return one sentence on what to do, "" for none.

    The parser read the text `before`, and said `message` of the `rest`.
    """
    if message.startswith("unterminated quoted string"):
        return f"Close the string. {_QUOTES}"
    if message.startswith("unterminated quoted identifier"):
        return 'Close the name: "a name".'
    if "```" in re.sub(r"'[^']*'", "", before + rest):
        return _FENCE
    if "`" in re.sub(r"'[^']*'", "", before):
        return _BACKTICKS
    if not before.strip() and _TALK.match(rest):
        return "Send the query alone, without other words."
    before, rest = before[-_MOST_LOOKED_AT:], rest[:_MOST_LOOKED_AT]
    for word, hint in _WORDS.items():
        if re.search(rf"\b{word}\s*$", before, _FLAGS) or re.match(rf"{word}\b", rest, _FLAGS):
            return hint
    for read, unread, hint in _HABITS:
        if read.search(before) and unread.match(rest):
            return hint
    return ""
