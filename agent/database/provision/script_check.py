"""The last statement of a printed script: it fails where the login may do more than it shall.

A REVOKE by somebody who has not given the right is only a warning to psql; this makes it an error.
"""

from __future__ import annotations

import re
from typing import Final

from psycopg import sql

from agent.database.provision.wish import Plan

REACHING: Final = "^(dblink|adminpack|lo$|http|pg_net|pg_cron|aws_|azure_|plproxy|pg_background)"
"""The extensions whose functions reach beyond this database."""

# {kind: object, privileges} is replaced by the question whether the login has one of them.
_CHECK: Final = """\
DO $check$
DECLARE
    login CONSTANT name := <role>;
    excess text;
BEGIN
    SELECT string_agg(what, '; ') INTO excess FROM (
        SELECT 'write to ' || c.oid::regclass AS what FROM pg_class c
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.oid <> 'pg_settings'::regclass
          AND ({table: c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'}
               OR {any_column: c.oid, 'INSERT, UPDATE, REFERENCES'})
        UNION ALL
        SELECT 'advance ' || c.oid::regclass FROM pg_class c
        WHERE CASE WHEN c.relkind = 'S' THEN {sequence: c.oid, 'USAGE, UPDATE'} END
        UNION ALL
        SELECT 'create in the schema ' || n.nspname FROM pg_namespace n
        WHERE n.nspname !~ '^pg_(toast|temp)' AND {schema: n.oid, 'CREATE'}
        UNION ALL
        SELECT 'create schemas or temporary tables'
        WHERE {database: current_database(), 'CREATE, TEMPORARY'}
        UNION ALL
        SELECT 'use the foreign server ' || s.srvname FROM pg_foreign_server s
        WHERE {server: s.oid, 'USAGE'}
        UNION ALL
        SELECT 'make servers of ' || w.fdwname FROM pg_foreign_data_wrapper w
        WHERE {foreign_data_wrapper: w.oid, 'USAGE'}
        UNION ALL
        SELECT 'call ' || p.oid::regprocedure FROM pg_proc p
        WHERE {function: p.oid, 'EXECUTE'}
          AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype)
          AND has_schema_privilege(login, p.pronamespace, 'USAGE')
          AND (p.prosecdef OR p.provolatile = 'v' AND EXISTS (
                   SELECT FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
                   WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
                     AND e.extname ~ <reaching>))
        UNION ALL
        SELECT 'read ' || c.oid::regclass FROM pg_class c
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relnamespace NOT IN
              ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
          AND has_schema_privilege(login, c.relnamespace, 'USAGE')
          AND {any_column: c.oid, 'SELECT'}
          -- What it was not given itself, and no extension gives to everybody.
          AND NOT EXISTS (SELECT FROM pg_attribute a, aclexplode(c.relacl || a.attacl) x
                          WHERE a.attrelid = c.oid AND x.grantee =
                                (SELECT r.oid FROM pg_roles r WHERE r.rolname = login))
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
                          AND d.objid = c.oid AND d.deptype = 'e')<unreadable>
    ) AS all_found;
    IF excess IS NOT NULL THEN
        RAISE EXCEPTION 'Nothing was changed: the login may still %', left(excess, 500)
            USING HINT = 'The owner of that, or a superuser, has to take it away first.';
    END IF;
END
$check$;"""
_QUESTION: Final = re.compile(r"\{(?P<kind>\w+): (?P<object>[\w.()]+), (?P<privileges>'[^']+')\}")


def check_statement(plan: Plan) -> str:
    """Return the statement that raises where the login may do more than the plan intends.

    Where PUBLIC keeps its rights, only what the login has beyond them counts.
    """

    def ask(match: re.Match[str]) -> str:
        rest = f"{match['object']}, {match['privileges']})"
        question = f"has_{match['kind']}_privilege(login, {rest}"
        if plan.keeps_public:
            question += f"\n              AND NOT has_{match['kind']}_privilege('public', {rest}"
            return f"({question})"
        return question

    text = _QUESTION.sub(ask, _CHECK)
    values = {
        "role": _literal(plan.role),
        "reaching": _literal(REACHING),
        "unreadable": "".join(_unreadable(table, column) for table, column in plan.unreadable),
    }
    text = re.sub(r"<(\w+)>", lambda match: values.get(match[1], match[0]), text)
    tag = "check"
    while text.count(f"${tag}$") > 2:  # a name has it in it
        text = text.replace(f"DO ${tag}$", f"DO ${tag}_$", 1)
        text = text.removesuffix(f"${tag}$;") + f"${tag}_$;"
        tag += "_"
    return text


def _unreadable(table: str, column: str | None) -> str:
    name = _literal(table)
    may = f"has_any_column_privilege(login, {name}::regclass, 'SELECT')"
    if column is None:  # what everybody reads is looked at above
        may += f" AND NOT has_any_column_privilege('public', {name}::regclass, 'SELECT')"
    else:
        may = f"has_column_privilege(login, {name}::regclass, {_literal(column)}, 'SELECT')"
    what = _literal(f"read {table}" + (f", column {column}" if column is not None else ""))
    return f"\n        UNION ALL\n        SELECT {what}\n        WHERE {may}"


def _literal(text: str) -> str:
    return sql.Literal(text).as_string(None)
