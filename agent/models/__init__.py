"""Models: siblings behind one protocol, and the one place that tells them apart by name."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Final

from pydantic import SecretStr

from agent.errors import SettingsInvalid
from agent.models.openai_compatible import PRESETS, Preset
from agent.models.taking_over import LONGEST_WAIT_S, TakingOver
from agent.protocols import Model
from agent.settings import AgentSettings

_KEY: Final = re.compile(r"(?:sk|gsk|nvapi)[-_]")
"""How the keys of providers begin, and no model's name."""


def is_language_model(name: str) -> bool:
    """Return whether a model of that name writes by itself, and so may err: Claude and its like."""
    return name != "offline" and not name.startswith("scripted:")


def make_models(settings: AgentSettings) -> Model:
    """Return the model that `settings` name, with the one that takes over where that is set.

    Nothing takes over from a model that is never out of reach, such as the offline one. Raises
    `SettingsInvalid` for either of them.
    """
    name, second = settings.model_name, settings.fallback_model
    if not second or not is_language_model(name):
        return make_model(settings)
    if second == name:
        raise SettingsInvalid(
            f"DB_AGENT_FALLBACK_MODEL is {second}, which is the model that answers already. Name "
            "another one, or leave it empty."
        )
    first = make_model(settings, longest_wait_s=LONGEST_WAIT_S)
    try:
        return TakingOver(first, make_model(settings.model_copy(update={"model": second})))
    except SettingsInvalid as error:
        raise SettingsInvalid(f"DB_AGENT_FALLBACK_MODEL: {error}") from error


def make_model(settings: AgentSettings, *, longest_wait_s: float = math.inf) -> Model:
    """Return the one model that answers by `settings`.

    A retry for which its server asks for more patience than `longest_wait_s` is left out. Raises
    `SettingsInvalid` for an unknown name, an unreadable script or a missing key.
    """
    name = settings.model_name
    if name == "offline":
        from agent.models.offline import OfflineModel

        return OfflineModel()
    if name.startswith("scripted:"):
        from agent.testing import load_script

        return load_script(Path(name.removeprefix("scripted:")))
    if name.startswith("claude-"):
        return _claude(name, settings, longest_wait_s)
    kind, colon, model = name.partition(":")
    if colon and kind in PRESETS:
        return _compatible(PRESETS[kind], model.strip(), settings, longest_wait_s)
    servers = ", ".join(f"{each}:MODEL" for each in PRESETS)
    named = "of that name" if _KEY.match(name) else repr(name)  # a key in the wrong place
    raise SettingsInvalid(
        f"There is no model {named}. Choose offline, claude-… (such as claude-sonnet-5), "
        f"{servers}, or scripted:FILE."
    )


def _claude(name: str, settings: AgentSettings, longest_wait_s: float) -> Model:
    if settings.anthropic_api_key is None:
        raise SettingsInvalid(
            f"The model {name} needs a key. Set ANTHROPIC_API_KEY (make one at "
            "console.anthropic.com under API keys), or choose another model, such as offline."
        )
    # The SDK takes more than a second to import; only who uses it waits for it.
    from agent.models.claude import ClaudeModel

    key = settings.anthropic_api_key.get_secret_value()
    return ClaudeModel(
        key, name, base_url=settings.anthropic_base_url, longest_wait_s=longest_wait_s
    )


def _compatible(
    preset: Preset, model: str, settings: AgentSettings, longest_wait_s: float
) -> Model:
    if not model:
        raise SettingsInvalid(
            f"{preset.name}: names no model. Write the model's name behind it, as "
            f"{preset.label if preset.base_url else 'the server'} lists it."
        )
    key: SecretStr | None = getattr(settings, f"{preset.name}_api_key")
    base_url: str = getattr(settings, f"{preset.name}_base_url")
    if key is None and preset.needs_key:
        raise SettingsInvalid(
            f"The model {preset.name}:{model} needs a key. Set {preset.key_variable} (make one at "
            f"{preset.account}), or choose another model, such as offline."
        )
    if not (base_url or preset.base_url):
        raise SettingsInvalid(
            f"The model {preset.name}:{model} needs an address. Set {preset.url_variable} to the "
            "server's, such as http://localhost:8080/v1."
        )
    from agent.models.openai_compatible.model import OpenAICompatibleModel

    secret = key.get_secret_value() if key is not None else ""
    return OpenAICompatibleModel(
        preset, model, api_key=secret, base_url=base_url, longest_wait_s=longest_wait_s
    )
