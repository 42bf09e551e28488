"""`db-agent trail`: what one run did and why, from the bot's own record."""

from __future__ import annotations

from agent.errors import Fault
from agent.messages import Transition
from agent.settings import read_settings
from bot.commands.record import store_url_beside_the_bot
from bot.settings import read_store_place
from bot.store import Store
from bot.terminal import printable
from bot.why import story_of

NAMED = 5
"""How many runs are named where the beginning of an id is that of several."""


def trail(run: str, *, steps: bool) -> int:
    """Print the story of the run whose id begins with `run`; returns the exit code.

    With `steps` each transition follows as a line. Raises `Fault` where there is no such run, or
    more than one, and for a record that is out of reach.
    """
    place = read_store_place()
    with store_url_beside_the_bot(place, read_settings().pg_bin) as address:
        store = Store(address)
        store.open(migrates=place.migrates)
        try:
            _print(store, _only_one(store, run), steps=steps)
        finally:
            store.close()
    return 0


def _only_one(store: Store, run: str) -> str:
    found = store.run_ids(run.strip(), limit=NAMED)
    if not found:
        raise Fault(
            f"There is no run whose id begins with {run!r} in the record that `db-agent serve` "
            "keeps. Where ids come from: press Why under an answer; its last line says the run. "
            "Runs of `db-agent ask` and of the demo are not in it."
        )
    if len(found) > 1:
        more = " or more" if len(found) == NAMED else ""
        raise Fault(
            f"{len(found)}{more} runs begin with {run!r}: {', '.join(found)}. Write more of the id."
        )
    return found[0]


def _print(store: Store, run_id: str, *, steps: bool) -> None:
    record = store.run(run_id)
    if record is None:
        raise Fault(f"The run {run_id} is not in the bot's record any more.")
    print(f"Run {record.id}")
    print(printable(f"Asked: {' '.join(record.question.text.split())}"))
    if record.outcome is None:
        print("It never came to an ending: it was turned away, cut off, or still runs.")
        return
    print(f"Ended: {str(record.outcome).replace('_', ' ')}\n")
    print(printable(story_of(store, record)))
    if steps:
        print()
        for number, transition in enumerate(store.trail(run_id), 1):
            print(printable(_line(number, transition)))


def _line(number: int, step: Transition) -> str:
    state = step.state
    counters = f"calls {state.hop_count}, errors {state.error_count}, back {state.backtrack_count}"
    happened = " ".join(step.trigger.split())
    return (
        f"{number:>3}  {step.at:%H:%M:%S}  {step.source} -> {step.target} ({step.event})  "
        f"[{counters}, model turns {state.model_calls}]  {happened}"
    ).rstrip()
