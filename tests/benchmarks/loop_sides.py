"""The other loops, each asked one question over a model that answers at once, in process.

Tools give fixed texts: those that our own tools gave. Each side is set up once, in the way that is
cheapest for it, and then asked again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add
from typing import Annotated, Any, TypedDict

from trajectory import QUESTION, Said, new_id

Ask = Callable[[], str]
"""Asks the question; returns the answer."""
Texts = dict[str, Callable[[dict[str, Any]], str]]
"""What each tool gives for its arguments."""


class _State(TypedDict):
    messages: Annotated[list[dict[str, Any]], add]


def langchain_agent(turns: Sequence[Said], texts: Texts) -> Ask:
    """LangChain's create_agent, the successor of LangGraph's prebuilt agent."""
    from langchain.agents import create_agent

    agent = create_agent(_chat_model(turns), _langchain_tools(texts), system_prompt="Answer.")
    return lambda: _ask_graph(agent)


def prebuilt_agent(turns: Sequence[Said], texts: Texts) -> Ask:
    """LangGraph's own prebuilt agent."""
    from langgraph.prebuilt import create_react_agent

    agent = create_react_agent(_chat_model(turns), _langchain_tools(texts), prompt="Answer.")
    return lambda: _ask_graph(agent)


def hand_made_graph(turns: Sequence[Said], texts: Texts) -> Ask:
    """A StateGraph by hand: two nodes over a plain list of messages, and nothing else.

    The leanest that is still a graph: no message classes, no tool classes, no reducers that look
    at each message.
    """
    from langgraph.graph import END, START, StateGraph

    def think(state: _State) -> _State:
        said = sum(message["role"] == "assistant" for message in state["messages"])
        turn = turns[said]
        calls = [{"id": new_id(), "name": n, "input": dict(a)} for n, a in turn.calls]
        return {"messages": [{"role": "assistant", "text": turn.text, "calls": calls}]}

    def act(state: _State) -> _State:
        calls = state["messages"][-1]["calls"]
        given = [(call["id"], texts[call["name"]](call["input"])) for call in calls]
        return {"messages": [{"role": "tool", "id": name, "text": text} for name, text in given]}

    def route(state: _State) -> str:
        return "act" if state["messages"][-1]["calls"] else END

    graph = StateGraph(_State)
    graph.add_node("think", think)
    graph.add_node("act", act)
    graph.add_edge(START, "think")
    graph.add_conditional_edges("think", route, ["act", END])
    graph.add_edge("act", "think")
    agent = graph.compile()
    asked: _State = {"messages": [{"role": "user", "text": QUESTION}]}
    return lambda: str(agent.invoke(asked)["messages"][-1]["text"])


def pydantic_ai_agent(turns: Sequence[Said], texts: Texts) -> Ask:
    """A pydantic-ai agent over its FunctionModel, with tools that need no thread of their own."""
    import asyncio

    from pydantic_ai import Agent, Tool
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    async def think(messages: list[Any], _: Any) -> ModelResponse:
        turn = turns[sum(message.kind == "response" for message in messages)]
        text = [TextPart(turn.text)] if turn.text else []
        calls = [ToolCallPart(n, dict(a), tool_call_id=new_id()) for n, a in turn.calls]
        return ModelResponse(parts=[*text, *calls])

    def tool(name: str) -> Any:
        async def give(**arguments: Any) -> str:
            return texts[name](arguments)

        return Tool.from_schema(give, name, name, {"type": "object"})

    agent = Agent(FunctionModel(think), instructions="Answer.", tools=list(map(tool, texts)))
    loop = asyncio.new_event_loop()
    return lambda: str(loop.run_until_complete(agent.run(QUESTION)).output)


def _ask_graph(agent: Any) -> str:
    given = agent.invoke({"messages": [{"role": "user", "content": QUESTION}]})
    return str(given["messages"][-1].content)


def _chat_model(turns: Sequence[Said]) -> Any:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage
    from langchain_core.outputs import ChatGeneration, ChatResult

    class TrajectoryModel(BaseChatModel):
        @property
        def _llm_type(self) -> str:
            return "trajectory"

        def bind_tools(self, tools: Any, **_: Any) -> Any:
            return self

        def _generate(self, messages: list[Any], *_: Any, **__: Any) -> ChatResult:
            turn = turns[sum(isinstance(message, AIMessage) for message in messages)]
            calls = [{"id": new_id(), "name": n, "args": dict(a)} for n, a in turn.calls]
            message = AIMessage(content=turn.text, tool_calls=calls)
            return ChatResult(generations=[ChatGeneration(message=message)])

    return TrajectoryModel()


def _langchain_tools(texts: Texts) -> list[Any]:
    from langchain_core.tools import StructuredTool

    def tool(name: str) -> StructuredTool:
        def give(**arguments: Any) -> str:
            return texts[name](arguments)

        return StructuredTool.from_function(
            give, name=name, description=name, args_schema={"type": "object", "properties": {}}
        )

    return list(map(tool, texts))
