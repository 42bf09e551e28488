"""Which tables, views and columns the operator's words mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from agent.database.nearest import nearest
from agent.database.provision.relations import KINDS, Relation
from agent.errors import SettingsInvalid

_NAME: Final = r'(?:"(?:[^"]|"")+"|[^\s".,]+)'
_WHOLE: Final = re.compile(rf"{_NAME}(?:\.{_NAME})*")
_PART: Final = re.compile(_NAME)
_SHOWN: Final = 5


@dataclass(frozen=True)
class Pattern:
    """One part of a name: quoted as it is, else folded to lower case and with wildcards."""

    text: str
    is_quoted: bool

    @property
    def is_general(self) -> bool:
        """It has wildcards, so it names nothing by name."""
        return not self.is_quoted and any(mark in self.text for mark in "*?[")

    def picks(self, names: Iterable[str]) -> list[str]:
        """Return the names that are meant: those written like that, else those that fit."""
        known = list(names)
        if self.text in known or self.is_quoted:
            return [name for name in known if name == self.text]
        return [name for name in known if fnmatchcase(name.lower(), self.text.lower())]


def read_names(texts: Sequence[str], *, parts: tuple[int, int], option: str) -> list[list[Pattern]]:
    """Return the names in comma-separated texts, each with `parts` parts (at least, at most).

    Raises `SettingsInvalid`.
    """
    found = []
    for text in texts:
        rest = text.strip()
        while rest:
            match = _WHOLE.match(rest)
            pieces = _PART.findall(match[0]) if match else []
            end = rest[match.end() :].lstrip() if match else "?"
            if not parts[0] <= len(pieces) <= parts[1] or (end and not end.startswith(",")):
                raise SettingsInvalid(f"{option} {text}: {_shape(parts)}")
            found.append([_pattern(piece) for piece in pieces])
            rest = end.removeprefix(",").lstrip()
    return found


def _shape(parts: tuple[int, int]) -> str:
    if parts[0] == 2:
        return "a column is written table.column or schema.table.column, with commas between."
    return "tables are written name or schema.name, with commas between them."


def _pattern(piece: str) -> Pattern:
    if piece.startswith('"'):
        return Pattern(piece[1:-1].replace('""', '"'), is_quoted=True)
    return Pattern(piece, is_quoted=False)


def choose_schemas(named: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return the schemas that are named, each once. Raises `SettingsInvalid` for an unknown one."""
    chosen: list[str] = []
    for name in named:
        found = _as_known(name, known)
        if found.startswith("pg_") or found == "information_schema":
            raise SettingsInvalid(f"--schema {name}: that is one of the system's own schemas.")
        if found not in known:
            hint = did_you_mean(name, known) or f" There are: {', '.join(known[:_SHOWN])}."
            raise SettingsInvalid(f"There is no schema {name}.{hint}")
        if found not in chosen:
            chosen.append(found)
    return chosen


def _as_known(name: str, known: Sequence[str]) -> str:
    """Return the schema's name: as it was written, without quotes, or in lower case."""
    if name in known:
        return name
    quoted = re.fullmatch(r'"((?:[^"]|"")+)"', name)
    return quoted[1].replace('""', '"') if quoted else name.lower()


def choose_tables(
    names: Sequence[Sequence[Pattern]], schemas: Sequence[str], relations: Sequence[Relation]
) -> list[Relation]:
    """Return the relations that are named; a name without a schema is looked for in `schemas`.

    Raises `SettingsInvalid` for a name that none bears.
    """
    chosen: dict[int, Relation] = {}
    for parts in names:
        found = find_relations(parts, schemas, relations)
        if not found:
            written = ".".join(part.text for part in parts)
            where = "" if len(parts) == 2 else f" in the schema {', '.join(schemas)}"
            hint = did_you_mean(parts[-1].text, [relation.name for relation in relations])
            raise SettingsInvalid(f"There is no table or view {written}{where}.{hint}")
        if parts[-1].is_general:
            found = [relation for relation in found if is_plain(relation)]
        chosen |= {relation.oid: relation for relation in found}
    return list(chosen.values())


def is_plain(relation: Relation) -> bool:
    """Say whether it may be meant without being named: of this server, and of no extension."""
    return relation.kind != "f" and not relation.of_extension


def is_named(
    relation: Relation, names: Sequence[Sequence[Pattern]], schemas: Sequence[str]
) -> bool:
    """Say whether the relation is named as itself, and not by a wildcard."""
    return any(
        not parts[-1].is_general and find_relations(parts, schemas, [relation]) for parts in names
    )


def find_relations(
    parts: Sequence[Pattern], schemas: Sequence[str], relations: Sequence[Relation]
) -> list[Relation]:
    """Return the relations that [schema.]name means."""
    *schema, name = parts
    candidates = [
        relation
        for relation in relations
        if (relation.schema in schema[0].picks([relation.schema]) if schema
            else relation.schema in schemas)
    ]  # fmt: skip
    picked = set(name.picks(dict.fromkeys(relation.name for relation in candidates)))
    return [relation for relation in candidates if relation.name in picked]


def everything_in(schemas: Sequence[str], relations: Sequence[Relation]) -> list[Relation]:
    """Return the tables and views of the schemas, but none of another server or an extension."""
    return [relation for relation in relations if relation.schema in schemas and is_plain(relation)]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a sentence with the nearest names; "" where there is none."""
    near = nearest(name, sorted(set(known)), limit=3)
    return f" Did you mean {' or '.join(near)}?" if near else ""


def kind_of(relation: Relation) -> str:
    """Return what it is, in words."""
    return KINDS[relation.kind]
