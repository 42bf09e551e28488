"""`db-agent doctor`: looks at a set-up from end to end, and says what to do."""

from bot.doctor.areas import AREAS, examine
from bot.doctor.finding import Finding, Level
from bot.doctor.report import Group, as_json, group_as_text, is_well, totals

__all__ = [
    "AREAS",
    "Finding",
    "Group",
    "Level",
    "as_json",
    "examine",
    "group_as_text",
    "is_well",
    "totals",
]
