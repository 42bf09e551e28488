"""`db-agent forget`: deletes what a person's questions have produced, from the bot's own record."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Final

from agent.errors import Fault, SettingsInvalid
from agent.settings import read_settings
from bot.commands.record import store_url_beside_the_bot
from bot.render.counting import counted
from bot.settings import MEMBER_HELP, read_store_place
from bot.store import Store
from bot.store.forget_store import Traces
from bot.store.forgetting import forget as forget_person

EXIT_NOT_DONE: Final = 1
ELSEWHERE: Final = (
    "Left where they are: their messages in Slack and the bot's (--messages lists them), backups, "
    "logs, and what the provider of the model keeps. What the questions cost stays in the sums, "
    "as nobody's."
)
_MEMBER: Final = re.compile(r"(?:<@)?([UW][A-Z0-9]+)(?:\|[^>]*)?>?")


def forget(user: str, *, team: str | None, yes: bool, messages: bool) -> int:
    """Say what there is of a member, and delete it once that is confirmed; returns the exit code.

    `yes` asks nobody. With `messages` the places of what stands in Slack are listed first, since
    nobody knows them afterwards. Raises `SettingsInvalid` for what is no member's id,
    `StoreUnavailable`, and `Fault` where several workspaces are meant.
    """
    person = _member(user)
    place = read_store_place()
    with store_url_beside_the_bot(place, read_settings().pg_bin) as address:
        store = Store(address)
        store.open(migrates=place.migrates)
        try:
            where = team or _only_team(store, person)
            traces = store.traces_of(where, person) if where else None
            if traces is None or traces.is_nothing:
                print(f"There is nothing of {person} in the bot's record.")
                return 0
            if messages:
                for each in store.messages_of(where, person):
                    print(f"{each.channel}\t{each.ts}\t{each.what}")
            print("\n".join((f"Of {person} in {where}:", *_lines(traces), ELSEWHERE)))
            if not yes and not _confirmed(person):
                print("Nothing was deleted.")
                return EXIT_NOT_DONE
            gone = forget_person(store, where, person)
        finally:
            store.close()
    print(f"Deleted: {counted(gone, 'question')}, and the name everywhere else.")
    return 0


def _member(text: str) -> str:
    found = _MEMBER.fullmatch(text.strip())
    if found is None:
        raise SettingsInvalid(f"{text!r} is no member's id, such as U0123ABCD: {MEMBER_HELP}.")
    return found[1]


def _only_team(store: Store, person: str) -> str:
    teams = store.teams_of(person)
    if len(teams) > 1:
        raise Fault(f"{person} is on record in {', '.join(teams)}: say which with --team.")
    return teams[0] if teams else ""


def _lines(traces: Traces) -> Iterator[str]:
    if traces.questions:
        ends = f"; {traces.under_way:,} under way, stopped first" if traces.under_way else ""
        yield f"  {counted(traces.questions, 'question')}, with all that came of them{ends}"
    if traces.votes:
        yield f"  {counted(traces.votes, 'vote')} on answers to others"
    if traces.helped:
        yield (
            f"  their name on {counted(traces.helped, 'question')} of others that went to a person;"
            " what was written there stays"
        )
    if traces.settings:
        yield f"  their name on {counted(traces.settings, 'setting')}, which stay as they are"


def _confirmed(person: str) -> bool:
    if not sys.stdin.isatty():
        print("There is nobody to ask here: --yes deletes it.")
        return False
    return input(f"Write {person} to delete all of this for good: ").strip() == person
