"""The packages that only the benchmarks need, and an environment that disturbs none of them."""

from __future__ import annotations

import importlib.util
import os
import warnings
from typing import Final

BENCH_PACKAGES: Final = (
    *("langchain", "langchain_anthropic", "langchain_community", "langgraph", "pydantic_ai"),
)
_DISTURBING: Final = (
    *("PG", "DATABASE_URL", "DB_AGENT_", "ANTHROPIC_", "LANGSMITH_", "LANGCHAIN_", "LOGFIRE_"),
)


def require_packages(target: str) -> None:
    """End with what to run where a package is missing: `make` and `target`."""
    missing = [name for name in BENCH_PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise SystemExit(
            f"This benchmark needs packages that db-agent itself does not ({', '.join(missing)}). "
            f"`make {target}` installs them, apart from all else, and runs it."
        )


def set_up_environment() -> None:
    """Take out proxies and settings of whoever runs this; nothing here reports to anybody."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith(_DISTURBING):
            del os.environ[name]
    os.environ["LANGSMITH_TRACING"] = "false"
    # The packages warn of their own and of each other's plans, a screenful at each start.
    warnings.simplefilter("ignore")
