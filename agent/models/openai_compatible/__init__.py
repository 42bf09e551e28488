"""Any server that speaks OpenAI's chat completions. Only its presets are loaded with this."""

from agent.models.openai_compatible.presets import PRESETS, Preset

__all__ = ["PRESETS", "Preset"]
