"""The Slack app manifest: what a workspace installs, the local one included."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = "slack-manifest.json"


def manifest_path() -> Path:
    """Return where the manifest lies: in the package, or in `deploy/` of a checkout."""
    packaged = Path(__file__).with_name(FILE)
    return packaged if packaged.exists() else Path(__file__).parents[1] / "deploy" / FILE


def load_manifest() -> dict[str, Any]:
    """Return the manifest that the app is installed from."""
    manifest: dict[str, Any] = json.loads(manifest_path().read_text(encoding="utf-8"))
    return manifest
