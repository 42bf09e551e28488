"""Prompts, one Markdown file a phase."""

from __future__ import annotations

from importlib.resources import files


def load_prompt(phase: str, **values: str) -> str:
    """Return the prompt of a phase with `{name}` replaced by the value of that name."""
    prompt = files(__name__).joinpath(f"{phase}.md").read_text(encoding="utf-8")
    for name, value in values.items():
        prompt = prompt.replace("{" + name + "}", value)
    return prompt
