"""What a login may do beyond reading: one value for each right, with the way to take it away."""

from __future__ import annotations

from collections.abc import Sequence
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

    def remedy_for(self, objects: Sequence[str]) -> str:
        """Return the remedy for some of its objects; several stand on a line each."""
        listed = objects[0] if len(objects) == 1 else "\n    " + ",\n    ".join(objects) + "\n   "
        return self.remedy.replace(", ".join(self.objects), listed)
