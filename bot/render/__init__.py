"""Values of the agent -> Slack messages as plain data. Pure: no Slack, no database, no clock."""

from bot.render.card import Card, reduced, render_card
from bot.render.endings import shown_result
from bot.render.handoff import Handoff, turn_to
from bot.render.help import render_help
from bot.render.messages import render_notice, render_sql, render_why
from bot.render.spreadsheet import render_csv
from bot.render.working import Doing, Mark, Working, as_card, render_working

__all__ = [
    "Card",
    "Doing",
    "Handoff",
    "Mark",
    "Working",
    "as_card",
    "reduced",
    "render_card",
    "render_csv",
    "render_help",
    "render_notice",
    "render_sql",
    "render_why",
    "render_working",
    "shown_result",
    "turn_to",
]
