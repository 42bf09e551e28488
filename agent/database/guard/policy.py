"""What the guard judges by, and what it hands on: values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agent.database.guard import names

RelationName = tuple[str, str]
"""Schema and name, as the catalogue stores them: never quoted."""
Relations = Mapping[RelationName, frozenset[str]]
"""Each table or view that may be read, with its columns (none: not known)."""


@dataclass(frozen=True)
class GuardPolicy:
    """What a query may use. The defaults fit a server that could not be asked."""

    relations: Relations
    search_path: tuple[str, ...] = ("public",)
    unlisted: frozenset[RelationName] = frozenset()
    """Relations that are there all the same: the server may take a bare name for one of them."""
    functions: frozenset[str] = names.FUNCTIONS
    """Names that may be called; the server resolves them to harmless functions only."""
    shadowed_functions: frozenset[str] = frozenset()
    """Harmless built-ins whose name somebody's own function bears too: only as pg_catalog.name."""
    functions_are_known: bool = False
    """Whether all functions of the server are known: if not, each name may be one of them."""
    lacking_functions: frozenset[str] = frozenset()
    """Harmless built-ins of other versions of PostgreSQL that this server has not."""
    server_major: int = 0
    """The version of the server, 0 where there is none."""
    own_functions: frozenset[str] = frozenset()
    """Names of functions that are somebody's own, and that the server may find for a call, or for
    grammar that it does not have.
    """
    operators: frozenset[str] = names.OPERATORS
    types: frozenset[str] = names.TYPES
    """Types of pg_catalog that a value may be cast to."""
    catalog_types: frozenset[str] = names.UNSAFE_ATTRIBUTES
    """Names of all other types of pg_catalog; without a server, of some more."""
    user_types: frozenset[RelationName] = field(default_factory=frozenset)
    refused_types: frozenset[RelationName] = field(default_factory=frozenset)
    """Types of the database, rows of tables among them, that a value may not be cast to."""
    calling_casts: Mapping[RelationName, frozenset[RelationName]] = field(default_factory=dict)
    """By type, or table with a column of that type: to what casts call somebody's function."""
    unsafe_attributes: frozenset[str] = names.UNSAFE_ATTRIBUTES
    """Names that must not stand behind a dot: `(x).name` would call or cast."""

    def resolve(self, schema: str, name: str) -> RelationName | None:
        """Return the listed relation that `schema.name` (schema "" where none is written) means."""
        for candidate in (schema,) if schema else self.search_path:
            if (candidate, name) in self.relations:
                return candidate, name
            if (candidate, name) in self.unlisted:
                break
        return None

    def find_type(self, schema: str, name: str) -> RelationName | None:
        """Return the type that `schema.name` (schema "" where none is written) means, None where
        a value may not be cast to it.
        """
        if name in self.types and schema in ("", "pg_catalog"):
            return "pg_catalog", name
        schemas = (schema,) if schema else self.search_path
        known = (self.user_types, self.refused_types, self.relations, self.unlisted)
        found = next(((s, name) for s in schemas if any((s, name) in of for of in known)), None)
        if found is None or found in self.refused_types or found in self.unlisted:
            return None
        if found in self.user_types:
            return found
        # Without a schema, a type of pg_catalog comes before the rows of a table of that name.
        is_of_catalog = not schema and name in self.catalog_types
        return None if is_of_catalog else found


@dataclass(frozen=True)
class AcceptedSql:
    """A query that the guard let through: the text exactly as it was written, and what it uses."""

    text: str
    tables: tuple[RelationName, ...] = ()
    functions: tuple[str, ...] = ()
