"""Writes docs/local-workspace.md."""

from bot.local_workspace.coverage.page import PAGE, render_page

PAGE.write_text(render_page(), encoding="utf-8")
print(f"wrote {PAGE}")
