"""The servers that have a name: where each is, and which settings are its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from agent.errors import SettingsInvalid
from agent.models.addresses import BARE, is_address


@dataclass(frozen=True)
class Preset:
    """A server, or a kind of server. Its models are called `name:MODEL`."""

    name: str
    label: str
    """As sentences call it."""
    base_url: str
    """Where it is unless the settings say otherwise; "" where they must."""
    key_variable: str
    url_variable: str
    needs_key: bool
    account: str = ""
    """Where its keys are made, and paid for."""
    limit: str = "max_tokens"
    """The field that bounds a turn."""

    @property
    def is_local(self) -> bool:
        """It is a program of one's own, so what helps is to look at it, not at an account."""
        return not self.account


PRESETS: Final[dict[str, Preset]] = {
    preset.name: preset
    for preset in (
        Preset(
            "nvidia",
            "NVIDIA",
            "https://integrate.api.nvidia.com/v1",
            "NVIDIA_API_KEY",
            "NVIDIA_BASE_URL",
            needs_key=True,
            account="build.nvidia.com",
        ),
        Preset(
            "groq",
            "Groq",
            "https://api.groq.com/openai/v1",
            "GROQ_API_KEY",
            "GROQ_BASE_URL",
            needs_key=True,
            account="console.groq.com",
        ),
        Preset(
            "openai",
            "OpenAI",
            "https://api.openai.com/v1",
            "OPENAI_API_KEY",
            "OPENAI_BASE_URL",
            needs_key=True,
            account="platform.openai.com",
            limit="max_completion_tokens",
        ),
        Preset(
            "ollama",
            "Ollama",
            "http://localhost:11434/v1",
            "OLLAMA_API_KEY",
            "OLLAMA_BASE_URL",
            needs_key=False,
        ),
        Preset(
            "vllm",
            "vLLM",
            "http://localhost:8000/v1",
            "VLLM_API_KEY",
            "VLLM_BASE_URL",
            needs_key=False,
        ),
        Preset(
            "compatible",
            "The model's server",
            "",
            "DB_AGENT_COMPATIBLE_API_KEY",
            "DB_AGENT_COMPATIBLE_BASE_URL",
            needs_key=False,
        ),
    )
}


def check_access(preset: Preset, key: str, url: str) -> None:
    """Raises `SettingsInvalid` for a key or an address that cannot be one; it quotes neither."""
    if preset.needs_key and not key:
        raise SettingsInvalid(f"{preset.key_variable} is empty; copy the key again.")
    if key and not re.fullmatch(r"[\x21-\x7e]+", key):
        raise SettingsInvalid(
            f"{preset.key_variable} holds characters that no key has; copy it again."
        )
    if not is_address(url):
        raise SettingsInvalid(
            f"{preset.url_variable} must be an address such as "
            f"{preset.base_url or 'http://localhost:8080/v1'}, {BARE}."
        )
