"""What lies in the analytics database: extensions, views, names that stand in each other's way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from agent.database.guard import GuardPolicy
from agent.database.link.pool import Connection
from agent.database.session import AgentSession, AnalyticsDatabase, get_agent_session
from agent.database.tables.catalog import Catalog
from bot.doctor.finding import Finding, note, ok, wrong

_SHOWN: Final = 5
"""Names in a sentence; of more it gives the number."""
_LISTED: Final = 20
"""Lines of SQL."""

_EXTENSIONS: Final = """
WITH parts AS (
    SELECT d.refobjid AS extension, d.classid, d.objid FROM pg_depend d
    WHERE d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
)
SELECT e.extname::text, e.extversion,
       ARRAY(SELECT p.proname::text FROM parts JOIN pg_proc p ON p.oid = objid
             WHERE extension = e.oid AND classid = 'pg_proc'::regclass ORDER BY 1),
       (SELECT count(*) FROM parts
        WHERE extension = e.oid AND classid = 'pg_operator'::regclass)::int,
       ARRAY(SELECT t.typname::text FROM parts JOIN pg_type t ON t.oid = objid
             WHERE extension = e.oid AND classid = 'pg_type'::regclass AND t.typcategory <> 'A'
             AND t.typtype IN ('b', 'e', 'd') ORDER BY 1)
FROM pg_extension e WHERE e.extname <> 'plpgsql' ORDER BY 1
"""

# A view runs with its owner's rights unless it says otherwise; a superuser may read everything.
_VIEWS: Final = """
SELECT format('%I.%I', n.nspname, c.relname), quote_ident(o.rolname)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_roles o ON o.oid = c.relowner
WHERE c.relkind = 'v' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND o.rolsuper
  AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
  AND NOT coalesce(c.reloptions::text ~ 'security_invoker=(true|on|1|yes)', false)
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
                  AND d.objid = c.oid AND d.deptype = 'e')
ORDER BY 1
"""


def extensions(session: AgentSession, policy: GuardPolicy) -> Iterator[Finding]:
    """Yield for each extension what it adds, and what of that the guard lets a query use."""
    rows = session.read_catalog(_EXTENSIONS)
    if not rows:
        yield ok("no extension adds functions, operators or types")
    usable_types = {name for _, name in policy.user_types}
    for name, version, functions, operators, types in rows:
        if not functions and not operators and not types:
            continue
        adds = (
            _count(len(functions), "function"),
            _count(operators, "operator"),
            _count(len(types), "type"),
        )
        callable_ones = sorted(policy.functions.intersection(functions))
        castable = sorted(usable_types.intersection(types))
        may = f"call {_shown(callable_ones)}" if callable_ones else "call none of its functions"
        if castable:
            may += f" and cast to {_shown(castable)}"
        yield note(
            f"the extension {name} {version} adds {', '.join(each for each in adds if each)}",
            f"a query may {may}",
        )


def views(connection: Connection) -> Iterator[Finding]:
    """Yield which views show what the login itself may not read."""
    rows: list[Any] = connection.execute(_VIEWS).fetchall()
    if not rows:
        return
    names = [str(name) for name, _ in rows]
    many = len(names) > 1
    if connection.info.server_version < 150_000:
        todo, lines = "give them an owner who may read only what they show", []
    else:
        todo = (
            "see whether everyone who asks may know that. Or let them run with the login's own"
            " rights, which then must reach their tables"
        )
        lines = [f"ALTER VIEW {name} SET (security_invoker = true);" for name in names[:_LISTED]]
        if len(names) > _LISTED:
            lines.append(f"-- and so on for {len(names) - _LISTED} more")
    yield note(
        f"{_shown(names)} {'run' if many else 'runs'} with the rights of a superuser, and so"
        f" {'show' if many else 'shows'} whatever {'they select' if many else 'it selects'}",
        todo,
        *lines,
    )


def shadowed(policy: GuardPolicy) -> Iterator[Finding]:
    """Yield which of PostgreSQL's functions cannot be called, for others bear their names."""
    names = sorted(policy.shadowed_functions)
    if names:
        yield note(
            f"queries may not call {_shown(names)}, since functions in this database bear the"
            " same names",
            "rename those, or take their schema out of the login's search_path",
        )


def nothing_to_read(database: AnalyticsDatabase) -> Finding:
    """Return what to do where the login can read no table."""
    with get_agent_session(database, for_catalog=True) as session:
        role = str(session.read_catalog("SELECT quote_ident(session_user)")[0][0])
    return wrong(
        "the login can read no table and no view",
        "grant it what everyone who asks may know; db-agent provision does, or",
        f"GRANT USAGE ON SCHEMA public TO {role};",
        f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role};",
    )


def read_policy(database: AnalyticsDatabase) -> GuardPolicy:
    """Return what the guard lets through on this server, read anew."""
    return Catalog(database).policy()


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}" if number else ""


def _shown(names: list[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
