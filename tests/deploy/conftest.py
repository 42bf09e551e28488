"""What several of these tests read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parent))

from deploy_tools import VALUES, rendering


@pytest.fixture(scope="module", params=VALUES, ids=lambda path: path.stem)
def objects(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """The objects of the chart, once for each file of values."""
    return list(yaml.safe_load_all(rendering(request.param).read_text()))
