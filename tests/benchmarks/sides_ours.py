"""Our side of the comparison of prompts: the whole agent, as the settings make it."""

from __future__ import annotations

from typing import Any

from pydantic import SecretStr
from recording_api import KEY, MODEL, RecordingApi, recording_api
from trajectory import QUESTION, Said, turns_ours

from agent.messages import Outcome
from agent.run import make_agent
from agent.settings import AgentSettings

VERDICT = {"valid": True, "reason": "The rows answer the question.", "severity": "minor"}


def judge_says(body: dict[str, Any]) -> Said | None:
    """Answer the judge's request, which has a tool of its own."""
    names = [tool["name"] for tool in body.get("tools", [])]
    return Said(calls=(("give_verdict", VERDICT),)) if names == ["give_verdict"] else None


def run_ours(database_url: str, rows: list[tuple[str, float]], *, together: bool) -> RecordingApi:
    """Ask the question over the real loop and the real adapter; return what was sent."""
    with recording_api(turns_ours(rows, together=together), judge_says) as api:
        settings = AgentSettings(
            _env_file=None,
            database_url=SecretStr(database_url),
            anthropic_api_key=SecretStr(KEY),
            anthropic_base_url=api.url,
            model=MODEL,
            fallback_model="",
            judge="auto",
            judge_model="",
        )
        with make_agent(settings, database_url) as agent:
            result = agent.run(QUESTION)
    if result.outcome is not Outcome.ANSWERED or not result.charts or not api.is_played:
        raise SystemExit(f"Our run took another course: {result.outcome}, {result.summary}")
    return api
