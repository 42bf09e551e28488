"""What an operator asks for, and the steps that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

DEFAULT_ROLE: Final = "agent_ro"
CONNECTION_LIMIT: Final = 20
"""Connections that the role may have at a time: several bots, or one that starts anew."""

_SHOWN: Final = 8


def shortened(names: Sequence[str], most: int = _SHOWN, separator: str = ", ") -> str:
    """Return names with something between; of more than `most`, how many there are besides."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return separator.join(names[:most]) + more


@dataclass(frozen=True)
class Wish:
    """A login that may read this and nothing else."""

    role: str = DEFAULT_ROLE
    schemas: tuple[str, ...] = ()
    """Whose tables and views it may read; none named: public, or where the listed tables are."""
    tables: tuple[str, ...] = ()
    """The tables as the operator wrote them, `*` and `?` allowed; none: all of the schemas."""
    hide: tuple[str, ...] = ()
    """Columns that it may not read, as table.column or schema.table.column, `*` and `?` allowed."""
    unhide: tuple[str, ...] = ()
    """Columns that an earlier run has hidden and that may be read from now on, written alike."""
    keep_public: bool = False
    """Leave PUBLIC its rights, although the login has them too."""
    revoke_catalogue: bool = False
    """Take the server's own functions that a reader needs not from PUBLIC."""


@dataclass(frozen=True)
class Step:
    """One statement, and the part of the script that it stands in."""

    part: str
    """A heading, as a sentence; steps of one part stand together."""
    sql: str
    """The statement with its semicolon; it may have several lines."""
    give_back: str = ""
    """What undoes it for one login, where it takes a right from PUBLIC."""

    @property
    def from_public(self) -> bool:
        """Others lose something by it."""
        return bool(self.give_back)


@dataclass(frozen=True)
class Plan:
    """All that is still to be done, in order, and what the operator should know."""

    role: str
    database: str
    steps: tuple[Step, ...]
    notes: tuple[str, ...] = ()
    creates: bool = False
    """The role is still to be made."""
    drops: bool = False
    """The role is to go."""
    losers: tuple[str, ...] = ()
    """Other logins, which lose what is taken from PUBLIC; those that are at work here first."""
    beyond: tuple[str, ...] = ()
    """What everybody may and nobody who asks here can take away, with its owner, in few words."""
    beyond_steps: tuple[Step, ...] = ()
    """What its owner or a superuser has to run first, for these."""
    unreadable: tuple[tuple[str, str | None], ...] = ()
    """What the login must not be able to read: (table as SQL writes it, column or None for all)."""
    keeps_public: bool = False
    """PUBLIC keeps its rights, and the login has them."""
