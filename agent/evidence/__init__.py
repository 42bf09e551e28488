"""Which figure of a text rests on which cell: pure functions, no input or output of their own.

The way through it: `plain` takes the markup off, `moments`, `proportions` and `amounts` read the
figures, `statement`, `columns` and `cells` read the results, `names` and `binding` say whose figure
one is, `direct`, `counts`, `periods`, `thresholds` and `derived` look for what it rests on, `fit`,
`order` and `absence` for what is wrong with it, and `check` puts it together.
"""

from agent.evidence.check import check_evidence
from agent.evidence.sources import Sources

__all__ = ["Sources", "check_evidence"]
