"""From two snapshots to the checkpoint between them, and from all checkpoints to the last snapshot.

    {"format": 1, "number": 5, "set": {"spent_s": 3.2, "last_turn": {"at": 4}},
     "added": {"messages": [3, [{"is": "directive", …}, {"is": "turn", …}]]}}

What was added to a tuple stands behind the number of those before it that are still there: a rewind
makes that less than there were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Final, get_origin

from agent.checkpoint.plain import from_plain, to_plain, types_of
from agent.checkpoint.snapshot import Snapshot
from agent.errors import CheckpointUnreadable
from agent.messages import Turn

FORMAT: Final = 1
"""Goes up where what is written means something else; a new field with a default is no reason."""
_DAMAGE: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


def difference(before: Snapshot, after: Snapshot, number: int) -> dict[str, Any]:
    """Return checkpoint `number`: what `after` has that `before` had not, as JSON has it.

    Raises `TypeError` or `ValueError` for a value that cannot be written.
    """
    changed: dict[str, Any] = {}
    added: dict[str, Any] = {}
    for each in fields(Snapshot):
        old, new = getattr(before, each.name), getattr(after, each.name)
        if new is old or new == old:
            continue
        if isinstance(new, tuple):
            kept = _alike(old, new)
            added[each.name] = [kept, to_plain(new[kept:])]
        elif isinstance(new, Turn):
            changed[each.name] = _turn(new, after)
        else:
            changed[each.name] = to_plain(new)
    return {"format": FORMAT, "number": number, "set": changed, "added": added}


def _alike(old: tuple[Any, ...], new: tuple[Any, ...]) -> int:
    """Return how many values both begin with; one that is the same is not compared any further."""
    pairs = enumerate(zip(old, new, strict=False))
    shorter = min(len(old), len(new))
    return next((at for at, (one, other) in pairs if one is not other and one != other), shorter)


def _turn(turn: Turn, after: Snapshot) -> Any:
    """Return a turn, or where it stands: each is written once."""
    last = len(after.messages) - 1
    at = next((at for at in range(last, -1, -1) if after.messages[at] is turn), None)
    return to_plain(turn) if at is None else {"at": at}


def fold(checkpoints: Sequence[Mapping[str, Any]]) -> Snapshot:
    """Return the run as it stood after the last of these checkpoints, which are all there are.

    Raises `CheckpointUnreadable`.
    """
    snapshot = Snapshot()
    for number, checkpoint in enumerate(checkpoints, start=1):
        if not isinstance(checkpoint, Mapping) or checkpoint.get("format") != FORMAT:
            raise CheckpointUnreadable(f"checkpoint {number} is not of format {FORMAT}")
        if checkpoint.get("number") != number:
            raise CheckpointUnreadable(f"checkpoint {number} is missing")
        try:
            snapshot = _after(snapshot, checkpoint["set"], checkpoint["added"])
        except _DAMAGE as error:
            # Without its text, which may quote a row.
            kind = type(error).__name__
            raise CheckpointUnreadable(f"checkpoint {number} is damaged: {kind}") from None
    return snapshot


def _after(snapshot: Snapshot, changed: Mapping[str, Any], added: Mapping[str, Any]) -> Snapshot:
    types = types_of(Snapshot)
    values: dict[str, Any] = {}
    for name, (kept, more) in added.items():
        before: tuple[Any, ...] = getattr(snapshot, name)
        if type(kept) is not int or not 0 <= kept <= len(before):
            raise ValueError("more is kept than there was")
        values[name] = before[:kept] + from_plain(types[name], more)
    snapshot = replace(snapshot, **values)
    for name, plain in changed.items():
        if get_origin(types[name]) is tuple:
            raise TypeError("a tuple is added to")
        if types[name] is Turn and "at" in plain:
            values[name] = _nth(snapshot.messages, plain["at"])
        else:
            values[name] = from_plain(types[name], plain)
    return replace(snapshot, **values)


def _nth(messages: Sequence[Any], at: int) -> Turn:
    turn = messages[at] if at >= 0 else None
    if not isinstance(turn, Turn):
        raise TypeError("no turn")
    return turn
