"""What a login may do beyond reading: one value for each right, with the way to take it away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Excess:
    """One right too much."""

    code: str
    """What kind of right it is: one of `agent.database.rights.CODES`."""
    what: str
    """What the login may do, as the rest of a sentence: "may write to public.orders"."""
    remedy: str
    """How to take it away: SQL, or what to do instead."""
    from_public: bool = False
    """Every login of this database has the right: taking it away changes things for others."""
    objects: tuple[str, ...] = ()
    """All the objects that `remedy` names, as SQL writes them."""
    is_small: bool = False
    """One grant to the login by name, and none for writing: a slip where a reader was made."""

    def remedy_for(self, objects: Sequence[str]) -> str:
        """Return the remedy for some of its objects; several stand on a line each."""
        listed = f" {objects[0]} "
        if len(objects) > 1:
            listed = "\n    " + ",\n    ".join(objects) + "\n"
        return self.remedy.replace(f" {', '.join(self.objects)} ", listed)


def is_somebodys(found: Iterable[Excess]) -> bool:
    """Say whether such rights look like those of an application or a person.

    Then nothing of that login is to be changed: whoever uses it needs them. What everybody may do
    says nothing of a login.
    """
    own = [excess for excess in found if not excess.from_public]
    return len(own) > 1 or any(not excess.is_small for excess in own)
