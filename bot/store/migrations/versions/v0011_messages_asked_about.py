"""A question stands apart from the message that it is about."""

from __future__ import annotations

from alembic import op

revision = "0011"
down_revision = "0010"

ABOUT = """
alter table db_agent.runs add column about text not null default ''
"""
# Both stood in one text, with marks for the model between them.
MARK = "E'\\n\\nThe question is about this message, which may be anybody''s:\\n<data>\\n'"
TAKE_APART = f"""
update db_agent.runs set
    question = split_part(question, {MARK}, 1),
    about = regexp_replace(split_part(question, {MARK}, 2), E'\\n</data>$', '')
where strpos(question, {MARK}) > 0
"""


def upgrade() -> None:
    op.execute(ABOUT)
    op.execute(TAKE_APART)
