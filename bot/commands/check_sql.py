"""`db-agent check-sql`: what the guard says of a query, or of many, without running any."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn

from agent.database import guard
from agent.database.guard import AcceptedSql, GuardPolicy
from agent.database.guard.statement import parse_query
from agent.database.guard.text import MAX_BYTES, check_text
from agent.database.guard.tree import walk
from agent.errors import Fault, SettingsInvalid, SqlRejected
from bot.commands.verdict_words import as_sql, for_people, in_words
from bot.relation_list import Listed, read_relations

BAD_LINE: Final = "bad_line"
"""The code of a line that holds no query; the others are the guard's."""
MAX_LINE_BYTES: Final = 4_000_000
MAX_QUERY_BYTES: Final = 1_000_000
"""Read at most: the guard refuses far less as too long."""

_OWN_TYPES: Final = (
    "Types of a database of your own are known with --database-url, or from --relations: type NAME."
)
_BOM: Final = b"\xef\xbb\xbf"

Check = Callable[[str], AcceptedSql]
"""Returns what a query uses, or raises `SqlRejected`."""


def check_sql(source: str, *, database_url: str | None, relations: str | None, jsonl: bool) -> int:
    """Check the query in the file `source` ("-": the standard input), or with `jsonl` one a line.

    Returns 0 where all were accepted, 1 where one was refused. Raises `SettingsInvalid` for what
    cannot be read, and another `Fault` for whatever else keeps it from judging.
    """
    listed = read_relations(relations) if relations is not None else None
    check = _checker(database_url, listed)
    with _opened(source) as stream:
        return _check_lines(stream, check) if jsonl else _check_one(stream, source, check)


def _checker(database_url: str | None, listed: Listed | None) -> Check:
    if database_url is not None:
        policy = _narrowed(_policy_of(database_url), listed)
    elif listed is not None:
        named = {
            (schema or "public", name): columns
            for (schema, name), columns in listed.relations.items()
        }
        types = frozenset((schema or "public", name) for schema, name in listed.types)
        policy = GuardPolicy(relations=named, user_types=types)
        return lambda sql: _without_a_server(sql, policy, policy)
    else:
        _note("without --relations or --database-url, any table but those of the system passes")
        return _check_whatever_tables
    return lambda sql: _check(sql, policy, policy)


def _check(sql: str, policy: GuardPolicy, known: GuardPolicy | None) -> AcceptedSql:
    """Check a query; `known` has the tables to name to whoever reads the verdict."""
    try:
        return guard.check(sql, policy)
    except SqlRejected as rejected:
        raise for_people(rejected, known) from None


def _without_a_server(sql: str, policy: GuardPolicy, known: GuardPolicy | None) -> AcceptedSql:
    """Check a query; where a type is refused, say how the types of a database come to be known."""
    try:
        return _check(sql, policy, known)
    except SqlRejected as rejected:
        if rejected.code != "type":
            raise
        hint = f"{rejected.hint} {_OWN_TYPES}"
        raise SqlRejected(rejected.code, rejected.name, rejected.reason, hint) from None


def _check_whatever_tables(sql: str) -> AcceptedSql:
    """Check a query as if each table that it names, but those of the system, may be read."""
    with guard.fail_closed():
        check_text(sql)
        named = {
            (node.get("schemaname", "public"), node["relname"])
            for kind, node, scope in walk(parse_query(sql))
            if kind == "RangeVar" and ("schemaname" in node or node["relname"] not in scope)
        }
    return _without_a_server(sql, GuardPolicy(relations=dict.fromkeys(named, frozenset())), None)


def _policy_of(database_url: str) -> GuardPolicy:
    """Return what the server's own catalogue allows, read by the session that the agent uses."""
    from agent.database.session import AnalyticsDatabase
    from agent.database.tables.catalog import Catalog
    from agent.settings import read_settings

    settings = read_settings()
    database = AnalyticsDatabase(
        database_url,
        time_zone=settings.time_zone,
        accept_public_rights=settings.accept_public_rights,
    )
    try:
        return Catalog(database).policy()
    finally:
        database.pool.close()


def _narrowed(policy: GuardPolicy, listed: Listed | None) -> GuardPolicy:
    if listed is None:
        return policy
    kept = {}
    for schema, name in listed.relations:
        found = policy.resolve(schema, name)
        if found is None:
            _note(f"there is no table {as_sql((schema, name))} that this login may read")
        else:
            kept[found] = policy.relations[found]
    left_out = policy.relations.keys() - kept.keys()
    return replace(policy, relations=kept, unlisted=frozenset(left_out))


@contextlib.contextmanager
def _opened(source: str) -> Iterator[BinaryIO]:
    if source == "-":
        if sys.stdin.isatty():
            _note("reading from the keyboard; end with Ctrl-D")
        yield sys.stdin.buffer
        return
    with contextlib.ExitStack() as stack:
        try:
            stream = stack.enter_context(Path(source).open("rb"))
        except OSError as error:
            raise _no_file(source, error) from error
        yield stream


def _no_file(source: str, error: OSError) -> SettingsInvalid:
    said = f"The file {source[:60]} cannot be read: {error.strerror or error}."
    is_query = " " in source.strip() and isinstance(error, FileNotFoundError)
    hint = " A query itself goes to the standard input: echo 'SELECT …' | db-agent check-sql"
    return SettingsInvalid(said + hint if is_query else said)


def _query(stream: BinaryIO, source: str) -> str:
    name = "the standard input" if source == "-" else f"the file {source}"
    try:
        text = stream.read(MAX_QUERY_BYTES + 1)
        if len(text) > MAX_QUERY_BYTES:
            raise SqlRejected(
                "too_long", "", f"The query has more than {MAX_QUERY_BYTES:,} bytes.",
                f"At most {MAX_BYTES:,} are allowed.",
            )  # fmt: skip
        return text.removeprefix(_BOM).decode()
    except OSError as error:
        _unreadable(error)
    except UnicodeError:
        raise SettingsInvalid(f"No text in UTF-8 is in {name}.") from None


def _check_one(stream: BinaryIO, source: str, check: Check) -> int:
    try:
        accepted = check(_query(stream, source))
    except SqlRejected as rejected:
        _write(
            f"refused ({rejected.code})\n{_one_line(rejected.reason)}\n{_one_line(rejected.hint)}"
        )
        return 1
    _write(in_words(accepted))
    return 0


def _check_lines(stream: BinaryIO, check: Check) -> int:
    all_accepted = True
    for number, line in enumerate(_lines(stream), start=1):
        if line.strip():
            verdict = _verdict(line, number, check)
            all_accepted = all_accepted and verdict["accepted"]
            _write(json.dumps(verdict))
    return 0 if all_accepted else 1


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield each line; of one that is too long only its beginning, which is no JSON any more."""
    try:
        line = stream.readline(MAX_LINE_BYTES).removeprefix(_BOM)
        while line:
            yield line
            while len(line) >= MAX_LINE_BYTES and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE_BYTES)
            line = stream.readline(MAX_LINE_BYTES)
    except OSError as error:
        _unreadable(error)


def _verdict(line: bytes, number: int, check: Check) -> dict[str, Any]:
    identity, sql = None, None
    try:
        case = json.loads(line, parse_constant=_no_number)
        if isinstance(case, dict):
            identity, sql = case.get("id"), case.get("sql")
            json.dumps(identity, allow_nan=False)
    except (ValueError, RecursionError):
        identity = sql = None
    if not isinstance(sql, str):
        reason = f'Line {number} is no JSON object with a text "sql".'
        return {"id": identity, "accepted": False, "code": BAD_LINE, "reason": reason}
    try:
        check(sql)
    except SqlRejected as rejected:
        reason = _one_line(f"{rejected.reason} {rejected.hint}")
        return {"id": identity, "accepted": False, "code": rejected.code, "reason": reason}
    return {"id": identity, "accepted": True, "code": "", "reason": ""}


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number in JSON")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _write(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Fault(f"The result cannot be written: {error.strerror or error}.") from error


def _note(text: str) -> None:
    print(f"note: {text}", file=sys.stderr, flush=True)


def _unreadable(error: OSError) -> NoReturn:
    raise SettingsInvalid(f"The input cannot be read: {error.strerror or error}.") from error
