"""Whole messages and views: what no single block can know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bot.local_workspace.blocks.elements import plain
from bot.local_workspace.blocks.layouts import MESSAGE_BLOCKS, VIEW_BLOCKS
from bot.local_workspace.blocks.rules import (
    Json,
    Report,
    Rule,
    boolean,
    by_type,
    choice,
    shape,
    text,
)
from bot.local_workspace.blocks.table import MAX_CELL_CHARACTERS
from bot.local_workspace.errors import SlackError

MAX_MESSAGE_BLOCKS = 50
MAX_VIEW_BLOCKS = 100
MAX_MARKDOWN = 12_000  # cumulative over the markdown blocks of one message
MAX_BLOCK_TEXT = 13_000  # undocumented; apps met it between 13,200 and 13,300

FileCheck = Callable[[Json], str | None]

_VIEW = shape(
    {"blocks": lambda value, path, report: None},
    {
        "title": plain(24),
        "submit": plain(24),
        "close": plain(24),
        "private_metadata": text(0, 3000),
        "callback_id": text(0, 255),
        "external_id": text(0, 255),
        "clear_on_close": boolean,
        "notify_on_close": boolean,
        "submit_disabled": boolean,
    },
)


def check_message_blocks(blocks: Any, file_problem: FileCheck) -> list[Json]:
    """Returns the blocks, each with a block_id, or raises the SlackError that Slack would give.

    `file_problem` says what is wrong with a slack_file object, or None.
    """
    if not isinstance(blocks, list) or not all(isinstance(each, dict) for each in blocks):
        raise SlackError("invalid_blocks_format")
    report = Report()
    _check_each(blocks, MESSAGE_BLOCKS, MAX_MESSAGE_BLOCKS, report)
    _check_files(blocks, file_problem, report)
    if report.errors:
        raise SlackError("invalid_blocks", *report.errors)
    _check_totals(blocks)
    return with_block_ids(blocks)


def check_view(view: Any, file_problem: FileCheck) -> Json:
    """Returns the view with block_ids, or raises `invalid_arguments` as views.* do."""
    report = Report()
    if not isinstance(view, dict):
        raise SlackError("invalid_arguments", "[ERROR] view must be an object")
    by_type({"modal": _VIEW, "home": _VIEW})(view, "/view", report)
    if view.get("type") == "modal" and "title" not in view:
        report.add("/view", "missing required field: title")
    blocks = view.get("blocks")
    if not isinstance(blocks, list):
        report.add("/view/blocks", "must be an array")
        blocks = []
    _check_each(blocks, VIEW_BLOCKS, MAX_VIEW_BLOCKS, report, "/view/blocks")
    if any(isinstance(each, dict) and each.get("type") == "input" for each in blocks):
        choice("modal")(view.get("type"), "/view/type", report)
        if "submit" not in view:
            report.add("/view", "missing required field: submit")
    _check_files(blocks, file_problem, report)
    if report.errors:
        raise SlackError("invalid_arguments", *report.errors)
    return {**view, "blocks": with_block_ids(blocks)}


def with_block_ids(blocks: list[Json]) -> list[Json]:
    """The same blocks, each with a block_id that is unique in them."""
    taken = {block["block_id"] for block in blocks if block.get("block_id")}
    free = (f"b{number}" for number in range(10_000) if f"b{number}" not in taken)
    return [
        block if block.get("block_id") else {**block, "block_id": next(free)} for block in blocks
    ]


def walk(value: Any, path: str = "/blocks") -> Iterator[tuple[str, Json]]:
    """Every object inside, with its path."""
    if isinstance(value, dict):
        yield path, value
        for name, each in value.items():
            yield from walk(each, f"{path}/{name}")
    elif isinstance(value, list):
        for position, each in enumerate(value):
            yield from walk(each, f"{path}/{position}")


def _check_each(
    blocks: list[Any], known: Mapping[str, Rule], most: int, report: Report, path: str = "/blocks"
) -> None:
    if len(blocks) > most:
        report.add(path, f"no more than {most} items allowed")
        return
    rule = by_type(known)
    seen: set[str] = set()
    for position, block in enumerate(blocks):
        rule(block, f"{path}/{position}", report)
        if not isinstance(block, dict):
            continue
        block_id = block.get("block_id")
        if block_id in seen and block_id:
            report.add(f"{path}/{position}/block_id", f"`block_id` {block_id} already exists")
        seen.add(str(block_id))
        _check_action_ids(block, f"{path}/{position}", report)


def _check_action_ids(block: Json, path: str, report: Report) -> None:
    seen: set[str] = set()
    for where, each in walk(block, path):
        action_id = each.get("action_id")
        if isinstance(action_id, str) and action_id in seen:
            report.add(f"{where}/action_id", f"`action_id` {action_id} already exists")
        seen.add(str(action_id))


def _check_files(blocks: list[Any], file_problem: FileCheck, report: Report) -> None:
    for where, each in walk(blocks):
        file = each.get("slack_file")
        if isinstance(file, dict):
            problem = file_problem(file)
            if problem is not None:
                report.add(f"{where}/slack_file", problem)


def _check_totals(blocks: list[Json]) -> None:
    tables = [block for block in blocks if block["type"] == "table"]
    if len(tables) > 1:
        raise SlackError("invalid_attachments", "[ERROR] only_one_table_allowed")
    if sum(_characters(table) for table in tables) > MAX_CELL_CHARACTERS:
        raise SlackError(
            "invalid_blocks",
            f"[ERROR] table cells exceed {MAX_CELL_CHARACTERS} characters [json-pointer:/blocks]",
        )
    if sum(len(each["text"]) for each in blocks if each["type"] == "markdown") > MAX_MARKDOWN:
        raise SlackError("msg_too_long", "[ERROR] markdown blocks exceed 12000 characters")
    if sum(_characters(block) for block in blocks) > MAX_BLOCK_TEXT:
        raise SlackError("msg_blocks_too_long")


def _characters(block: Json) -> int:
    """Characters of text inside a block, its buttons and cells included."""
    return sum(len(each["text"]) for _, each in walk(block) if isinstance(each.get("text"), str))
