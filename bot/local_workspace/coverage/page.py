"""docs/local-workspace.md, written from the tables of the workspace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from bot.local_workspace import replies, web_api
from bot.local_workspace.blocks.elements import (
    AS_ACCESSORY,
    IN_ACTIONS,
    IN_CONTEXT_ACTIONS,
    IN_INPUT,
)
from bot.local_workspace.blocks.layouts import MESSAGE_BLOCKS, VIEW_BLOCKS
from bot.local_workspace.blocks.rules import ByType, Rule
from bot.local_workspace.coverage import limits, words
from bot.local_workspace.coverage.refusals import errors_of
from bot.local_workspace.coverage.rules_in_words import OBJECTS, fields_of
from bot.local_workspace.faults import RATES, Kind
from bot.local_workspace.manifest import EVENT_SCOPES
from bot.local_workspace.methods.table import METHODS, Method

REFRESH: Final = "python -m bot.local_workspace.coverage"
PAGE: Final = Path(__file__).parents[3] / "docs" / "local-workspace.md"
OWN: Final = "workspace."
"""How the methods begin that are none of Slack's."""
RATE_LIMITED: Final = "ratelimited"
GATE: Final = errors_of(web_api.handle) | {RATE_LIMITED}
"""Errors that any method can give."""
INTRODUCTION: Final = f"""\
# The local workspace

<!-- written by {REFRESH} from bot/local_workspace: change that, not this -->

A small Slack on this machine, for the demo and for the tests: its Web API, Socket Mode or signed
calls over HTTP, installation by consent, and a page in the browser. The real slack_sdk and
slack_bolt talk to it. Where Slack is vague or lets a mistake pass, it takes the strict side, so
that an app that lives here lives there. `db-agent demo` starts it; the head of
`bot/local_workspace/__init__.py` shows how a test does. `LocalWorkspace.start(…, cast=True)` adds
one of each kind of person: an administrator, guests of several channels and of one, somebody of
another organisation with a shared channel, a deactivated member, another app's bot; with `kept=N` a
channel forgets its oldest threads beyond N messages, so that a crowd can ask all day.

What follows is written from the tables that the workspace runs on.
"""
NOT_THERE: Final = """\
## What it does not do

- **Blocks** of the types alert, call, card, carousel, container, data_table, data_visualization,
  file and video, and elements that are not below: refused as an unknown type.
- **Methods** that are not below: `unknown_method`. There is no search, no bookmark, no scheduled
  message, no canvas, no list, no user group, no reminder, no `admin.*`.
- **Shortcuts** that stand alone (global ones), link unfurling, workflow steps and functions.
- **Organisations** that span workspaces (Enterprise Grid), and Slack Connect in direct messages.
- **Messages of its own**: nobody is told in a channel that somebody joined it, left it or archived
  it, as Slack does with grey lines.
- **Rights of people**: anybody here may archive a channel or put somebody out of it.
- **Time**: a connection is not ended each hour, and nothing is delivered later than five minutes.
"""
OWN_METHODS: Final = """\
Not Slack's: what people do in a client, and what tests switch. They take a person's token."""
HOW_TO_READ_BLOCKS: Final = """\
What has to be there is **bold**. Each may have a `block_id`, and no field that is not named."""
HOW_TO_READ_FAULTS: Final = """\
What `workspace.faults` can make go wrong: planned for the next calls of a method, for the next so
many events or uploads, or at random, at rates and from a seed."""


def render_page() -> str:
    """Return docs/local-workspace.md."""
    return "\n".join([INTRODUCTION, NOT_THERE, *_methods(), *_events(), *_blocks(), *_rest()])


def _methods() -> Iterator[str]:
    slacks = {name: each for name, each in METHODS.items() if not name.startswith(OWN)}
    yield "## Methods of the Web API\n"
    yield f"Each can also give: {_codes(GATE)}.\n"
    header = ("method", "body", "tier", "token", "scope, any one", "errors of its own")
    yield from _table(header, (_method(name, slacks[name]) for name in sorted(slacks)))
    by_address = _codes(errors_of(replies.respond) - GATE)
    yield f"A post to a `response_url` has a JSON body, and can be refused with {by_address}.\n"
    yield "## Methods for people and switches\n"
    yield f"{OWN_METHODS}\n"
    own = (
        (f"`{name}`", _first_words(each)) for name, each in METHODS.items() if name not in slacks
    )
    yield from _table(("method", "what it does"), sorted(own))


def _method(name: str, method: Method) -> Sequence[str]:
    return (
        f"`{name}`",
        "JSON or form" if method.json else "form",
        str(method.tier or "–"),
        " or ".join(method.tokens) or "the app's id and secret",
        _codes(method.scopes) if method.scopes else _by_kind(name),
        _codes(errors_of(method.handler) - GATE),
    )


def _by_kind(name: str) -> str:
    kinds = {"info": "read", "list": "read", "members": "read", "history": "history"}
    right = {**kinds, "replies": "history"}.get(name.rpartition(".")[2])
    asks = "missing_scope" in errors_of(METHODS[name].handler)
    return f"`{right}` of the kind of conversation" if asks and right else "none"


def _first_words(method: Method) -> str:
    return " ".join((method.handler.__doc__ or "").partition("\n\n")[0].split())


def _events() -> Iterator[str]:
    yield "## Events\n"
    yield "Sent to an app that subscribes to them, where its bot is in the conversation.\n"
    rows = (
        (f"`{name}`", _code(scope), words.EVENTS_COME[name]) for name, scope in EVENT_SCOPES.items()
    )
    yield from _table(("event", "scope", "comes when"), sorted(rows))
    yield "## Interactions\n"
    rows2 = ((f"`{name}`", says) for name, says in words.INTERACTIONS.items())
    yield from _table(("payload", "comes when"), sorted(rows2))


def _blocks() -> Iterator[str]:
    yield "## Blocks\n"
    yield f"{HOW_TO_READ_BLOCKS}\n"
    known = {**MESSAGE_BLOCKS, **VIEW_BLOCKS}
    rows = ((f"`{name}`", _where(name), _fields(known[name])) for name in sorted(known))
    yield from _table(("block", "in", "fields"), rows)
    yield "## Elements\n"
    yield "Each may have an `action_id` of 1 to 255 characters.\n"
    places = {"actions": IN_ACTIONS, "section": AS_ACCESSORY, "input": IN_INPUT}
    places["context_actions"] = IN_CONTEXT_ACTIONS
    elements = {name: rule for place in places.values() for name, rule in place.known.items()}
    yield from _table(
        ("element", "in", "fields"),
        (
            (f"`{name}`", _places(name, places), _fields(elements[name]))
            for name in sorted(elements)
        ),
    )
    yield "What stands inside several of them:\n"
    rows2 = ((f"*{name}*", _fields(rule)) for name, rule in OBJECTS.items())
    yield from _table(("object", "fields"), rows2)


def _where(name: str) -> str:
    where = [("messages", name in MESSAGE_BLOCKS), ("modals, Home", name in VIEW_BLOCKS)]
    return ", ".join(each for each, is_so in where if is_so)


def _places(name: str, places: dict[str, ByType]) -> str:
    return ", ".join(place for place, rule in places.items() if name in rule.known)


def _fields(rule: Rule) -> str:
    return "; ".join(fields_of(rule)) or "none"


def _rest() -> Iterator[str]:
    yield "## Limits\n"
    yield from _table(("what", "at most"), limits.rows())
    yield "## Faults\n"
    yield f"{HOW_TO_READ_FAULTS}\n"
    names = dict.fromkeys([*map(str, Kind), *sorted(RATES)])
    rows = ((f"`{name}`", words.FAULTS[name], words.ways_of(name)) for name in names)
    yield from _table(("fault", "what happens", "how"), rows)
    yield "And the switches:\n"
    rows2 = ((f"`{name.replace(', ', '`, `')}`", says) for name, says in words.AT_ONCE.items())
    yield from _table(("switch", "what it does"), rows2)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield _line(header)
    yield _line(["---"] * len(header))
    yield from map(_line, rows)
    yield ""


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _code(word: str | None) -> str:
    return f"`{word}`" if word else "none"


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names)) or "–"
