"""The page on what the workspace covers says what the code does, all of it and no more."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from bot.local_workspace import replies
from bot.local_workspace.coverage import limits, words
from bot.local_workspace.coverage.page import GATE, PAGE, REFRESH, render_page
from bot.local_workspace.coverage.refusals import FOLDER, errors_of
from bot.local_workspace.faults import RATES, Kind
from bot.local_workspace.manifest import EVENT_SCOPES
from bot.local_workspace.methods.table import METHODS

SOURCES = [path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py")]
LIMIT = re.compile(r"(MAX|MOST)_\w+|\w*LIFE_S|ACK_WITHIN_S")
OF_NO_APP = {"MAX_ANSWER", "CONNECTION_LIFE_S"}
"""How much the workspace reads of what an app answers; a number that `hello` tells."""


def test_the_page_is_what_the_tables_say():
    written = PAGE.read_text(encoding="utf-8")
    assert written == render_page(), f"the workspace has changed: run {REFRESH}"


def test_every_event_interaction_and_fault_is_told_of():
    assert set(words.EVENTS_COME) == set(EVENT_SCOPES)
    assert set(words.FAULTS) == {*Kind, *RATES}
    sent = {each for text in SOURCES for each in re.findall(r'actor\([^"\n]+"(\w+)"\)', text)}
    assert set(words.INTERACTIONS) - {"slash_commands"} == sent
    told = {name for names in words.AT_ONCE for name in names.split(", ")}
    switches = METHODS["workspace.faults"].handler.__doc__ or ""
    assert {name for name in told if name not in switches} == set()


def test_every_limit_of_the_source_is_told():
    kept = {
        (target.id, ast.unparse(node.value).replace("_", ""))
        for text in SOURCES
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and LIMIT.fullmatch(target.id)
    }
    source = Path(limits.__file__).read_text(encoding="utf-8")
    assert {name for name, _ in kept if name not in source} - OF_NO_APP == set()


@pytest.mark.parametrize(
    ("method", "errors"),
    [
        ("conversations.kick", {"cant_kick_self", "not_in_channel", "channel_not_found"}),
        ("chat.update", {"is_inactive", "cant_update_message", "msg_too_long"}),
        ("agents.sessions.rename", {"thread_ts_required", "not_agent_app"}),
        ("chat.postMessage", {"invalid_attachments", "invalid_blocks_format", "is_archived"}),
    ],
)
def test_errors_are_found_where_they_are_raised(method, errors):
    assert errors <= errors_of(METHODS[method].handler)


def test_no_error_is_given_that_the_page_does_not_name():
    """What the other tests saw refused is all in what was read from the source."""
    seen = {
        code
        for path in Path(__file__).parent.glob("test_*.py")
        for code in re.findall(r'refused\(\s*"(\w+)"', path.read_text(encoding="utf-8"))
    }
    known = set(GATE) | errors_of(replies.respond)
    for method in METHODS.values():
        known |= errors_of(method.handler)
    assert len(seen) > 50
    assert seen - known == set()
