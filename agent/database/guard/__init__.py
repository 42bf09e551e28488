"""The guard: reads a query and lets it through, or says why not. Pure: no input, no output.

It reads the text with PostgreSQL's own grammar and accepts one SELECT made only of what is on a
list: node types, relations, functions, operators, types. What it accepts is sent as it was written.
"""

from agent.database.guard.fields import check_fields
from agent.database.guard.inspection import Inspection
from agent.database.guard.policy import AcceptedSql, GuardPolicy, RelationName, Relations
from agent.database.guard.second_reader import check_with_sqlglot
from agent.database.guard.statement import parse_query
from agent.database.guard.text import check_text
from agent.database.guard.tree import walk
from agent.database.guard.wall import fail_closed

__all__ = ["AcceptedSql", "GuardPolicy", "RelationName", "Relations", "check", "fail_closed"]


def check(sql: str, policy: GuardPolicy) -> AcceptedSql:
    """Return `sql` as accepted, exactly as it was written, or raise `SqlRejected`.

    It raises nothing else: a fault of the guard's own is logged, and the query refused.
    """
    with fail_closed():
        return _judge(sql, policy)


def _judge(sql: str, policy: GuardPolicy) -> AcceptedSql:
    check_text(sql)
    inspection = Inspection(policy, sql)
    query = parse_query(sql)
    for kind, node, scope in walk(query):
        inspection.visit(kind, node, scope)
    inspection.finish()
    if not policy.functions_are_known:
        check_fields(query, policy)
    check_with_sqlglot(sql, inspection.names_in_from)
    return AcceptedSql(sql, tuple(sorted(inspection.tables)), tuple(sorted(inspection.functions)))
