"""A run belongs to the process that works on it, and can be gone on with by another one."""

from __future__ import annotations

from alembic import op
from procrastinate.schema import SchemaManager

revision = "0015"
down_revision = "0014"

# How a question came and where its answer goes; whose the run is, and as the how-manieth try.
RUNS = """
alter table db_agent.runs
    add column how jsonb,
    add column owner text not null default '',
    add column attempt integer not null default 0,
    add column given_back integer not null default 0,
    add column begun_at timestamptz,
    add column shown boolean not null default true,
    add column stop_by text not null default ''
"""
TRANSITIONS = """
alter table db_agent.transitions add column checkpoint json
"""
PART = """
alter table db_agent.runs add column part json
"""
# The questions that are under way while the bot is brought up to date are answered afterwards,
# but for those whose only place was an address that the process before this one had in memory.
UNDER_WAY = """
with taken_on as (
    update db_agent.runs
    set shown = false, how = '{"place": "thread"}'
    where status = 'running' and message_ts !~ '^[a-z]'
    returning id, conversation_id, team_id, channel_id
)
select procrastinate_defer_jobs_v1(array_agg(
    row('questions', 'answer', 0,
        concat_ws('/', taken_on.team_id, taken_on.channel_id, thread_ts), null,
        jsonb_build_object('run_id', taken_on.id), null)::procrastinate_job_to_defer_v1
))
from taken_on
join db_agent.conversations on conversations.id = taken_on.conversation_id
having count(*) > 0
"""
NOBODYS = """
update db_agent.runs
set status = 'turned_away', finished_at = now(), summary = 'cut off', failed = true
where status = 'running' and how is null
"""


def upgrade() -> None:
    # The library's own tables, in our schema: it finds them by the search path.
    op.execute("set local search_path = db_agent")
    link = op.get_bind().connection.driver_connection
    assert link is not None
    link.execute(SchemaManager.get_schema())  # many statements: only without parameters
    for statement in (RUNS, TRANSITIONS, PART, UNDER_WAY, NOBODYS):
        op.execute(statement)
    op.execute("reset search_path")
