"""What the login may do beyond reading, and whether it looks like the login of somebody else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from agent.database.link.pool import Connection
from agent.database.rights import PROVISION, Excess, find_excess, is_somebodys
from bot.doctor.finding import Finding, note, ok, wrong

_SHOWN: Final = 4
"""Rights in a sentence; of more it gives the number."""
_LINES: Final = 10
"""Of SQL for one kind of right."""
_MAKE_LARGE_OBJECTS: Final = """
SELECT bool_or(has_function_privilege(session_user, oid, 'EXECUTE')) FROM pg_proc
WHERE pronamespace = 'pg_catalog'::regnamespace
  AND proname IN ('lo_creat', 'lo_create', 'lo_from_bytea')
"""


def rights(connection: Connection, somebodys: list[str], *, accepted: bool) -> Iterator[Finding]:
    """Yield each right too much; the login's name goes into `somebodys` where it is not the bot's.

    `accepted`: what everybody may do is no reason to refuse the login.
    """
    found = find_excess(connection)
    if is_somebodys(found):
        rows: list[Any] = connection.execute("SELECT session_user").fetchall()
        somebodys.append(str(rows[0][0]))
        yield _somebodys(somebodys[0], found)
        return
    if not found:
        yield ok("the login can do nothing but read")
    for excess in found:
        yield _too_much(excess, accepted=accepted)
    yield from _large_objects(connection)


def _somebodys(login: str, found: Sequence[Excess]) -> Finding:
    own = [excess.what for excess in found if not excess.from_public]
    shown = own[:_SHOWN] + ([f"{len(own) - _SHOWN} rights more"] if len(own) > _SHOWN else [])
    return wrong(
        f"{login} looks like somebody's own login: it {_listed(shown)}",
        f"leave it as it is, and make one for the bot: {PROVISION}",
    )


def _too_much(excess: Excess, *, accepted: bool) -> Finding:
    lines = _one_by_one(excess)
    if not excess.from_public:
        return wrong(
            f"the login {excess.what}",
            f"make one for the bot with {PROVISION}, or take that away",
            *lines,
        )
    what = f"the login {excess.what}, as every login of this database does"
    if accepted:
        return note(
            what,
            "accepted by DB_AGENT_ACCEPT_PUBLIC_RIGHTS; this takes it away from all of them",
            *lines,
        )
    return wrong(
        what,
        f"{PROVISION} takes it away from all of them, for a login that it makes; or do so"
        " yourself, or set DB_AGENT_ACCEPT_PUBLIC_RIGHTS=1",
        *lines,
    )


def _one_by_one(excess: Excess) -> list[str]:
    """Return the SQL, a line for each object, and of many objects the first."""
    lines = [excess.remedy_for([each]) for each in excess.objects[:_LINES]]
    left = len(excess.objects) - _LINES
    if left > 0:
        lines.append(f"-- and {left} more; {PROVISION} writes all of them")
    return lines


def _large_objects(connection: Connection) -> Iterator[Finding]:
    rows: list[Any] = connection.execute(_MAKE_LARGE_OBJECTS).fetchall()
    if rows[0][0]:
        yield note(
            "the login may make large objects where it leaves read-only mode, as every login may"
            " by default",
            "the bot never leaves it; db-agent provision takes that away where a superuser runs it",
        )


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
