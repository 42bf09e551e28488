"""What an installation without the tests' packages has is enough."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import distribution, packages_distributions

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOAD_ALL = """
import json, pkgutil, sys
from importlib import import_module
from importlib.abc import MetaPathFinder

class NotThere(MetaPathFinder):
    names = frozenset(json.loads(sys.argv[1]))
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NotThere())
import agent, bot
for package in (agent, bot):
    for each in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if ".migrations." not in each.name and not each.name.endswith("__main__"):
            import_module(each.name)
"""


def needed(name: str, extras: frozenset[str] = frozenset(), seen: set[str] | None = None) -> set:
    """Return the distributions that an installer brings for one, by their canonical names."""
    seen = set() if seen is None else seen
    seen.add(canonicalize_name(name))
    for line in distribution(name).requires or ():
        wanted = Requirement(line)
        environments = [{"extra": extra} for extra in extras or {""}]
        if wanted.marker and not any(wanted.marker.evaluate(each) for each in environments):
            continue
        if canonicalize_name(wanted.name) not in seen or wanted.extras:
            needed(wanted.name, frozenset(wanted.extras), seen)
    return seen


def test_all_that_the_product_loads_comes_with_it() -> None:
    comes_along = needed("db-agent")
    foreign = [
        name
        for name, owners in packages_distributions().items()
        if not comes_along.intersection(map(canonicalize_name, owners))
    ]
    assert "pytest" in foreign
    loaded = subprocess.run(
        [sys.executable, "-c", LOAD_ALL, json.dumps(foreign)], capture_output=True, text=True
    )
    assert loaded.returncode == 0, loaded.stderr
