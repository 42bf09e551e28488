"""The Slack app manifest: what a workspace installs, the local one included.

`python -m bot.manifest` writes the one for HTTP anew, from the one for Socket Mode.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

FILE = "slack-manifest.json"
HTTP_FILE = "slack-manifest-http.json"
EXAMPLE_ADDRESS = "https://db-agent.example.com/slack/events"
"""Stands where whoever serves HTTP puts an address of their own."""


def manifest_path() -> Path:
    """Return where the manifest lies: in the package, or in `deploy/` of a checkout."""
    packaged = Path(__file__).with_name(FILE)
    return packaged if packaged.exists() else Path(__file__).parents[1] / "deploy" / FILE


def load_manifest() -> dict[str, Any]:
    """Return the manifest that the app is installed from."""
    manifest: dict[str, Any] = json.loads(manifest_path().read_text(encoding="utf-8"))
    return manifest


def over_http(manifest: dict[str, Any], address: str) -> dict[str, Any]:
    """Return the manifest of the same app, called at `address` instead of over Socket Mode."""
    called = copy.deepcopy(manifest)
    settings = called["settings"]
    settings["socket_mode_enabled"] = False
    for group in ("event_subscriptions", "interactivity"):
        settings[group] = {"request_url": address, **settings[group]}
    for command in called["features"]["slash_commands"]:
        command["url"] = address
    return called


def http_text() -> str:
    """Return what the file of the manifest for HTTP holds."""
    called = over_http(load_manifest(), EXAMPLE_ADDRESS)
    return json.dumps(called, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    manifest_path().with_name(HTTP_FILE).write_text(http_text(), encoding="utf-8")
