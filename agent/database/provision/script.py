"""A plan as a script that psql runs as it is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap

from agent.database.boundaries import OWN_NAMES
from agent.database.provision.wish import Plan, Step

_WIDTH = 96


def script(plan: Plan) -> str:
    """Return the plan as SQL with comments, in one transaction; it has no password in it."""
    lines = [*_comment(_head(plan))]
    for note in plan.notes:
        lines += _comment(f"Note: {note}")
    lines += ["", "BEGIN;", f"{OWN_NAMES};"]
    for part, steps in groupby(plan.steps, key=lambda step: step.part):
        lines += ["", *_part(part, list(steps), plan)]
    lines += ["", "COMMIT;"]
    if plan.creates:
        lines += [
            "",
            *_comment(
                "Nobody can log in as it before it has a password. In psql, this asks for one and"
                " sends only its hash:"
            ),
            *_comment(f"  \\password {_psql_name(plan.role)}"),
        ]
    return "\n".join(lines) + "\n"


def _head(plan: Plan) -> str:
    what = "takes the login {} out of" if plan.drops else "makes the login {} a reader of"
    return (
        f"This {what.format(plan.role)} the database {plan.database}, and runs as a whole or not"
        " at all: psql -f FILE ADMIN_URL"
    )


def _part(part: str, steps: list[Step], plan: Plan) -> Iterator[str]:
    yield from _comment(part)
    taking = [step for step in steps if step.from_public]
    if taking and plan.losers:
        shown = ", ".join(plan.losers[:5]) + (", …" if len(plan.losers) > 5 else "")
        yield from _comment(f"Such logins, other than superusers: {shown}.")
    for step in steps:
        yield step.sql
        if step.from_public and len(step.give_back.splitlines()) == 1:
            less = (
                " (PUBLIC may have had less)" if "," in step.give_back.partition(" ON ")[0] else ""
            )
            yield f"--   for one that needs it{less}: {step.give_back}"
        elif step.from_public:
            yield "--   for one that needs some: GRANT EXECUTE ON ROUTINE … TO its_name;"


def _comment(text: str) -> Iterator[str]:
    """Yield a text as comment lines; no word of it can end the comment."""
    for line in wrap(" ".join(text.split()), _WIDTH, break_long_words=False):
        yield f"-- {line}"


def _psql_name(role: str) -> str:
    plain = role.isidentifier() and role.islower()
    return role if plain else '"' + role.replace('"', '""') + '"'
