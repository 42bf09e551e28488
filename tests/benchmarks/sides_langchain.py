"""LangChain's SQL toolkit agent, set up as its documentation does, over the same wire.

Where there is a choice it is made in LangChain's favour: its chart tool is the leanest that draws,
and the model writes no plan. The prompt is the one of the package itself.
"""

from __future__ import annotations

from typing import Any, Literal

from recording_api import KEY, MODEL, RecordingApi, recording_api
from trajectory import QUESTION, Said, turns_langchain

from agent.charts.renderer import ProcessRenderer

Kind = Literal["create_agent", "create_sql_agent", "with caching"]
TOP_K = 5


def run_langchain(
    database_url: str,
    rows: list[tuple[str, float]],
    renderer: ProcessRenderer,
    *,
    together: bool,
    checked: bool = True,
    kind: Kind = "create_agent",
) -> RecordingApi:
    """Ask the question; return what was sent.

    `kind`: how the agent is made; "with caching" is create_agent with the caching middleware of
    langchain-anthropic, which is not there unless one asks for it.
    """
    from langchain_anthropic import ChatAnthropic
    from langchain_community.agent_toolkits import SQLDatabaseToolkit
    from langchain_community.utilities import SQLDatabase

    turns = turns_langchain(rows, together=together, checked=checked)
    database = SQLDatabase.from_uri(database_url.replace("postgresql:", "postgresql+psycopg:", 1))
    with recording_api(turns, _checker_says) as api:
        model = ChatAnthropic(
            model=MODEL, api_key=KEY, base_url=api.url, max_retries=0, max_tokens=16_000
        )
        toolkit = SQLDatabaseToolkit(db=database, llm=model)
        chart = _chart_tool(renderer)
        ask = _sql_agent if kind == "create_sql_agent" else _agent
        ask(model, toolkit, chart, with_caching=kind == "with caching")
    database._engine.dispose()
    if not api.is_played:
        raise SystemExit("LangChain's run took another course.")
    return api


def _agent(model: Any, toolkit: Any, chart: Any, *, with_caching: bool) -> None:
    from langchain.agents import create_agent
    from langchain_anthropic.middleware import AnthropicPromptCachingMiddleware
    from langchain_community.agent_toolkits.sql.prompt import SQL_PREFIX

    agent = create_agent(
        model,
        [*toolkit.get_tools(), chart],
        system_prompt=SQL_PREFIX.format(dialect=toolkit.dialect, top_k=TOP_K),
        middleware=[AnthropicPromptCachingMiddleware()] if with_caching else [],
    )
    agent.invoke({"messages": [{"role": "user", "content": QUESTION}]})


def _sql_agent(model: Any, toolkit: Any, chart: Any, *, with_caching: bool) -> None:
    from langchain_community.agent_toolkits import create_sql_agent

    agent = create_sql_agent(
        model,
        toolkit=toolkit,
        agent_type="tool-calling",
        extra_tools=[chart],
        stream_runnable=False,
    )
    agent.invoke({"input": QUESTION})


def _checker_says(body: dict[str, Any]) -> Said | None:
    """Answer the toolkit's query checker: the query as it is. Its request has no tools."""
    if body.get("tools"):
        return None
    words = body["messages"][-1]["content"]
    text = words if isinstance(words, str) else words[0]["text"]
    return Said(text.strip().partition("\nDouble check")[0])


def _chart_tool(renderer: ProcessRenderer) -> Any:
    from langchain_core.tools import tool

    @tool
    def draw_bar_chart(title: str, labels: list[str], values: list[float]) -> str:
        """Draw a bar chart of the values as a picture for the answer."""
        points = [{"label": each[0], "value": each[1]} for each in zip(labels, values, strict=True)]
        encoding = {
            "x": {"field": "label", "type": "nominal"},
            "y": {"field": "value", "type": "quantitative"},
        }
        renderer.render(
            {"title": title, "data": {"values": points}, "mark": "bar", "encoding": encoding}
        )
        return "The chart was drawn."

    return draw_bar_chart
