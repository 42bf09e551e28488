"""Writes down what Helm makes of the chart with each file of values; the rules are held to that."""

from __future__ import annotations

import sys

import yaml
from deploy_tools import RENDERED, VALUES, fingerprint, helm, rendering


def main() -> int:
    """Render, and say what was written; returns the exit code."""
    RENDERED.mkdir(exist_ok=True)
    for values in VALUES:
        answer = helm(values.read_text())
        if "refused" in answer:
            print(f"{values.name}: {answer['refused']}", file=sys.stderr)
            return 1
        rendering(values).write_text(rendered_text(fingerprint(values), answer["files"]))
        print(f"{values.name} -> {rendering(values)}")
    return 0


def rendered_text(mark: str, files: dict[str, str]) -> str:
    """Return the objects of all files as one text, in a settled order."""
    objects = [
        each
        for name, text in sorted(files.items())
        if name.endswith(".yaml")
        for each in yaml.safe_load_all(text)
        if each
    ]
    head = f"# Written by make deploy-render, never by hand. Of: {mark}\n---\n"
    return head + str(yaml.safe_dump_all(objects, sort_keys=True, width=100))


if __name__ == "__main__":
    sys.exit(main())
