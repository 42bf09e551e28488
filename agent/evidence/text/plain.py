"""A draft without its markup: passages, each a sentence or a row of a table."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

MAX_PASSAGE = 600
"""Characters of a sentence; a longer one is read in pieces, for the work grows with its square."""
_MAX_BARS = 60
"""What has more than these between its cells is no table."""
_FENCE = re.compile(r"^ {0,3}(```|~~~)")
_LEAD = re.compile(r"^(?P<indent>\s*)(?P<mark>(?:>\s*)*(?:#{1,6}\s+|(?:[-*•–▪◦]|\d{1,2}[.)])\s+)?)")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)|<?https?://[^\s>]+>?")
_EMPHASIS = re.compile(r"\*\*|__|~~|(?<![\w*])[*_](?=[^\s*_])|(?<=[^\s*_])[*_](?![\w*])")
_CODE = re.compile(r"`([^`]*)`")
_CODE_NAME = re.compile(r"[_=()<>;*]|\b[A-Z]{3,} [A-Z]{2,}\b")
_EMOJI = re.compile(r":[a-z][a-z0-9_+-]*:")
_ABBREVIATED = re.compile(
    r"(?:\b(?:vs|ca|approx|no|nos|mr|mrs|ms|dr|st|incl|excl|avg|min|max|resp|e\.g|i\.e|z\.b|cf|est|"
    r"pt|vol|op|inc|ltd|co|corp|ave|blvd|jr|sr|feat|ft|ep|"
    r"jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|a\.m|p\.m|u\.s|ø|bzw|inkl|mio|mrd|tsd)\.)$",
    re.IGNORECASE,
)
_END = re.compile(r"[.!?…]+[\"')\]”’]*\s+(?=[^a-z\s])|;\s+")
_GERMAN_DAY = re.compile(
    r"\d\.\s+(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Quartal|Platz)"
)
_SPACES = str.maketrans({"\u00a0": "\u202f", "\u2009": "\u202f", "\u2007": "\u202f"})
_SIGNS = str.maketrans(
    {"−": "-", "﹣": "-", "‑": "-", "‐": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "′": "'"}
)

THIN = "\u202f"
"""What every blank that keeps a number together becomes."""


@dataclass(frozen=True)
class Passage:
    """A sentence, or a row of a table."""

    text: str
    block: int
    """Passages of one paragraph, list or table have the same number."""
    line: int = 0
    parents: tuple[int, ...] = ()
    """The passages under which this one stands (a heading, a list's first line), nearest first."""
    heads: tuple[str, ...] = ()
    """In a row of a table: what stands over each cell."""
    spans: tuple[tuple[int, int], ...] = ()
    """In a row of a table: where each cell stands in `text`."""
    is_bullet: bool = False
    is_heading: bool = False
    rank: int | None = None
    """The number of a numbered line."""

    def head_over(self, position: int) -> str:
        """Return what stands over the cell at `position`; "" outside tables."""
        for head, (start, end) in zip(self.heads, self.spans, strict=False):
            if start <= position < end:
                return head
        return ""


def read_draft(draft: str, whole: Sequence[str] = ()) -> tuple[Passage, ...]:
    """Return the passages of a draft in their order; code blocks make no claims.

    `whole` are names such as "Mr. Big", inside which no sentence ends.
    """
    reader = _Reader(whole)
    in_code = False
    for line in draft.splitlines():
        if _FENCE.match(line):
            in_code = not in_code
            continue
        if not in_code:
            reader.read_line(line)
    return tuple(reader.passages)


def plain_text(text: str) -> str:
    """Return a line without links, emphasis and code marks, its signs and blanks made uniform."""
    text = unicodedata.normalize("NFC", text.translate(_SPACES)).translate(_SIGNS)
    text = text.replace("½", " 1/2").replace("¼", " 1/4").replace("¾", " 3/4")
    text = text.replace("⅓", " 1/3").replace("⅔", " 2/3")
    text = _LINK.sub(lambda link: link[1] or " ", text)
    text = _CODE.sub(lambda code: " " if _CODE_NAME.search(code[1]) else code[1], text)
    text = _EMOJI.sub(" ", text)
    return re.sub(r" {2,}", " ", _EMPHASIS.sub("", text)).strip()


class _Reader:
    """Reads lines one after the other; knows which heading and which list it is in."""

    def __init__(self, whole: Sequence[str]) -> None:
        self._whole = [plain_text(name) for name in whole]
        self.passages: list[Passage] = []
        self._block = 0
        self._line = 0
        self._headings: list[int] = []
        self._above: list[tuple[int, int]] = []
        """Indent and passage of the lines under which a deeper one stands."""
        self._heads: tuple[str, ...] = ()
        self._in_table = False

    def read_line(self, line: str) -> None:
        self._line += 1
        if not line.strip() or re.fullmatch(r"\s*([-*_=]\s*){3,}", line):
            self._block += 1
            self._in_table, self._heads = False, ()
        elif _TABLE_RULE.match(line) and "|" in line:
            self._in_table = True
            if self.passages and self.passages[-1].spans:
                last = self.passages[-1]
                self._heads = tuple(last.text[a:b].strip() for a, b in last.spans)
        elif line.count("|") > _MAX_BARS:
            self._read_text(line.replace("|", " "))
        elif self._in_table or line.strip().startswith("|") or line.count("|") >= 2:
            self._read_row(line)
        else:
            self._read_text(line)

    def _read_row(self, line: str) -> None:
        cells = [plain_text(cell) for cell in line.strip().strip("|").split("|")]
        text, spans = "", []
        for cell in cells:
            text += " | " if text else ""
            spans.append((len(text), len(text) + len(cell)))
            text += cell
        parents = self._headings[-1:]
        row = Passage(text, self._block, self._line, tuple(parents), self._heads, tuple(spans))
        self.passages.append(row)

    def _read_text(self, line: str) -> None:
        lead = _LEAD.match(line)
        assert lead is not None  # every part of the pattern is optional
        mark = lead["mark"].strip("> ")
        indent, is_heading = len(lead["indent"].expandtabs(4)), mark.startswith("#")
        is_bullet = bool(mark) and not is_heading
        text = plain_text(line[lead.end() :])
        if not text:
            return
        is_heading = (
            is_heading or re.fullmatch(r"\s*(\*\*|\*)[^*]+:?(\*\*|\*):?\s*", line) is not None
        )
        depth = indent + (1 if is_bullet else 0)
        self._above = [] if is_heading else [a for a in self._above if a[0] < depth]
        parents = [number for _, number in reversed(self._above)] + self._headings[-1:]
        rank = int(mark[:-1]) if mark[:-1].isdigit() else None
        made = Passage(
            text, self._block, self._line, tuple(parents), is_bullet=is_bullet,
            is_heading=is_heading, rank=rank,
        )  # fmt: skip
        first = len(self.passages)
        self.passages += [
            replace(made, text=piece)
            for sentence in _sentences(text, self._whole)
            for piece in _pieces(sentence)
        ]
        if is_heading:
            self._headings.append(first)
        else:
            self._above.append((depth, first))


def _pieces(sentence: str) -> list[str]:
    if len(sentence) <= MAX_PASSAGE:
        return [sentence]
    return textwrap.wrap(sentence, MAX_PASSAGE, break_on_hyphens=False)


def _sentences(text: str, whole: Sequence[str]) -> list[str]:
    found, start = [], 0
    kept = [m.span() for name in whole for m in re.finditer(re.escape(name), text)]
    for end in _END.finditer(text):
        before = text[start : end.end()].rstrip()
        if _ABBREVIATED.search(before) or _GERMAN_DAY.match(text, end.start() - 1):
            continue
        if any(first < end.start() < last - 1 for first, last in kept):
            continue
        opened = text.rfind("(", start, end.start())
        if text[end.start()] == ";" and opened >= 0 and end.start() < text.find(")", opened):
            continue  # "(1,536 discs; 960 titles)"
        found.append(before)
        start = end.end()
    return [sentence for sentence in (*found, text[start:].strip()) if sentence]
