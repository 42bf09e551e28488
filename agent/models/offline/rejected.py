"""A query that the guard refused, put right as the line of the refusal says; text to text.

Only the words of the line are followed, never its code: a line that names no cure gives none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from agent.models.offline.sql_words import (
    NAME,
    arguments,
    blanked,
    inside_strings,
    outside_literals,
    replaced,
    without_comments,
    without_item,
)

_SAID: Final = re.compile(r"^Refused \(\w+\): (?P<line>.*)$", re.DOTALL)
_WRITTEN: Final = rf"{NAME}(?:\.{NAME})*"
_SIGNS: Final = r"[-+*/<>=~!@#%^&|`?]"
_LOCK: Final = (
    r"\s*\bFOR\s+(?:NO\s+KEY\s+UPDATE|UPDATE|KEY\s+SHARE|SHARE)\b"
    rf"(?:\s+OF\s+{NAME}(?:\s*,\s*{NAME})*)?(?:\s+(?:NOWAIT|SKIP\s+LOCKED))?"
)
_INTO: Final = (
    r"\bINTO\s+(?:(?:UNLOGGED|TEMPORARY|TEMP|LOCAL|GLOBAL|TABLE)\s+)*" + _WRITTEN + r"\s*"
)


def is_refused(error: str) -> bool:
    """Whether the guard refused the query; the server never saw it."""
    return _SAID.match(error) is not None


def amended(sql: str, error: str) -> str | None:
    """Return the refused query as the refusal says; None where it says nothing to be followed."""
    said = _SAID.match(error)
    if said is None:
        return None
    for follow in _FOLLOW:
        changed = follow(sql, said["line"])
        if changed is not None and changed.strip() != sql.strip():
            return changed
    return None


def _nearest_table(sql: str, line: str) -> str | None:
    told = re.search(
        rf"no table (?P<old>.+?) that may be read\. The nearest names are: (?P<new>{_WRITTEN})",
        line,
    )
    return told and replaced(sql, rf"(?<!AS )(?<!\.)\b{re.escape(told['old'])}\b", told["new"])


def _meant(sql: str, line: str) -> str | None:
    told = re.search(
        r"(?P<call>function|cast to) (?P<old>\w+)\b.* Perhaps you meant: (?P<new>\w+)", line
    )
    if told is None:
        return None
    if told["call"] == "function":
        return replaced(sql, rf"\b{told['old']}\b(?=\s*\()", told["new"])
    return _cast_to(sql, told["old"], told["new"])


def _ordinary_type(sql: str, line: str) -> str | None:
    told = re.search(r"cast to (?P<old>\w+)\. Use an ordinary type such as (?P<new>\w+)", line)
    return told and _cast_to(sql, told["old"], told["new"])


def _cast_to(sql: str, old: str, new: str) -> str:
    sql = replaced(sql, rf"::\s*(?:{NAME}\.)?{old}\b", f"::{new}")
    return replaced(sql, rf"\bAS\s+(?:{NAME}\.)?{old}\s*\)", f"AS {new})")


def _built_in(sql: str, line: str) -> str | None:
    told = re.search(r"Write (?P<new>\S+) for the built-in one\.", line)
    old = re.search(
        r"^(?P<call>\S+) is not a built-in|has a (?P<own>\w+) of its own"
        r"|operator (?P<sign>\S+) may",
        line,
    )
    if told is None or old is None:
        return None
    if old["sign"]:
        sign = re.escape(old["sign"])
        if "." not in old["sign"]:
            return replaced(sql, rf"(?<!{_SIGNS}){sign}(?!{_SIGNS})", told["new"])
        sign = sign.replace(r"\.", r"\s*\.\s*")
        return replaced(sql, rf"\bOPERATOR\s*\(\s*{sign}\s*\)", told["new"])
    name = re.escape(old["call"] or old["own"])
    return replaced(sql, rf"(?<!\.)\b{name}(?=\s*\()", told["new"])


def _without_database(sql: str, line: str) -> str | None:
    told = re.search(rf"with its schema only\. Write (?P<new>{_WRITTEN})\.", line)
    return told and replaced(
        sql, rf"\b{NAME}\.(?:{NAME}\.)?{re.escape(told['new'])}\b", told["new"]
    )


def _left_out(sql: str, line: str) -> str | None:
    if "Leave INTO out" in line:
        return replaced(sql, _INTO, "")
    if "Leave FOR UPDATE or FOR SHARE out" in line:
        return replaced(sql, _LOCK, "")
    told = re.search(r"^(?:The function )?(?P<name>\w+) (?:may not|tells).* Leave it out", line)
    return told and without_item(sql, told["name"])


def _one_at_a_time(sql: str, line: str) -> str | None:
    if "Send one SELECT at a time" not in line:
        return None
    bare, at = blanked(sql), 0
    for end in [*(stop.start() for stop in re.finditer(";", bare)), len(sql)]:
        if re.match(r"\s*(?:SELECT|WITH|VALUES)\b", bare[at:end], re.IGNORECASE):
            return sql[at:end].strip()
        at = end + 1
    return None


def _only_the_query(sql: str, line: str) -> str | None:
    told = re.search(r"^(?P<word>\w+) is not a query\. Only one SELECT", line)
    begin = re.search(r"\b(?:WITH|SELECT)\b", blanked(sql), re.IGNORECASE)
    return sql[begin.start() :] if told and begin else None


def _smaller_number(sql: str, line: str) -> str | None:
    told = re.search(r"(?P<name>\w+) (?:must|may) .*up to (?P<most>[\d,]+).*smaller number", line)
    if told is None:
        return None
    most = int(told["most"].replace(",", ""))
    bound = re.search(r"bound it: least\(…, (?P<most>\d+)\)", line)
    pieces = arguments(sql, told["name"])
    for start, end in reversed(pieces):
        cut = re.sub(r"\d+", lambda number: str(min(int(number[0]), most)), sql[start:end])
        if cut != sql[start:end]:
            return sql[:start] + cut + sql[end:]
    if bound is None or len(pieces) < 2:
        return None
    start, end = pieces[1]
    return f"{sql[:start]} least({sql[start:end].strip()}, {bound['most']}){sql[end:]}"


def _bounded(sql: str, line: str) -> str | None:
    told = re.search(r"length in (?P<name>\w+) has no limit .*? Write (?P<new>.+)\.$", line)
    if told is None:
        return None
    old, new = arguments(sql, told["name"]), arguments(told["new"], told["name"])
    if len(old) < 2 or len(old) != len(new):
        return None
    (start, end), (begin, stop) = old[1], new[1]
    return f"{sql[:start]} {told['new'][begin:stop].strip()}{sql[end:]}"


def _plain_characters(sql: str, line: str) -> str | None:
    told = re.search(r"character U\+(?P<point>[0-9A-F]+)\.", line)
    if told is None:
        return None
    char = chr(int(told["point"], 16))
    if "Remove it" in line:
        return sql.replace(char, "")
    if "Use a plain blank;" in line:
        return sql.replace(char, " ")
    spelt = re.search(r"or inside a string write it as U&'(?P<as>\S+)'", line)
    return spelt and inside_strings(
        outside_literals(sql, lambda piece: piece.replace(char, " ")),
        lambda text: _spelt(text, char, spelt["as"]),
    )


def _spelt(text: str, char: str, escape: str) -> str:
    return "U&" + text.replace("\\", r"\\").replace(char, escape) if char in text else text


def _shorter(sql: str, line: str) -> str | None:
    if "leave out comments and blanks" not in line:
        return None
    return outside_literals(without_comments(sql), lambda piece: re.sub(r"\s+", " ", piece))


def _sampling(sql: str, line: str) -> str | None:
    told = re.search(r"sampling method (?P<old>\w+) here\. Use (?P<new>\w+)", line)
    return told and replaced(sql, rf"\bTABLESAMPLE\s+(?:{NAME}\.)?{told['old']}\b",
                             f"TABLESAMPLE {told['new']}")  # fmt: skip


def _short_name(sql: str, line: str) -> str | None:
    told = re.search(r"may not name a query '(?P<old>\w+)'\. Choose a short name", line)
    return told and replaced(sql, rf"\b{told['old']}\w*", told["old"].removeprefix("pg_")[:30])


_FOLLOW: Final[tuple[Callable[[str, str], str | None], ...]] = (
    _nearest_table,
    _meant,
    _ordinary_type,
    _built_in,
    _without_database,
    _left_out,
    _one_at_a_time,
    _only_the_query,
    _smaller_number,
    _bounded,
    _plain_characters,
    _shorter,
    _sampling,
    _short_name,
)
