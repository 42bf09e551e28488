"""A plain pydantic-ai agent with our own tools, over the same wire.

It has the tools and their texts, and none of the rest: no phases, no gate, no judge, no bound on
what the conversation grows to. Its instructions are three sentences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from recording_api import KEY, MODEL, RecordingApi, recording_api
from trajectory import QUESTION, turns_ours

from agent.charts.renderer import ProcessRenderer
from agent.database.postgres import PostgresDatabase
from agent.errors import ToolError
from agent.messages import QueryResult, ToolCall, ToolSpec
from agent.toolbox import Toolbox, ToolContext

INSTRUCTIONS = (
    "You answer questions about a PostgreSQL database. Use the tools; never guess a table or a "
    "column. Answer in one to three plain sentences with the figures of the results."
)


def run_pydantic_ai(
    database_url: str,
    rows: list[tuple[str, float]],
    renderer: ProcessRenderer,
    *,
    together: bool,
    caching: bool = False,
) -> RecordingApi:
    """Ask the question; return what was sent. `caching`: with its own cache settings, all on."""
    from pydantic_ai import Agent
    from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings
    from pydantic_ai.providers.anthropic import AnthropicProvider

    database = PostgresDatabase(database_url, accept_public_rights=False)
    with recording_api(turns_ours(rows, together=together)) as api:
        model = AnthropicModel(MODEL, provider=AnthropicProvider(api_key=KEY, base_url=api.url))
        settings = AnthropicModelSettings(max_tokens=16_000)
        if caching:
            settings["anthropic_cache_instructions"] = True
            settings["anthropic_cache_tool_definitions"] = True
            settings["anthropic_cache_messages"] = True
        tools = our_tools(Toolbox(database, renderer))
        agent = Agent(model, instructions=INSTRUCTIONS, tools=tools, model_settings=settings)
        agent.run_sync(QUESTION)
    database.close()
    if not api.is_played:
        raise SystemExit("pydantic-ai's run took another course.")
    return api


def our_tools(toolbox: Toolbox) -> list[Any]:
    """Return our tools as pydantic-ai takes them, with what one run of them remembers."""
    results: list[QueryResult] = []
    return [_tool(toolbox, spec, results) for spec in toolbox.specs]


def _tool(toolbox: Toolbox, spec: ToolSpec, results: list[QueryResult]) -> Any:
    from pydantic_ai import Tool

    return Tool.from_schema(
        _function(toolbox, spec.name, results), spec.name, spec.description, dict(spec.input_schema)
    )


def _function(toolbox: Toolbox, name: str, results: list[QueryResult]) -> Callable[..., str]:
    from pydantic_ai import ModelRetry

    def run(**arguments: Any) -> str:
        call, scope = ToolCall("call", name, arguments), [spec.name for spec in toolbox.specs]
        try:
            found = toolbox.run(call, scope, ToolContext(tuple(results), QUESTION))
        except ToolError as error:
            raise ModelRetry(str(error)) from error
        if found.result is not None:
            results.append(found.result)
        return found.content

    return run
