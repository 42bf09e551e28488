"""The app manifest against what Slack accepts in one: the rules that Slack publishes, in our words.

They are written down for the keys that we use and their neighbours; a key that is not here is
refused, so that a new one is looked up before it is used. Published in the repository
slackapi/manifest-schema, as version 2 of the schema.
"""

from __future__ import annotations

import copy
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from bot.manifest import load_manifest

Rule = dict[str, Any]
YES_OR_NO: Final[Rule] = {"type": "boolean"}


def text(most: int | None = None, *, least: int = 0, like: str = "") -> Rule:
    """A string of `least` to `most` characters."""
    limits = {"minLength": least, "maxLength": most, "pattern": like}
    return {"type": "string"} | {key: limit for key, limit in limits.items() if limit}


def group(*needed: str, **keys: Rule) -> Rule:
    """An object of these keys and no others, without which it is refused if they are `needed`."""
    return {
        "type": "object",
        "properties": keys,
        "required": list(needed),
        "additionalProperties": False,
    }


def several(each: Rule, most: int, *, least: int = 0, distinct: bool = False) -> Rule:
    """A list of `least` to `most` such things."""
    return {
        "type": "array",
        "items": each,
        "minItems": least,
        "maxItems": most,
        "uniqueItems": distinct,
    }


ABOUT = group(
    "name",
    name=text(35, least=1),
    description=text(140, least=1),
    long_description=text(4000, least=175),
    background_color=text(like="^#([0-9a-fA-F]{3}){1,2}$"),
)
FEATURES = group(
    app_home=group(
        home_tab_enabled=YES_OR_NO,
        messages_tab_enabled=YES_OR_NO,
        messages_tab_read_only_enabled=YES_OR_NO,
    ),
    bot_user=group("display_name", display_name=text(80, least=1), always_online=YES_OR_NO),
    agent_view=group(
        agent_description=text(300),
        suggested_prompts=several(group("title", "message", title=text(), message=text()), 4),
    ),
    slash_commands=several(
        group(
            *("command", "description"),
            command=text(32, least=2, like="^/"),
            description=text(2000, least=1),
            usage_hint=text(1000, least=1),
            should_escape=YES_OR_NO,
        ),
        50,
        least=1,
    ),
    shortcuts=several(
        group(
            *("name", "type", "callback_id", "description"),
            name=text(24, least=1),
            type={"enum": ["message", "global"]},
            callback_id=text(255, least=1),
            description=text(150, least=1),
        ),
        10,
        least=1,
    ),
)
# Slack takes a scope that is named twice; we do not.
OAUTH = group(scopes=group(bot=several(text(50), 255, distinct=True)))
# With Socket Mode there is nothing at an address of ours, so no key for one is known here.
SETTINGS = group(
    event_subscriptions=group(bot_events=several(text(50), 100, distinct=True)),
    interactivity=group("is_enabled", is_enabled=YES_OR_NO),
    org_deploy_enabled=YES_OR_NO,
    socket_mode_enabled=YES_OR_NO,
    token_rotation_enabled=YES_OR_NO,
)
WHOLE_NUMBER: Final[Rule] = {"type": "integer"}
RULES = Draft202012Validator(
    group(
        "display_information",
        _metadata=group(major_version=WHOLE_NUMBER, minor_version=WHOLE_NUMBER),
        display_information=ABOUT,
        features=FEATURES,
        oauth_config=OAUTH,
        settings=SETTINGS,
    )
)

PROMPT = {"title": "a", "message": "b"}
COMMAND = {"command": "/a", "description": "b"}
SHORTCUT = {"name": "a", "type": "global", "callback_id": "b", "description": "c"}
URL = "https://bot.example/slack"
ABSENT: Final = object()

# Where the manifest is changed, and into what; a dot goes one key or place deeper.
BREACHES: Final[list[tuple[str, object]]] = [
    ("display_information", ABSENT),
    ("functions", {}),
    ("_metadata.major_version", "2"),
    ("_metadata.name", "db-agent"),
    ("display_information.name", ABSENT),
    ("display_information.name", ""),
    ("display_information.name", "n" * 36),
    ("display_information.description", ""),
    ("display_information.description", "d" * 141),
    ("display_information.long_description", "d" * 174),
    ("display_information.long_description", "d" * 4001),
    ("display_information.background_color", "#12345"),
    ("display_information.background_color", "navy"),
    ("display_information.icon", URL),
    ("features.assistant_view", {"assistant_description": "the older kind of agent"}),
    ("features.unfurl_domains", ["bot.example"]),
    ("features.app_home.home_tab_enabled", "yes"),
    ("features.app_home.messages", True),
    ("features.bot_user.display_name", ABSENT),
    ("features.bot_user.display_name", ""),
    ("features.bot_user.display_name", "n" * 81),
    ("features.bot_user.icon", URL),
    ("features.agent_view.agent_description", "d" * 301),
    ("features.agent_view.suggested_prompts", [PROMPT] * 5),
    ("features.agent_view.suggested_prompts.0.title", ABSENT),
    ("features.agent_view.suggested_prompts.0.message", ABSENT),
    ("features.agent_view.suggested_prompts.0.text", "help"),
    ("features.agent_view.description", "what it does"),
    ("features.slash_commands", []),
    ("features.slash_commands", [COMMAND] * 51),
    ("features.slash_commands.0.command", ABSENT),
    ("features.slash_commands.0.command", "ask"),
    ("features.slash_commands.0.command", "/"),
    ("features.slash_commands.0.command", "/" + "a" * 32),
    ("features.slash_commands.0.description", ABSENT),
    ("features.slash_commands.0.description", ""),
    ("features.slash_commands.0.description", "d" * 2001),
    ("features.slash_commands.0.usage_hint", ""),
    ("features.slash_commands.0.usage_hint", "h" * 1001),
    ("features.slash_commands.0.should_escape", "true"),
    ("features.slash_commands.0.url", URL),
    ("features.shortcuts", []),
    ("features.shortcuts", [SHORTCUT] * 11),
    ("features.shortcuts.0.name", ABSENT),
    ("features.shortcuts.0.name", ""),
    ("features.shortcuts.0.name", "n" * 25),
    ("features.shortcuts.0.type", ABSENT),
    ("features.shortcuts.0.type", "channel"),
    ("features.shortcuts.0.callback_id", ABSENT),
    ("features.shortcuts.0.callback_id", ""),
    ("features.shortcuts.0.callback_id", "c" * 256),
    ("features.shortcuts.0.description", ABSENT),
    ("features.shortcuts.0.description", ""),
    ("features.shortcuts.0.description", "d" * 151),
    ("features.shortcuts.0.title", "Ask"),
    ("oauth_config.scopes.bot", ["chat:write", "chat:write"]),
    ("oauth_config.scopes.bot", [f"{n}:read" for n in range(256)]),
    ("oauth_config.scopes.bot.0", "s" * 51),
    ("oauth_config.scopes.user", ["search:read"]),
    ("oauth_config.redirect_urls", [URL]),
    ("settings.event_subscriptions.bot_events", ["app_mention", "app_mention"]),
    ("settings.event_subscriptions.bot_events", [f"event_{n}" for n in range(101)]),
    ("settings.event_subscriptions.bot_events.0", "e" * 51),
    ("settings.event_subscriptions.request_url", URL),
    ("settings.event_subscriptions.user_events", ["message.im"]),
    ("settings.interactivity.is_enabled", ABSENT),
    ("settings.interactivity.request_url", URL),
    ("settings.interactivity.message_menu_options_url", URL),
    ("settings.socket_mode_enabled", "true"),
    ("settings.is_hosted", False),
]


def changed(path: str, value: object) -> dict[str, Any]:
    """Return our manifest with `value` at `path`."""
    manifest = copy.deepcopy(load_manifest())
    place: Any = manifest
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in way:
        place = place[step]
    if value is ABSENT:
        del place[last]
    else:
        place[last] = value
    return manifest


def test_manifest_is_one_that_slack_accepts():
    faults = [f"{fault.json_path}: {fault.message}" for fault in RULES.iter_errors(load_manifest())]
    assert faults == []


@pytest.mark.parametrize(("path", "value"), BREACHES)
def test_each_breach_is_found_and_nothing_else(path, value):
    faults = list(RULES.iter_errors(changed(path, value)))
    assert len(faults) == 1
    steps = [str(step) for step in faults[0].absolute_path]
    assert path.split(".")[: len(steps)] == steps[: len(path.split("."))]
