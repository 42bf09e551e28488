"""What `db-agent provision` says: the script, or what was done."""

from __future__ import annotations

import sys
from itertools import groupby

from agent.database.provision import Plan, Step, Wish, script
from agent.database.provision.script import give_back, losers_in_words
from agent.errors import Fault


def what_it_can(wish: Wish) -> str:
    """Return what the new login may do, as the rest of a sentence."""
    if wish.keep_public:
        return "can do nothing but read, and what everybody can"
    return "can do nothing but read"


def print_script(plan: Plan) -> None:
    """Print the plan as SQL, or that there is nothing to do."""
    if plan.steps or plan.beyond:
        print(script(plan), end="")
        return
    _say_notes(plan)
    print(f"-- {_nothing(plan)}")


def say_what_was_done(plan: Plan, *, new_password: bool = False) -> None:
    """Print what was done, part by part, and what others have lost by it."""
    _say_notes(plan)
    if not plan.steps:
        say(f"{_nothing(plan)[0].upper()}{_nothing(plan)[1:]}")
    else:
        say(f"Done, in one transaction, in the database {plan.database}:")
        for part, steps in groupby(plan.steps, key=lambda step: step.part):
            _say_part(part, list(steps))
        if plan.losers and any(step.from_public for step in plan.steps):
            say(losers_in_words(plan))
    if new_password and not plan.creates:
        say("The password was set.")


def print_beyond(plan: Plan) -> None:
    """Print the statements that another has to run first, for psql."""
    for step in plan.beyond_steps:
        say(step.sql)


def _say_part(part: str, steps: list[Step]) -> None:
    number = f"{len(steps)} statement{'s' if len(steps) > 1 else ''}"
    say(f"- {part} ({number})")
    for step in steps:
        if not step.from_public:
            continue
        first, *more = step.sql.splitlines()
        say(f"    {first}{f' … ({len(more) - 1} of them) FROM PUBLIC;' if more else ''}")
        say(f"      {give_back(step)}")


def _nothing(plan: Plan) -> str:
    if plan.drops:
        return f"nothing to drop: {plan.notes[0]}" if plan.notes else "nothing to drop."
    return f"nothing to change: {plan.role} is as it has to be in {plan.database}."


def _say_notes(plan: Plan) -> None:
    for text in plan.notes if plan.steps or not plan.drops else ():
        note(text)


def say(text: str) -> None:
    """Print a line. Raises `Fault` where it cannot be written."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Fault(f"The result cannot be written: {error.strerror or error}.") from error


def note(text: str) -> None:
    """Print a note beside the output."""
    print(f"note: {text}", file=sys.stderr, flush=True)
