"""Models: siblings behind one protocol, and the one place that tells them apart by name."""

from __future__ import annotations

from pathlib import Path

from pydantic import SecretStr

from agent.errors import SettingsInvalid
from agent.models.openai_compatible import PRESETS, Preset
from agent.protocols import Model
from agent.settings import AgentSettings


def is_language_model(name: str) -> bool:
    """Return whether a model of that name writes by itself, and so may err: Claude and its like."""
    return name != "offline" and not name.startswith("scripted:")


def make_model(settings: AgentSettings) -> Model:
    """Return the model that `settings` name.

    Raises `SettingsInvalid` for an unknown name, an unreadable script or a missing key.
    """
    name = settings.model_name
    if name == "offline":
        from agent.models.offline import OfflineModel

        return OfflineModel()
    if name.startswith("scripted:"):
        from agent.testing import load_script

        return load_script(Path(name.removeprefix("scripted:")))
    if name.startswith("claude-"):
        return _claude(name, settings)
    kind, colon, model = name.partition(":")
    if colon and kind in PRESETS:
        return _compatible(PRESETS[kind], model.strip(), settings)
    servers = ", ".join(f"{each}:MODEL" for each in PRESETS)
    raise SettingsInvalid(
        f"There is no model {name!r}. Choose offline, claude-… (such as claude-sonnet-5), "
        f"{servers}, or scripted:FILE."
    )


def _claude(name: str, settings: AgentSettings) -> Model:
    if settings.anthropic_api_key is None:
        raise SettingsInvalid(
            f"The model {name} needs a key. Set ANTHROPIC_API_KEY (make one at "
            "console.anthropic.com under API keys), or choose another model, such as offline."
        )
    # The SDK takes more than a second to import; only who uses it waits for it.
    from agent.models.claude import ClaudeModel

    key = settings.anthropic_api_key.get_secret_value()
    return ClaudeModel(key, name, base_url=settings.anthropic_base_url)


def _compatible(preset: Preset, model: str, settings: AgentSettings) -> Model:
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
    return OpenAICompatibleModel(preset, model, api_key=secret, base_url=base_url)
