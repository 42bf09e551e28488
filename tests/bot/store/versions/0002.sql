-- Runs had a plan, evidence and a verdict from here on; people were called, and channels noted.
insert into db_agent.channels (team_id, channel_id, is_public) values ('T1', 'C2', true);
insert into db_agent.conversations (team_id, channel_id, thread_ts) values ('T1', 'C2', '2.0');
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, asked_by, question, status, outcome,
     failed, answer, summary, model, hops, n_queries, input_tokens, output_tokens,
     cache_read_tokens, cache_write_tokens, duration_ms, finished_at, tables_read, plan, caveats,
     evidence, calculations, verdict, judge, draft, cost_usd)
select '22222222-2222-2222-2222-222222222222', id, 'T1', 'C2', '2.0', 'UANN', 'the best category?',
       'finished', 'escalated', true, '', 'The checks refused it.', 'given', 3, 2, 10, 20, 30, 40,
       9000, now(), '{category}', '{look,sum}', '{12 have no rental.}',
       '{"figures": [{"text": "5.3k", "source": "result 1, row 2, revenue"}], "faults": ["no EUR"]}',
       '[{"expression": "r1.a[1] / 3", "value": "0.5"}]',
       '{"valid": false, "reason": "The rows are of 2024.", "severity": "minor"}', 'judge', '5.3k',
       0.0123
from db_agent.conversations where channel_id = 'C2';
insert into db_agent.results
    (run_id, number, sql, column_names, column_types, rows, truncated, duration_ms, tables, audit,
     set_aside)
values
    ('22222222-2222-2222-2222-222222222222', 1, 'select 1', '{one}', '{int4}', '[[1]]', false, 1,
     '{category}', '[{"kind": "fan_out", "text": "The join repeats.", "hint": "Sum first."}]',
     false),
    ('22222222-2222-2222-2222-222222222222', 2, 'select 2', '{two}', '{int4}', '[[2]]', false, 1,
     '{}', null, true);
insert into db_agent.transitions
    (run_id, number, at, source, event, target, trigger, state, model_output, usage, cost_usd,
     plan, steps, critique)
values
    ('22222222-2222-2222-2222-222222222222', 1, '2026-11-24 14:05+00', 'action', 'tools_done',
     'observation', 'I looked.', '{"phase": "observation", "hop_count": 1}', '',
     '{"input_tokens": 1, "output_tokens": 2, "cache_read_tokens": 3, "cache_write_tokens": 4}',
     0.01, '{look}',
     '[{"tool": "get_schema", "ok": true, "subject": "category", "error": "", "rows": null,
        "duration_ms": null, "tables": [], "notes": []}]',
     '{"draft": "5.3k", "evidence": {"figures": [], "faults": []}, "verdict": null,
       "faults": ["no EUR"]}');
insert into db_agent.escalations
    (id, run_id, status, reason, asked_by, channel_id, message_ts, claimed_by, claimed_at,
     answered_by, answered_at, answer, answer_ts)
values
    ('22222222-2222-2222-2222-22222222222a', '22222222-2222-2222-2222-222222222222', 'answered',
     'refused by the checks', 'UANN', 'CHELP', '2.5', 'UMIA', now(), 'UMIA', now(), 'Sports.',
     '2.6'),
    ('22222222-2222-2222-2222-22222222222b', '22222222-2222-2222-2222-222222222222', 'open',
     'asked for by a person', 'UBOB', 'CHELP', '2.7', null, null, null, null, '', null);
