"""How far the query of a question has come: what was tried, what mends it, what is left to try.

Nothing is kept between two turns, so the course is followed anew from the queries that stand in
the conversation. Of a query that the guard refused, the refusal is followed as far as it names a
cure; any other among them that is none of ours is passed over, whatever it gave.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from agent.models.offline.atlas import Atlas
from agent.models.offline.frame import Frame
from agent.models.offline.misspelt import with_occurring_value
from agent.models.offline.rejected import amended, is_refused
from agent.models.offline.repair import is_too_slow, may_pass, mended
from agent.models.offline.sql_text import write_sql
from agent.models.offline.tool_texts import Ran

MAX_WAITS: Final = 2
"""How often the very same query is sent while another session holds a lock."""
MAX_AMENDED: Final = 2
"""Refusals that are followed; after them the query is written afresh."""
MAX_LISTED: Final = 100
"""Rows of a list that takes too long in full."""


@dataclass(frozen=True)
class Attempt:
    """A query, and the frame whose rows it gives."""

    sql: str
    frame: Frame
    said: tuple[str, ...] = ()
    """What it does not do that was asked for, or does otherwise, each a sentence."""


@dataclass(frozen=True)
class Course:
    """Where a question's query stands: `ran` holds its rows, or `next` is to be sent, or neither:
    then nothing is left to try, and `error` is what the last one failed with."""

    next: Attempt | None = None
    ran: Ran | None = None
    done: Attempt | None = None
    """What gave the rows."""
    error: str = ""


def follow(
    frame: Frame, atlas: Atlas, ran: Sequence[Ran], narrower: Callable[[], Frame | None]
) -> Course:
    """Return where the query of `frame` stands.

    `ran` are the queries of this run that were no probes; `narrower` gives the frame with a
    shorter period, which is asked for where the whole takes too long.
    """
    attempt = Attempt(_sql(frame, atlas), frame)
    put_right = _put_right(attempt, ran)
    if put_right is not None:
        return put_right
    tried: set[str] = set()
    while True:
        sent = [one for one in ran if one.sql == attempt.sql]
        if not sent or (may_pass(sent[-1].error) and len(sent) < MAX_WAITS):
            return Course(next=attempt)
        last = sent[-1]
        tried.add(attempt.sql)
        following = _after(attempt, last, atlas, narrower)
        if following is None or following.sql in tried:
            return Course(error=last.error) if last.error else Course(ran=last, done=attempt)
        attempt = following


def _put_right(own: Attempt, ran: Sequence[Ran]) -> Course | None:
    """Follow what the guard says of a query that is not ours word for word."""
    refused = [one for one in ran if one.sql != own.sql and is_refused(one.error)]
    for one in refused[:MAX_AMENDED]:
        sql = _amended(one, own.sql)
        if sql is None or sql == own.sql:
            continue
        sent = [each for each in ran if each.sql == sql]
        if not sent:
            return Course(next=replace(own, sql=sql))
        if not sent[-1].error:
            return Course(ran=sent[-1], done=replace(own, sql=sql))
    return None


def _amended(refused: Ran, own: str) -> str | None:
    """Return a refused query put right, where it then gives what `own` does: the same columns out
    of the same tables. A table that merely has a name like another's is none of them.
    """
    sql = amended(refused.sql, refused.error)
    wanted = None if sql is None else _output(own)
    return None if sql is None or wanted is None or _output(sql) != wanted else sql


def _output(sql: str) -> tuple[list[str], set[str]] | None:
    """Return the columns that a query gives and the tables that it names; None if unreadable."""
    # Only here: the model is to be there at once, and a refusal is rare.
    from sqlglot import exp

    from agent.database.guard.second_reader import read_with_sqlglot

    statements = read_with_sqlglot(sql)
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        return None
    query = statements[0]
    tables = {table.name for table in query.find_all(exp.Table)}
    return query.named_selects, tables - {each.alias for each in query.find_all(exp.CTE)}


def _after(
    attempt: Attempt, ran: Ran, atlas: Atlas, narrower: Callable[[], Frame | None]
) -> Attempt | None:
    """Return what to try after `attempt`; None where it is good, or nothing helps."""
    if not ran.error:
        corrected = with_occurring_value(attempt.sql, ran.notes)
        if corrected is None:
            return None
        sql, said = corrected
        return replace(attempt, sql=sql, said=(*attempt.said, said))
    if is_too_slow(ran.error):
        return _lighter(attempt, atlas, narrower)
    sql_mended = mended(attempt.sql, ran.error) or _amended(ran, attempt.sql)
    return None if sql_mended is None else replace(attempt, sql=sql_mended)


def _lighter(
    attempt: Attempt, atlas: Atlas, narrower: Callable[[], Frame | None]
) -> Attempt | None:
    """Leave out an order that is only for looks; then ask for less, and say so."""
    frame = attempt.frame
    plain = _without_order(frame, atlas)
    if plain is not None and plain != attempt.sql:
        return replace(attempt, sql=plain, frame=replace(frame, order=()))
    if attempt.said:
        return None
    if not frame.figures and frame.limit is None:
        said = f"All of them took too long, so these are the first {MAX_LISTED} that were found"
        sql = f"{attempt.sql}\nLIMIT {MAX_LISTED}"
        return Attempt(sql, replace(frame, limit=MAX_LISTED, exact=True, order=()), (said,))
    less = narrower()
    if less is None:
        return None
    said = f"The whole took too long, so this is {less.period} only"
    return Attempt(_sql(less, atlas), less, (said,))


def _without_order(frame: Frame, atlas: Atlas) -> str | None:
    """Return the query without its last ORDER BY; None where the order decides what comes."""
    if frame.limit is not None or frame.superlative or frame.resort is not None:
        return None
    head, order, _ = _sql(frame, atlas).rpartition("\nORDER BY ")
    return head if order else None


def _sql(frame: Frame, atlas: Atlas) -> str:
    return atlas.as_now(write_sql(frame, atlas))
