"""A model's Markdown -> Slack's mrkdwn, in pieces that can be packed into sections.

Links become their words and the address as code, images are dropped, headings become bold,
tables become aligned text. Everything else that a reader would miss is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from bot.render.text import clean, code, code_blocks, plain, split

_PARSER: Final = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_MARKS: Final = {"strong": "*", "em": "_", "s": "~"}
_INDENT: Final = "    "


@dataclass(frozen=True)
class Piece:
    """A paragraph, a list item or a code block: mrkdwn, escaped; of code the raw text."""

    text: str
    is_code: bool = False
    close: bool = False
    """Belongs right under the piece before it, without an empty line."""


@dataclass(frozen=True)
class _Run:
    """A stretch of words under the same marks; `fixed` text is mrkdwn already."""

    text: str
    marks: tuple[str, ...] = ()
    fixed: bool = False


def pieces(markdown: str, *, tables: bool = True) -> list[Piece]:
    """Return the pieces of a Markdown text; without `tables` its tables are left out."""
    root = SyntaxTreeNode(_PARSER.parse(clean(markdown)))
    found = [piece for node in root.children for piece in _block(node, tables)]
    return [piece for piece in found if piece.text.strip()]


def pack(found: Sequence[Piece], limit: int) -> list[str]:
    """Return mrkdwn texts of at most `limit` characters each, holding the pieces in order."""
    texts: list[str] = []
    for piece in found:
        parts = code_blocks(piece.text, limit) if piece.is_code else split(piece.text, limit)
        for part in parts:
            glue = "\n" if piece.close else "\n\n"
            if texts and len(texts[-1]) + len(glue) + len(part) <= limit:
                texts[-1] += glue + part
            else:
                texts.append(part)
    return texts


def _block(node: SyntaxTreeNode, tables: bool) -> Iterator[Piece]:
    match node.type:
        case "paragraph":
            yield Piece(_inline(node))
        case "heading":
            yield Piece(_inline(node, ("*",)))
        case "fence" | "code_block":
            yield Piece(node.content.rstrip("\n"), is_code=True)
        case "bullet_list" | "ordered_list":
            yield from _list(node, tables)
        case "blockquote":
            for piece in _children(node, tables):
                quoted = "\n".join(f"&gt; {line}" for line in piece.text.split("\n"))
                yield piece if piece.is_code else Piece(quoted, close=piece.close)
        case "table" if tables:
            yield Piece(_aligned(node), is_code=True)
        case _:
            return


def _children(node: SyntaxTreeNode, tables: bool) -> Iterator[Piece]:
    for child in node.children:
        yield from _block(child, tables)


def _list(node: SyntaxTreeNode, tables: bool) -> Iterator[Piece]:
    first = int(node.attrs.get("start", 1))
    close = False
    for number, item in enumerate(node.children, first):
        bullet = f"{number}. " if node.type == "ordered_list" else "• "
        for piece in _children(item, tables):
            if piece.is_code:
                yield piece
                continue
            lines = piece.text.replace("\n", "\n" + _INDENT)
            yield Piece((bullet or _INDENT) + lines, close=close or not bullet)
            bullet, close = "", True


def _inline(node: SyntaxTreeNode, marks: tuple[str, ...] = ()) -> str:
    runs = [run for child in node.children for run in _runs(child, marks)]
    return _joined(runs).strip()


def _runs(node: SyntaxTreeNode, marks: tuple[str, ...]) -> Iterator[_Run]:
    if node.type == "text":
        yield _Run(node.content, marks)
    elif node.type in ("softbreak", "hardbreak"):
        yield _Run("\n", fixed=True)
    elif node.type == "code_inline":
        yield _Run(code(node.content), fixed=True)
    elif node.type == "link":
        yield from _link(node, marks)
    elif node.type != "image":
        mark = _MARKS.get(node.type)
        inner = (*marks, mark) if mark and mark not in marks else marks
        for child in node.children:
            yield from _runs(child, inner)


def _link(node: SyntaxTreeNode, marks: tuple[str, ...]) -> Iterator[_Run]:
    words = [run for child in node.children for run in _runs(child, marks)]
    address = str(node.attrs.get("href", ""))
    if "".join(run.text for run in words).strip() in ("", address):
        yield _Run(code(address), fixed=True)
        return
    yield from words
    yield _Run(f" ({code(address)})" if address else "", fixed=True)


def _joined(runs: Sequence[_Run]) -> str:
    out = ""
    for position, run in enumerate(runs):
        following = runs[position + 1].text[:1] if position + 1 < len(runs) else ""
        out += run.text if run.fixed else _marked(run, out[-1:], following)
    return out


def _marked(run: _Run, before: str, after: str) -> str:
    core = run.text.strip()
    lead = run.text[: len(run.text) - len(run.text.lstrip())]
    tail = run.text[len(run.text.rstrip()) :] if core else ""
    # Slack sees a mark only at the edge of a word; in the middle of one it would stand as it is.
    glued = (before.isalnum() and not lead) or (after.isalnum() and not tail)
    marks = "" if glued or not core else "".join(run.marks)
    return f"{lead}{marks}{plain(core)}{marks[::-1]}{tail}"


def _aligned(table: SyntaxTreeNode) -> str:
    rows = [
        [_words(cell) for cell in row.children] for part in table.children for row in part.children
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])


def _words(node: SyntaxTreeNode) -> str:
    if node.type == "image":
        return ""
    if node.type in ("text", "code_inline"):
        return node.content
    return " ".join("".join(_words(child) for child in node.children).split())
