"""Tokens, and what can be done to them: noise, other spellings, tricks on whoever reads them."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

_TOKEN = re.compile(
    r"""
    \s+ | --[^\n]* | /\*.*?\*/ | \$(\w*)\$.*?\$\1\$ | [EeBbXx]?'(?:[^']|'')*' | [Uu]&'(?:[^']|'')*'
    | [Uu]&"(?:[^"]|"")*" | "(?:[^"]|"")*" | [\w$]+ | :: | [<>=!|&@\#~^*/%+-]+ | .
    """,
    re.VERBOSE | re.DOTALL,
)
_WORD = re.compile(r"[A-Za-z_]\w*$")
_BLANKS = [" ", "\n", "\t", "\r", "\f", "\v", "  ", "\r\n"]
_ODD = [
    "\x00",
    "\u00a0",
    "\u0085",
    "\u3000",
    "\u200b",
    "\ufeff",
    "\u2028",
    "\u202e",
    "\x01",
    "\x7f",
]
_COMMENTS = [
    "/**/", "/* x */", "/* /* x */ */", "-- x\n", "--\r\n", "-- x\r", "/*;*/", "/*'*/", '/*"*/',
    "/* $$ */", "/*\n--*/", "--/*\n", "/*+ hint */", "/*! x */",
]  # fmt: skip
_OPENERS = [
    "'", '"', "$$", "$x$", "/*", "*/", "--", "E'\\'", "U&'", "U&\"", "B'", ";", "(", ")", "a$x$",
    "\\", "\\'", "`", "#", "//", "{", "$1", "::", "..", ":=", "=>", "[", "]", "N'a'", "e'\\''",
    "U&'\\0027'", "E'\\x27'", "UESCAPE '!'", "'a'\n'b'", "'a' /**/ 'b'", "'a' -- x\n'b'", "1a",
    "$1a", "0x1F", "1_000", "1e", "1..2", "@-", "*/ /*", "/*/", "'';", "'\\''", "E'\\\\'",
    "$a$ $b$ $a$",
]  # fmt: skip
_LABELS = [
    "lateral", "offset", "limit", "into", "for", "window", "fetch", "union", "group", "order",
    "with", "from", "where", "having", "day", "over", "filter", "tablesample", "only", "rows",
]  # fmt: skip


def tokens(text: str) -> list[str]:
    """Cut a text into tokens; joined they give the text again."""
    return [match[0] for match in _TOKEN.finditer(text)]


def respell(word: str, random: Random) -> str:
    """Return another spelling of an identifier that means the same, or nearly."""
    if not _WORD.match(word):
        return word
    point = ord(word[0])
    return random.choice(
        [
            word, word.upper(), word.capitalize(), f'"{word}"', f'"{word.upper()}"',
            f'U&"\\{point:04x}{word[1:]}"', f'U&"!{point:04x}{word[1:]}" UESCAPE \'!\'',
            f"/**/{word}/**/", f"\n{word}\n", f'"{word}\u00a0"', f"{word}\u00a0", f"{word}$",
        ]
    )  # fmt: skip


def _insert(parts: list[str], piece: str, random: Random) -> list[str]:
    place = random.randint(0, len(parts))
    return [*parts[:place], piece, *parts[place:]]


def harmless(text: str, random: Random) -> str:
    """Return the text written otherwise: comments, blanks, case, parentheses."""
    parts = tokens(text)
    for _ in range(random.randint(1, 3)):
        place = random.randrange(len(parts)) if parts else 0
        if not parts or not parts[place].isspace():
            continue
        parts[place] = random.choice(
            [*_BLANKS[:4], " /* x */ ", " -- y\n", "/* /* z */ */", "\n\n"]
        )
    if random.random() < 0.3:
        parts = [p.upper() if _WORD.match(p) and random.random() < 0.3 else p for p in parts]
    if random.random() < 0.1:
        parts.append(random.choice([";", "; -- x", ";\n", " ;;", " -- end", "/* end */"]))
    return "".join(parts)


def _odd_blank(parts: list[str], random: Random) -> list[str]:
    return _insert(parts, random.choice(_ODD), random)


def _comment(parts: list[str], random: Random) -> list[str]:
    return _insert(parts, random.choice(_COMMENTS), random)


def _opener(parts: list[str], random: Random) -> list[str]:
    return _insert(parts, random.choice(_OPENERS), random)


def _label(parts: list[str], random: Random) -> list[str]:
    return _insert(parts, f" {random.choice(_LABELS)} ", random)


def _delete(parts: list[str], random: Random) -> list[str]:
    place = random.randrange(len(parts))
    return parts[:place] + parts[place + 1 :]


def _double(parts: list[str], random: Random) -> list[str]:
    return _insert(parts, random.choice(parts), random)


def _swap(parts: list[str], random: Random) -> list[str]:
    one, other = random.randrange(len(parts)), random.randrange(len(parts))
    parts = list(parts)
    parts[one], parts[other] = parts[other], parts[one]
    return parts


def _spell(parts: list[str], random: Random) -> list[str]:
    place = random.randrange(len(parts))
    return [*parts[:place], respell(parts[place], random), *parts[place + 1 :]]


def _within(parts: list[str], random: Random) -> list[str]:
    place = random.randrange(len(parts))
    word = parts[place]
    cut = random.randint(0, len(word))
    piece = random.choice(["/**/", " ", "\n", "\\", "'", '"', "$$", "\x00", "\u00a0", "_", "."])
    return [*parts[:place], word[:cut] + piece + word[cut:], *parts[place + 1 :]]


def _long(parts: list[str], random: Random) -> list[str]:
    place = random.randrange(len(parts))
    if not _WORD.match(parts[place]):
        return parts
    tail = random.choice(["x" * (63 - len(parts[place])), "x" * 64, "ä" * 40])
    return [*parts[:place], parts[place] + tail, *parts[place + 1 :]]


_TRICKS: list[Callable[[list[str], Random], list[str]]] = [
    _odd_blank, _comment, _comment, _opener, _opener, _label, _delete, _double, _swap, _spell,
    _spell, _within, _long,
]  # fmt: skip


def tricks(text: str, random: Random) -> str:
    """Return the text with one to three of the tricks done to it."""
    parts = tokens(text)
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        parts = random.choice(_TRICKS)(parts or [" "], random)
    return "".join(parts)


def mix(one: str, other: str, random: Random) -> str:
    """Return the head of one text and the tail of the other, or one token of the other within."""
    left, right = tokens(one), tokens(other)
    if random.random() < 0.5:
        return "".join(
            left[: random.randint(0, len(left))] + right[random.randint(0, len(right)) :]
        )
    if not left or not right:
        return one
    left[random.randrange(len(left))] = random.choice(right)
    return "".join(left)


def replace_value(text: str, piece: str, random: Random) -> str:
    """Return the text with one of its constants or names replaced by `piece`."""
    parts = tokens(text)
    places = [
        i for i, part in enumerate(parts)
        if part[:1].isdigit() or part[:1] == "'" or (part.islower() and _WORD.match(part))
    ]  # fmt: skip
    if not places:
        return text
    constants = [i for i in places if not parts[i][:1].isalpha()]
    place = random.choice(constants or places) if random.random() < 0.7 else random.choice(places)
    return "".join([*parts[:place], piece, *parts[place + 1 :]])
