"""Any server that speaks OpenAI's chat completions. Importing this loads no SDK; a turn does."""

from agent.models.openai_compatible.model import OpenAICompatibleModel
from agent.models.openai_compatible.presets import PRESETS, Preset

__all__ = ["PRESETS", "OpenAICompatibleModel", "Preset"]
