"""What the chart tests share: results, specifications, one renderer, and eyes for PNGs."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from agent.charts.renderer import ProcessRenderer
from agent.charts.spec import ChartSpec
from agent.messages import Column, QueryResult


@dataclass(frozen=True)
class Picture:
    """A decoded PNG; `pixels` holds one (red, green, blue) for each place, row by row."""

    width: int
    height: int
    pixels: list[tuple[int, ...]]

    def colors(self) -> Counter[str]:
        counted = Counter(self.pixels)
        return Counter({f"#{r:02x}{g:02x}{b:02x}": n for (r, g, b), n in counted.items()})

    def columns_of(self, color: str) -> Counter[int]:
        """How many pixels of `color` each column of the picture has."""
        wanted = tuple(bytes.fromhex(color.removeprefix("#")))
        return Counter(i % self.width for i, pixel in enumerate(self.pixels) if pixel == wanted)


def _unfiltered(kind: int, line: bytearray, above: bytes, step: int) -> bytearray:
    """Undo one of PNG's five row filters, as its specification defines them."""
    if kind == 2:
        return bytearray((a + b) & 255 for a, b in zip(line, above, strict=True))
    for i in range(len(line)) if kind else ():
        left = line[i - step] if i >= step else 0
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + above[i]) // 2
        else:
            corner = above[i - step] if i >= step else 0
            far = left + above[i] - corner
            guess = min((left, above[i], corner), key=lambda near: abs(far - near))
        line[i] = (line[i] + guess) & 255
    return line


def _decode(png: bytes) -> Picture:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, place = [], 8
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place : place + 8])
        chunks.append((kind, png[place + 8 : place + 8 + length]))
        place += length + 12
    width, height, depth, color, *_ = struct.unpack(">IIBBBBB", dict(chunks)[b"IHDR"])
    assert (depth, color) in ((8, 2), (8, 6)), "eight bits of red, green, blue and perhaps alpha"
    step = 4 if color == 6 else 3
    raw = zlib.decompress(b"".join(data for kind, data in chunks if kind == b"IDAT"))
    above, pixels = bytes(width * step), []
    for row in range(height):
        start = row * (width * step + 1)
        line = bytearray(raw[start + 1 : start + 1 + width * step])
        above = bytes(_unfiltered(raw[start], line, above, step))
        pixels += zip(above[0::step], above[1::step], above[2::step], strict=True)
    return Picture(width, height, pixels)


@pytest.fixture
def decode() -> Callable[[bytes], Picture]:
    """Decodes a PNG into pixels."""
    return _decode


@pytest.fixture(scope="session")
def renderer() -> Iterator[ProcessRenderer]:
    """The real renderer, started once."""
    with ProcessRenderer() as renderer:
        yield renderer


@pytest.fixture
def result() -> Callable[..., QueryResult]:
    """Makes a result: result("category:text revenue:numeric", rows)."""

    def make(columns: str, rows: Sequence[Sequence[Any]], **options: Any) -> QueryResult:
        named = tuple(Column(*column.split(":")) for column in columns.split())
        return QueryResult("SELECT …", named, tuple(map(tuple, rows)), **options)

    return make


@pytest.fixture
def chart() -> Callable[..., ChartSpec]:
    """Makes a specification: chart("bar", x="category", y={"field": …}, title="…")."""

    def make(mark: Any, *, title: str | None = None, **channels: Any) -> ChartSpec:
        encoding = {
            name: {"field": channel} if isinstance(channel, str) else channel
            for name, channel in channels.items()
        }
        named = {} if title is None else {"title": title}
        return ChartSpec.model_validate({"mark": mark, "encoding": encoding, **named})

    return make
