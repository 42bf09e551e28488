"""Draws texts: the same seed and number give the same text, on the same kind of server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from random import Random

from . import corpus, lexing
from .arena import Arena
from .calls import Catalogue, Function, call, operation, value
from .templates import HERE, fill, put, templates

_LITERALS = (
    "'1'", "1", "'film'", "'{1}'", "NULL", "'(1,b)'", "'up'", "'[1,2)'", "1.5", "now()", "'a'",
    "'PG'::mpaa_rating", "film_id", "'true'", "'{\"a\": 1}'", "ROW(1, 'b')",
)  # fmt: skip


@dataclass(frozen=True)
class Text:
    """One text, and where it comes from."""

    sql: str
    seed: str
    family: str


class Texts:
    """A source of texts for one arena; the allowed names decide which calls are tried more."""

    def __init__(
        self,
        arena: Arena,
        catalogue: Catalogue,
        allowed: frozenset[str],
        sleeper: Callable[[], int],
    ) -> None:
        self._honest = corpus.honest()
        if "," in arena.search_path.removeprefix("extra, public"):
            self._honest += corpus.golds()
        self._known_attacks = corpus.known_attacks()
        self._allowed = [f for f in catalogue.functions if f.name in allowed]
        self._others = [f for f in catalogue.functions if f.name not in allowed]
        self._of_one = [f for f in self._others if len(f.arguments) == 1]
        self._types = catalogue.types
        self._operators = catalogue.operators
        self._odd_operators = [o for o in catalogue.operators if o[0] != "pg_catalog"]
        self._templates = {path.stem: templates(path.stem) for path in HERE.glob("*.sql")}
        self._arena, self._sleeper = arena, sleeper
        self._families: dict[str, tuple[int, Callable[[Random], str]]] = {
            "honest": (13, self._honest_text),
            "spliced": (8, self._spliced),
            "allowed call": (11, self._allowed_call),
            "operation": (5, self._operation),
            "other call": (11, self._other_call),
            "effect": (13, self._effect),
            "attribute": (14, self._attribute),
            "cast": (9, self._cast),
            "relation": (4, self._relation),
            "statement": (6, self._statement),
            "lexical": (12, self._lexical),
        }

    @property
    def families(self) -> list[str]:
        """Their names."""
        return list(self._families)

    def filled(self, template: str) -> str:
        """Return a template with the names of this arena, as they are now: a sleeper that was
        woken has another's pid after it.
        """
        return fill(template, self._arena, self._sleeper())

    def _effective(self, kind: str, random: Random) -> str:
        return self.filled(random.choice(self._templates[kind]))

    def drawn(self, seed: int, *, family: str = "") -> Iterator[Text]:
        """Yield texts without end, of one family or of all."""
        names = [family] if family else self.families
        weights = [self._families[name][0] for name in names]
        for number in count():
            random = Random(f"{seed}:{number}")
            (name,) = random.choices(names, weights)
            text = self._families[name][1](random)
            if random.random() < 0.08:
                text = lexing.tricks(text, random)
            yield Text(text[:20_000], f"{seed}:{number}", name)

    def _honest_text(self, random: Random) -> str:
        return lexing.harmless(random.choice(self._honest), random)

    def _a(self, name: str, random: Random) -> str:
        return random.choice(self._templates[name])

    def _spliced(self, random: Random) -> str:
        one, other = random.choice(self._honest), random.choice(self._honest)
        kind = random.random()
        if kind < 0.15:
            return lexing.mix(one, other, random)
        if kind < 0.25:
            return lexing.replace_value(one, f"({other})", random)
        return put(self._a("splices", random), a=one.rstrip("; "), b=other.rstrip("; "))

    def _place(self, expression: str, random: Random, *, is_call: bool = False) -> str:
        if random.random() < 0.15:
            return lexing.replace_value(random.choice(self._honest), expression, random)
        if is_call and random.random() < 0.35:
            return put(self._a("calls", random), f=expression)
        return put(self._a("expressions", random), e=expression)

    def _allowed_call(self, random: Random) -> str:
        return self._a_call(self._allowed, random)

    def _other_call(self, random: Random) -> str:
        return self._a_call(self._others, random)

    def _a_call(self, functions: list[Function], random: Random) -> str:
        written = call(random.choice(functions), random)
        if random.random() < 0.25:
            name, bracket, rest = written.partition("(")
            name = random.choice([lexing.respell(name, random), f"pg_catalog.{name}"])
            written = name + random.choice(["", " ", "/**/", "\n"]) + bracket + rest
        return self._place(written, random, is_call=True)

    def _operation(self, random: Random) -> str:
        few = self._odd_operators if random.random() < 0.3 else self._operators
        return self._place(operation(random.choice(few), random), random)

    def _effect(self, random: Random) -> str:
        written = self._effective("effects", random)
        if random.random() < 0.3:
            parts = lexing.tokens(written)
            parts[0] = lexing.respell(parts[0], random)
            written = "".join(parts)
        if random.random() < 0.1:
            written = f"(SELECT {written} FROM {self._effective('from_items', random)} LIMIT 1)"
        return self._place(written, random, is_call=written.endswith(")"))

    def _attribute(self, random: Random) -> str:
        function = random.choice(self._others if random.random() < 0.7 else self._allowed)
        if random.random() < 0.6:
            function = random.choice(self._of_one)
        name = function.name
        argument = value(function.arguments[0], random) if function.arguments else "1"
        if random.random() < 0.15:
            name = random.choice(self._types).rpartition(".")[2].strip('"')
            argument = random.choice(["1", "'film'::text", "'1'::text", "'a'"])
        written = lexing.respell(name, random) if random.random() < 0.3 else f'"{name}"'
        return put(self._a("attributes", random), a=argument, n=written, r=name)

    def _cast(self, random: Random) -> str:
        kind, literal = random.choice(self._types), random.choice(_LITERALS)
        if random.random() < 0.15:
            return put(self._a("column_casts", random), l=literal, t=kind)
        return self._place(put(self._a("casts", random), l=literal, t=kind), random)

    def _relation(self, random: Random) -> str:
        return put(self._a("relations", random), r=self._effective("from_items", random))

    def _statement(self, random: Random) -> str:
        honest = random.choice(self._honest).rstrip("; ")
        statement = self._effective("statements", random)
        return put(self._a("around_statements", random), h=honest, s=statement)

    def _lexical(self, random: Random) -> str:
        kind = random.random()
        if kind < 0.4:
            text = random.choice(self._honest)
        elif kind < 0.6:
            text = random.choice(self._known_attacks)
        elif kind < 0.8:
            text = lexing.mix(
                random.choice(self._honest), random.choice(self._known_attacks), random
            )
        else:
            text = self._effect(random)
        return lexing.tricks(text, random)
