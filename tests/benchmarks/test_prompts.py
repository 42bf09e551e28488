"""What the product promises of its prompts, counted by the rule of the benchmark of prompts."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from cache_share import (
    BYTES_PER_TOKEN,
    LOOK_BACK,
    MIN_TOKENS,
    Served,
    served_by_itself,
    served_by_marks,
    share_after_first,
)
from recording_api import RecordingApi
from sides_ours import run_ours
from trajectory import top_five
from wide_database import both_databases

MARK = {"type": "ephemeral"}
LONG = "a" * (MIN_TOKENS * BYTES_PER_TOKEN)


@pytest.fixture(scope="module")
def sent() -> Iterator[list[RecordingApi]]:
    """What our agent sent for one question: on the demo database, and with 300 further tables."""
    with both_databases() as databases:
        yield [run_ours(url, top_five(url), together=True) for url in databases.values()]


def _course(api: RecordingApi) -> list[dict[str, Any]]:
    pairs = zip(api.bodies, api.is_aside, strict=True)
    return [json.loads(body) for body, is_aside in pairs if not is_aside]


def test_most_of_a_conversation_is_read_from_the_cache_after_its_first_turn(
    sent: list[RecordingApi],
) -> None:
    for api in sent:
        served = served_by_marks(_course(api))
        assert len(served) == 6
        assert share_after_first(served) >= 0.80
        assert all(each.read > 0 for each in served[1:])


def test_a_prompt_does_not_grow_with_the_number_of_tables(sent: list[RecordingApi]) -> None:
    few, many = (list(map(len, api.bodies)) for api in sent)
    assert len(few) == len(many)
    assert all(more - less < 100 for less, more in zip(few, many, strict=True))


def _request(*texts: str, marked: tuple[int, ...] = (), system: str = LONG) -> dict[str, Any]:
    blocks = [{"type": "text", "text": text} for text in texts]
    for place in marked:
        blocks[place] |= {"cache_control": MARK}
    head = [{"type": "text", "text": system}]
    return {"model": "m", "system": head, "messages": [{"role": "user", "content": blocks}]}


def _read(*requests: dict[str, Any]) -> int:
    return served_by_marks(requests)[-1].read


def test_what_was_marked_is_read_again_by_a_request_that_begins_with_it() -> None:
    first, second = _request("a", marked=(0,)), _request("a", "b", marked=(1,))
    one = served_by_marks([first])[0]
    assert one == Served(one.size, 0, one.size)
    assert _read(first, second) == one.size
    assert served_by_itself([first, second])[1].read == one.size


def test_without_marks_nothing_is_read() -> None:
    first, second = _request("a"), _request("a", "b")
    assert _read(first, second) == 0
    assert _read(_request("a", marked=(0,)), second) == 0
    assert served_by_itself([first, second])[1].read > 0


def test_another_byte_anywhere_before_the_mark_is_another_prefix() -> None:
    first = _request("a", marked=(0,))
    assert _read(first, _request("a", "b", marked=(1,), system=f"{LONG[1:]}b")) == 0
    assert _read(first, _request("A", "b", marked=(1,))) == 0
    assert _read(first, {**_request("a", "b", marked=(1,)), "tool_choice": {"type": "none"}}) == 0


def test_a_short_prefix_is_not_kept() -> None:
    first, second = _request("a", marked=(0,), system="s"), _request("a", "b", marked=(1,))
    assert _read(first, {**second, "system": first["system"]}) == 0


def test_a_mark_looks_no_further_back_than_the_provider_does() -> None:
    first = _request("a", marked=(0,))
    near = [str(number) for number in range(LOOK_BACK)]
    assert _read(first, _request("a", *near, marked=(LOOK_BACK,))) > 0
    assert _read(first, _request("a", *near, "far", marked=(LOOK_BACK + 1,))) == 0
