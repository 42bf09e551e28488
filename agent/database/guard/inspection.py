"""What one query uses, node by node, against the policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from agent.database.guard import (
    implied,
    names,
    sizes,
    suggestions,
    type_names,
    widths,
    with_names,
)
from agent.database.guard.attributes import Attributes
from agent.database.guard.casts import JSON, check_casts, makes_json
from agent.database.guard.gathered import check_gathered
from agent.database.guard.policy import GuardPolicy, RelationName
from agent.database.guard.rejection import rejection
from agent.database.guard.tree import Node, Scope, refuse_construct, strings
from agent.database.guard.type_names import TypeNames
from agent.database.guard.widths import Widths

_CLOCK: Final = ("CURRENT_DATE", "CURRENT_TIME", "LOCALTIME")


class Inspection:
    """Collects what one query uses; raises `SqlRejected` at the first fault."""

    def __init__(self, policy: GuardPolicy, sql: str = "") -> None:
        self._policy = policy
        self._sql = sql
        self._query: Node = {}
        self._attributes = Attributes(policy)
        self._widths = Widths()
        self._type_names = TypeNames()
        self._calls: list[tuple[str, Node]] = []
        self.tables: set[RelationName] = set()
        self.functions: set[str] = set()
        self.names_in_from: set[str] = set()
        self._types: set[RelationName] = set()
        self._visitors: dict[str, Callable[[Node, Scope], None]] = {
            "SelectStmt": self._select,
            "IntoClause": self._into,
            "CommonTableExpr": self._cte,
            "RangeVar": self._relation,
            "RangeTableSample": self._sample,
            "FuncCall": self._function,
            "A_Expr": self._operator,
            "SubLink": self._operator,
            "SortBy": self._operator,
            "TypeName": self._type,
            "SQLValueFunction": self._session_value,
        }

    def visit(self, kind: str, node: Node, scope: Scope) -> None:
        """Look at one node; `scope` holds the CTE names that a FROM item there may mean."""
        is_cte = node.get("relname") in scope and "schemaname" not in node
        self._attributes.visit(kind, node, is_cte=is_cte)
        if kind in implied.KINDS:
            implied.check(kind, node, self._policy)
        if self._policy.calling_casts and makes_json(kind, node):
            self._types.add(JSON)
        if kind in widths.KINDS:
            self._widths.visit(kind, node)
        if kind in type_names.KINDS:
            self._type_names.visit(kind, node)
        visitor = self._visitors.get(kind)
        if visitor:
            visitor(node, scope)

    def finish(self) -> None:
        """Look at what can only be judged when the whole query is known."""
        self._attributes.finish()
        sizes.check_widths(self._calls, self._widths)
        check_gathered(self._calls, self._widths)
        check_casts(self.tables, self._types, self._policy)

    def _select(self, node: Node, scope: Scope) -> None:
        self._query = self._query or node
        if "lockingClause" in node:
            raise refuse_construct("LockingClause")

    def _into(self, node: Node, scope: Scope) -> None:
        name = node.get("rel", {}).get("relname", "")
        raise rejection(
            "into", name, "SELECT … INTO makes a table.", "Leave INTO out: the rows come back."
        )

    def _cte(self, node: Node, scope: Scope) -> None:
        name = node["ctename"]
        self.names_in_from.add(name.lower())
        if name.lower().startswith("pg_") or len(name.encode()) >= 63:
            raise rejection(
                "cte_name", name, f"WITH may not name a query {name!r}.",
                "Choose a short name that does not begin with pg_.",
            )  # fmt: skip
        if "SelectStmt" not in node["ctequery"]:
            raise refuse_construct(next(iter(node["ctequery"])))

    def _relation(self, node: Node, scope: Scope) -> None:
        schema, name = node.get("schemaname", ""), node["relname"]
        self.names_in_from.add(name.lower())
        if name in scope and not schema:
            return
        written = f"{schema}.{name}" if schema else name
        if "catalogname" in node:
            raise rejection(
                "other_database", f"{node['catalogname']}.{written}",
                "A table is named with its schema only.",
                suggestions.without_database(schema, name, self._policy),
            )  # fmt: skip
        if _is_system(schema, name):
            raise rejection(
                "system_catalog", written, f"{written} belongs to the system catalogue.",
                "Ask find_tables and get_schema what there is.",
            )  # fmt: skip
        found = self._policy.resolve(schema, name)
        if found is None:
            shown = ".".join(suggestions.quoted(part) for part in (schema, name) if part)
            raise rejection(
                "relation", written, f"There is no table {shown} that may be read.",
                with_names.hint_for(node, self._query)
                or suggestions.for_relation(name, self._policy),
            )  # fmt: skip
        self.tables.add(found)

    def _sample(self, node: Node, scope: Scope) -> None:
        schema, name = _qualified(strings(node["method"]))
        if schema not in ("", "pg_catalog") or name not in ("system", "bernoulli"):
            raise rejection(
                "sample_method", name, f"There is no sampling method {name} here.",
                "Use SYSTEM or BERNOULLI.",
            )  # fmt: skip

    def _function(self, node: Node, scope: Scope) -> None:
        schema, name = _qualified(strings(node["funcname"]))
        if schema not in ("", "pg_catalog"):
            raise rejection(
                "user_function", f"{schema}.{name}", f"{schema}.{name} is not a built-in function.",
                suggestions.for_own_function(name, self._policy),
            )  # fmt: skip
        if name == "json_object" and name in self._policy.own_functions:
            # Grammar that our parser writes with the schema, and an older server without it.
            raise rejection(
                "function", name, f"This database has a {name} of its own.",
                "Use json_build_object.",
            )  # fmt: skip
        if name in self._policy.shadowed_functions and not schema:
            raise rejection(
                "function", name, f"This database has a {name} of its own.",
                f"Write pg_catalog.{name} for the built-in one.",
            )  # fmt: skip
        if not (name in self._policy.functions or name in self._policy.shadowed_functions):
            raise rejection("function", name, *suggestions.of_function(name, self._policy))
        self.functions.add(name)
        sizes.check_call(name, node, self._sql)
        self._calls.append((name, node))

    def _operator(self, node: Node, scope: Scope) -> None:
        parts = strings(node.get("name") or node.get("operName") or node.get("useOp") or [])
        if not parts or "BETWEEN" in node.get("kind", ""):
            return
        schema, name = _qualified(parts)
        if schema == "pg_catalog" and name in names.OPERATORS:
            return
        if schema not in ("", "pg_catalog") or name not in self._policy.operators:
            raise rejection(
                "operator", name, f"The operator {'.'.join(parts)} may not be used.",
                suggestions.for_operator(name, self._policy),
            )  # fmt: skip

    def _type(self, node: Node, scope: Scope) -> None:
        schema, name = _qualified(strings(node["names"]))
        found = self._policy.find_type(schema, name)
        if node.get("pct_type") or found is None:
            raise rejection(
                "type", name, f"A value may not be cast to {name}.",
                suggestions.for_type(name, self._policy),
            )  # fmt: skip
        self._types.add(found)
        sizes.check_type(name, node.get("typmods", []))

    def _session_value(self, node: Node, scope: Scope) -> None:
        name = node["op"].removeprefix("SVFOP_").removesuffix("_N")
        if not name.startswith(_CLOCK):
            raise rejection(
                "session_value", name, f"{name} tells about the server, not about the data.",
                f'Leave it out, or write "{name.lower()}" for a column of that name.',
            )  # fmt: skip
        self.names_in_from.add(name.lower())


def _is_system(schema: str, name: str) -> bool:
    return (
        schema == "information_schema"
        or schema.startswith("pg_")
        or (not schema and name.startswith("pg_"))
    )


def _qualified(parts: list[str]) -> tuple[str, str]:
    """Split a name into schema and name; more than two parts leave a schema that no list holds."""
    return ".".join(parts[:-1]), parts[-1]
