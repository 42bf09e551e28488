"""The strict stand-ins and their speakers, from the tests that they belong to."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

MODELS = Path(__file__).parents[1]


def load(path: Path) -> ModuleType:
    """Load a file by its path: test files import nothing from each other."""
    name = f"chaos_{'_'.join(path.relative_to(MODELS.parent).with_suffix('').parts)}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]


claude_api = load(MODELS / "conftest.py")
chat_api = load(MODELS / "openai_compatible" / "conftest.py")
speaking = load(MODELS / "scenarios" / "__init__.py")
bot_parts = load(MODELS.parent / "bot" / "conftest.py")
