"""What an error costs, and when there have been too many."""

from __future__ import annotations

from dataclasses import replace

from agent.errors import RetryCeilingExceeded
from agent.state import AgentState


def handle_tool_error(state: AgentState, error: Exception) -> AgentState:
    """Return the state with one more error counted, in a row and in all.

    Raises `RetryCeilingExceeded`, with that state as its `state`, once a ceiling is met.
    """
    counted = replace(state, retry_count=state.retry_count + 1, error_count=state.error_count + 1)
    if counted.retry_ceiling_reached:
        raise RetryCeilingExceeded(counted, str(error))
    return counted


def handle_tool_success(state: AgentState) -> AgentState:
    """Return the state with the errors in a row forgotten; those in all stay counted."""
    return replace(state, retry_count=0)
