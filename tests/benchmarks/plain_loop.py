"""The same tools in one plain loop: no phases, no scope, no checks; the first text is it."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.errors import AgentError, Fault, ToolError
from agent.messages import Message, Observations, QueryResult, ToolResult, UserMessage
from agent.protocols import ChartRenderer, Database, Model
from agent.state import MAX_MODEL_CALLS
from agent.toolbox import Toolbox, ToolContext

TOOLS = (
    "find_tables",
    "get_schema",
    "execute_read_only_sql",
    "generate_chart",
    "calculate",
    "ask_user",
)


@dataclass
class Answer:
    """What came out of the plain loop."""

    text: str = ""
    results: list[QueryResult] = field(default_factory=list)
    hops: int = 0
    model_calls: int = 0
    asked_back: bool = False


def answer_plainly(
    question: str, model: Model, database: Database, renderer: ChartRenderer, system: str
) -> Answer:
    """Ask, act and listen until the model writes text, or its turns are used up."""
    toolbox = Toolbox(database, renderer)
    messages: list[Message] = [UserMessage(question)]
    answer = Answer()
    while answer.model_calls < MAX_MODEL_CALLS:
        answer.model_calls += 1
        turn = model.respond(system, messages, toolbox.specs(TOOLS), timeout_s=60)
        messages.append(turn)
        if not turn.tool_calls:
            answer.text = turn.text
            return answer
        given = []
        for call in turn.tool_calls:
            answer.hops += 1
            try:
                found = toolbox.run(call, TOOLS, ToolContext(tuple(answer.results), question))
            except (ToolError, Fault, AgentError) as error:
                given.append(ToolResult(call.id, call.name, str(error), is_error=True))
                continue
            if found.result is not None:
                answer.results.append(found.result)
            answer.asked_back |= found.clarification is not None
            given.append(ToolResult(call.id, call.name, found.content))
        if answer.asked_back:
            return answer
        messages.append(Observations(tuple(given)))
    return answer
