"""The chart knows which settings are secret: those that the product and .env.example keep so."""

from __future__ import annotations

import json
import re
from typing import get_args

from deploy_tools import CHART, CHECKOUT
from pydantic import SecretStr

from agent.settings import AgentSettings
from bot.settings import BotSettings

SCHEMA = json.loads((CHART / "values.schema.json").read_text())["properties"]
FOR_COMPOSE = {"POSTGRES_ADMIN_PASSWORD", "AGENT_RO_PASSWORD", "DB_AGENT_STORE_PASSWORD"}


def secret_names() -> set[str]:
    return {
        str(field.validation_alias or field.alias or name).upper()
        for settings in (AgentSettings, BotSettings)
        for name, field in settings.model_fields.items()
        if field.annotation is SecretStr or SecretStr in get_args(field.annotation)
    }


def test_every_secret_of_the_product_is_one_to_the_chart() -> None:
    secret = re.compile(SCHEMA["secrets"]["propertyNames"]["pattern"])
    assert {"SLACK_BOT_TOKEN", "DATABASE_URL", "ANTHROPIC_API_KEY"} <= secret_names()
    assert [name for name in secret_names() if not secret.match(name)] == []


def test_every_other_setting_may_be_set() -> None:
    example = (CHECKOUT / ".env.example").read_text()
    names = set(re.findall(r"^#?([A-Z][A-Z0-9_]+)=", example, flags=re.MULTILINE)) - FOR_COMPOSE
    may_be = SCHEMA["settings"]["propertyNames"]
    of_the_chart = set(may_be["allOf"][1]["not"]["enum"])
    secret = re.compile(may_be["allOf"][0]["not"]["pattern"])
    assert {name for name in names if secret.match(name)} <= secret_names()
    for name in names - of_the_chart:
        assert re.match(may_be["pattern"], name)
