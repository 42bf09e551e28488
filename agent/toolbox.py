"""Which tools there are, what a model is told of them, and how a call becomes an observation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from pydantic import BaseModel, ValidationError

from agent.errors import ArgumentsInvalid, OutOfScope
from agent.messages import Observation, QueryResult, ToolCall, ToolSpec
from agent.notation import notation_of
from agent.protocols import ChartRenderer, Database
from agent.tools.argument_schema import what_models_read
from agent.tools.ask import AskUser, ask_user
from agent.tools.calculate import Calculate, calculate
from agent.tools.chart import GenerateChart, generate_chart
from agent.tools.schema import FindTables, GetSchema, find_tables, get_schema
from agent.tools.sql import ExecuteReadOnlySql, execute_read_only_sql


@dataclass(frozen=True)
class ToolContext:
    """What a tool may see of the run that calls it."""

    results: tuple[QueryResult, ...] = ()
    question: str = ""
    locale: str = ""
    """Of the one who asks, such as "de-DE"; "" where it is not known."""


@dataclass(frozen=True)
class Tool:
    """A typed function, the model of its arguments, and its name."""

    name: str
    arguments: type[BaseModel]
    run: Callable[[Any, ToolContext], Observation]

    @property
    def spec(self) -> ToolSpec:
        """What a model is told: the docstring and the fields of the argument model."""
        return _spec(self.name, self.arguments)


class Toolbox:
    """All tools of an agent, over one database and one chart renderer."""

    def __init__(self, database: Database, renderer: ChartRenderer) -> None:
        tools = (
            Tool("find_tables", FindTables, lambda args, _: find_tables(args, database)),
            Tool("get_schema", GetSchema, lambda args, _: get_schema(args, database)),
            Tool(
                "execute_read_only_sql",
                ExecuteReadOnlySql,
                lambda args, context: execute_read_only_sql(
                    args, database, len(context.results) + 1
                ),
            ),
            Tool(
                "generate_chart",
                GenerateChart,
                lambda args, context: generate_chart(
                    args, context.results, renderer, notation_of(context.locale)
                ),
            ),
            Tool(
                "calculate",
                Calculate,
                lambda args, context: calculate(args, context.results, context.question),
            ),
            Tool("ask_user", AskUser, lambda args, _: ask_user(args)),
        )
        self._tools = {tool.name: tool for tool in tools}

    @cached_property
    def specs(self) -> tuple[ToolSpec, ...]:
        """What a model is told of all tools, in an order that never changes."""
        return tuple(tool.spec for tool in self._tools.values())

    def run(self, call: ToolCall, scope: Sequence[str], context: ToolContext) -> Observation:
        """Check a call at the boundary and run it.

        Raises a `ToolError` for what the model did wrong (`OutOfScope`, `ArgumentsInvalid`, and
        the tool's own), a `Fault` for what is out of its power.
        """
        tool = self._tools.get(call.name)
        if tool is None or call.name not in scope:
            exists = tool is not None
            raise OutOfScope(_scope_message(call.name, exists, scope), exists=exists)
        if call.malformed:
            raise ArgumentsInvalid(
                f"The arguments of {call.name} are no JSON object: {call.malformed[:200]}"
            )
        try:
            arguments = tool.arguments.model_validate(dict(call.arguments))
        except ValidationError as error:
            raise ArgumentsInvalid(_arguments_message(tool, error)) from error
        return tool.run(arguments, context)


@cache
def _spec(name: str, arguments: type[BaseModel]) -> ToolSpec:
    # Once for all runs: making the schemas takes longer than all else that a loop does in a run.
    schema = what_models_read(arguments.model_json_schema())
    description = " ".join((arguments.__doc__ or "").split())
    return ToolSpec(name, description, schema)


def _scope_message(name: str, exists: bool, scope: Sequence[str]) -> str:
    allowed = ", ".join(scope) if scope else "none: answer with what you have"
    reason = "may not be used yet" if exists else "does not exist"
    needs = {
        "execute_read_only_sql": " Read the schema of a table first.",
        "generate_chart": " Run a query that gives rows first.",
        "calculate": " Run a query that gives rows first.",
    }.get(name, "")
    return f"The tool {name!r} {reason}.{needs if exists and scope else ''} Allowed now: {allowed}."


def _arguments_message(tool: Tool, error: ValidationError) -> str:
    problems = "; ".join(
        f"{'.'.join(str(part) for part in problem['loc']) or 'arguments'}: {problem['msg']}"
        for problem in error.errors(include_url=False)[:5]
    )
    fields = ", ".join(tool.arguments.model_fields)
    return f"The arguments of {tool.name} do not fit: {problems}. Its arguments are: {fields}."
