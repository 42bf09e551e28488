"""Claude over Anthropic's Messages API. Importing this loads no SDK; the first turn does."""

from agent.models.claude.model import ClaudeModel

__all__ = ["ClaudeModel"]
