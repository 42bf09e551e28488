"""docs/workspaces.md against the code: it is followed alone, by the letter."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from bot.cli import _parser
from bot.commands.serve import _where_to_install
from bot.http.slack_requests import PATH
from bot.install_settings import INSTALL_HELP, INSTALL_PATH, REDIRECT_PATH
from bot.manifest import HTTP_FILE, manifest_path
from bot.settings import BotSettings, read_settings

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/workspaces.md").read_text(encoding="utf-8")
LINES = re.findall(r"^ {4,}(\S.*)$", PAGE, re.MULTILINE)
"""What is to be pasted, among other lines that stand as far in."""
ROTATION = r"`(-e 's/\"token_rotation[^`]+)`"


def settings() -> BotSettings:
    given = {name: "x" for name in ("slack_client_id", "slack_client_secret")}
    given |= {"slack_client_id": "1.2", "slack_app_token": "xapp-1", "teams": "T0123ABCD"}
    given |= {"public_url": "https://db-agent.example.com", "token_key": "A" * 43 + "="}
    return read_settings(**given)


@pytest.mark.parametrize("name", [manifest_path().name, HTTP_FILE])
@pytest.mark.parametrize("rotates", [False, True])
def test_command_for_the_manifest_gives_one_that_is_ready(name, rotates):
    (command,) = [each for each in LINES if each.startswith("sed ")]
    assert f"deploy/{HTTP_FILE}" in PAGE
    program, file = command.replace("YOUR.NAME", "bot.mine.org").rsplit(" ", 1)
    (rotation,) = re.findall(ROTATION, PAGE)
    words = [
        *shlex.split(f"{program} {rotation if rotates else ''}"),
        str(Path(file).parent / name),
    ]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    made = json.loads(done.stdout)
    assert "example.com" not in done.stdout
    assert made["oauth_config"].pop("redirect_urls") == [f"https://bot.mine.org{REDIRECT_PATH}"]
    assert made["settings"].pop("token_rotation_enabled") is rotates
    told = json.loads(
        (ROOT / "deploy" / name).read_text().replace("db-agent.example.com", "bot.mine.org")
    )
    del told["settings"]["token_rotation_enabled"]
    assert made == told


def test_commands_are_there_and_are_called_as_they_are_written():
    commands = [each for each in LINES if each.startswith(".venv/bin/db-agent ")]
    assert len(commands) >= 4
    for command in [*commands, *re.findall(r"`(\.venv/bin/db-agent [^`]+)`", PAGE)]:
        _parser().parse_args(shlex.split(command)[1:])  # ends the process where it knows it not
    assert not re.findall(r"(?<!bin/)db-agent (?:doctor|serve|provision|new-token-key)", PAGE)
    targets = re.findall(r"^    +make (\w+)$", PAGE, re.MULTILINE)
    assert targets == ["setup"]
    assert "\nsetup:" in (ROOT / "Makefile").read_text()


def test_settings_and_paths_are_those_of_the_code():
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:DB_AGENT|SLACK|DATABASE)_[A-Z_]+\b", PAGE))
    assert {name for name in named if f"{name}=" not in example} == set()
    assert {*INSTALL_HELP, "SLACK_CLIENT_ID", "DATABASE_URL"} <= named
    for path in (INSTALL_PATH, REDIRECT_PATH):
        assert re.search(rf"@pages path .*{path}\b", PAGE)
        assert f"location = {path} {{" in PAGE
    assert PATH in PAGE
    assert _where_to_install(settings(), has_port=True) in PAGE


def test_links_lead_somewhere_and_other_pages_lead_here():
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        name, _, heading = target.partition("#")
        text = (ROOT / "docs" / name).resolve().read_text() if name else PAGE
        titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        assert not heading or heading in {each.lower().replace(" ", "-") for each in titles}
    for other in ("slack-setup.md", "http.md"):
        assert "(workspaces.md)" in (ROOT / "docs" / other).read_text()
