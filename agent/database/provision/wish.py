"""What an operator asks for, and the steps that it takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DEFAULT_ROLE: Final = "agent_ro"
CONNECTION_LIMIT: Final = 20
"""Connections that the role may have at a time: several bots, or one that starts anew."""


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
    """Other logins, which lose what is taken from PUBLIC."""
