"""Text from a database or a model: without what hides in it, and unable to look like a mark; pure.

Characters that nobody sees can carry a message that only a machine reads, and others turn the order
of what is read around. What belongs to a script or to an emoji stays.
"""

from __future__ import annotations

import re
from typing import Final

# Controls, bidirectional marks, zero-width and other invisible characters, fillers, tags,
# variation selectors that no emoji has, half surrogate pairs.
_INVISIBLE_CHARS: Final = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0"
    "\ufff9-\ufffb\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_INVISIBLE: Final = re.compile(f"[{_INVISIBLE_CHARS}]")
_BREAKS_A_LINE: Final = re.compile(f"[{_INVISIBLE_CHARS}\u2028\u2029]")
# A joiner in a script that needs it, or between emojis, belongs to the text; elsewhere it hides.
_JOINER: Final = re.compile(
    "(?<![\u0590-\u1fff\u2190-\U0010ffff])[\u200c\u200d]+|[\u200c\u200d]+(?=\\s|$)"
)
_JOINERS: Final = re.compile("([\u200c\u200d])[\u200c\u200d]+")
# Whether a sign is drawn as text or as an emoji is said once, behind it.
_STYLE: Final = re.compile(
    "(?<![#*0-9\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff])[\ufe0e\ufe0f]+"
)
# Marks above and below letters, so many that they cover the lines around them.
_STACKED: Final = re.compile(
    "([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3})"
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)
_MARK: Final = re.compile(r"<(?=[/!?]?[A-Za-z])")


def without_invisible(text: str) -> str:
    """Return the text without the characters that nobody sees; line ends and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    text = _INVISIBLE.sub("", text)
    text = _STYLE.sub("", _JOINERS.sub(r"\1", _JOINER.sub("", text)))
    return _STACKED.sub(r"\1", text)


def escaped_in_json(line: str) -> str:
    """Return a line of JSON that says the same and can neither hide, break nor close anything.

    Angle brackets become escapes too.
    """
    return visible_json(line).replace("<", "\\u003c").replace(">", "\\u003e")


def visible_json(line: str) -> str:
    """Return a line of JSON with escapes such as \\u200b for what is invisible or breaks a line."""
    if line.isascii() and line.isprintable():
        return line
    return _BREAKS_A_LINE.sub(_escape, line)


def without_marks(text: str) -> str:
    """Return words for a model to read, such as an error, with nothing invisible and no mark.

    A mark is what looks like <data>, or begins or ends a block of code.
    """
    return _MARK.sub("‹", without_invisible(text)).replace("```", "'''")


def one_line(text: str) -> str:
    """Return such words, say a comment or a name, on one line."""
    return " ".join(without_marks(text).splitlines())


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
