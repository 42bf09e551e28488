"""A plan as a script that psql runs as it is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap

from agent.database.link.boundaries import OWN_NAMES
from agent.database.provision.script_check import check_statement
from agent.database.provision.wish import Plan, Step, shortened

MOST_LOSERS = 20
_WIDTH = 96
_CHECKS = "If the login could do more than this, nothing is changed."


def script(plan: Plan) -> str:
    """Return the plan as SQL with comments, in one transaction; it has no password in it."""
    lines = [*_comment(_head(plan))]
    for note in plan.notes:
        lines += _comment(f"Note: {note}")
    lines += _beyond(plan)
    lines += ["", "BEGIN;", f"{OWN_NAMES};"]
    if plan.losers and any(step.from_public for step in plan.steps):
        lines += ["", *_comment(losers_in_words(plan))]
    for part, steps in groupby(plan.steps, key=lambda step: step.part):
        lines += ["", *_part(part, list(steps))]
    if not plan.drops:
        lines += ["", *_comment(_CHECKS), check_statement(plan)]
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


def _beyond(plan: Plan) -> Iterator[str]:
    """Yield, as comments, what another has to run first."""
    if not plan.beyond:
        return
    yield "--"
    yield from _comment(f"{beyond_in_words(plan)} Until then the check at the end fails.")
    for step in plan.beyond_steps:
        yield from (f"--   {line}" for line in step.sql.replace("\r", " ").split("\n"))


def beyond_in_words(plan: Plan) -> str:
    """Return what everybody may and who asks cannot take away, and the ways out."""
    what = shortened(plan.beyond, separator="; ")
    return (
        f"Everybody may use, and {plan.role} could, what your login cannot take away:"
        f" {what}. A superuser, or its owner, has to run the REVOKE"
        " statements that are printed here first; or take --keep-public, which leaves it."
    )


def losers_in_words(plan: Plan) -> str:
    """Return which logins lose what is taken from PUBLIC; "" where there are none."""
    if not plan.losers:
        return ""
    names = shortened(plan.losers, MOST_LOSERS)
    return (
        "The other logins that lose what is taken from everybody (PUBLIC) by this; superusers lose"
        f" nothing, and those at work here stand first: {names}."
    )


def give_back(step: Step) -> str:
    """Return what gives a right back to one login, in one line; "" where it takes none."""
    if not step.from_public:
        return ""
    if len(step.give_back.splitlines()) > 1:
        return f"for one that needs some: {step.give_back.splitlines()[0]} … TO its_name;"
    less = " (PUBLIC may have had less)" if "," in step.give_back.partition(" ON ")[0] else ""
    return f"for one that needs it{less}: {step.give_back}"


def _part(part: str, steps: list[Step]) -> Iterator[str]:
    yield from _comment(part)
    for step in steps:
        yield step.sql
        if step.from_public:
            yield f"--   {give_back(step)}"


def _comment(text: str) -> Iterator[str]:
    """Yield a text as comment lines; no word of it can end the comment."""
    for line in wrap(" ".join(text.split()), _WIDTH, break_long_words=False):
        yield f"-- {line}"


def _psql_name(role: str) -> str:
    plain = role.isidentifier() and role.islower()
    return role if plain else '"' + role.replace('"', '""') + '"'
