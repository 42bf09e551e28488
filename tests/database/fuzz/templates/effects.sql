-- Expressions with an effect, or a look where none is allowed. {folder} is the server's data folder,
-- {sleeper} a backend, {dblink} a connection string.
nextval('trap_seq')
setval('trap_seq', 77)
lastval()
currval('trap_seq')
pg_notify('fuzz', 'x')
set_config('work_mem', '77MB', false)
set_config('work_mem', '78MB', true)
set_config('app.fuzz', 'x', false)
set_config('search_path', 'pg_temp', true)
set_config('statement_timeout', '0', false)
set_config('default_transaction_read_only', 'off', false)
set_config('role', 'writer', false)
current_setting('data_directory')
pg_advisory_lock(1)
pg_advisory_lock_shared(1, 2)
pg_advisory_xact_lock(3)
pg_try_advisory_lock(4)
pg_try_advisory_xact_lock_shared(5)
lo_create(0)
lo_creat(-1)
lo_from_bytea(0, 'a')
lo_import('PG_VERSION')
lo_import('PG_VERSION', 4242)
lo_put(4242, 0, 'b')
lo_unlink(4242)
lo_export(4242, 'fuzz_export')
loread(lo_open(4242, 131072), 10)
dblink_exec('{dblink}', 'INSERT INTO trap_log VALUES (1)')
dblink_exec('{dblink}', 'SELECT nextval(''trap_seq'')')
dblink_connect('c1', '{dblink}')
dblink_send_query('c1', 'SELECT spring(''dblink'')')
dblink_get_connections()
query_to_xml('SELECT spring(''xml'')', true, true, '')
cursor_to_xml('agent_query', 1, true, true, '')
database_to_xml(true, true, '')
ts_stat('SELECT nextval(''trap_seq'')::text::tsvector')
ts_rewrite('a'::tsquery, 'SELECT nextval(''trap_seq'')::text::tsquery, ''b''::tsquery')
crosstab('SELECT spring(''a'')::text, ''b''::text, 1')
connectby('film', 'film_id', 'language_id', '1', 2)
normal_rand(2, 0.0, 1.0)
pg_sleep(0.01)
pg_sleep_for('10 ms')
pg_switch_wal()
pg_create_restore_point('x')
pg_logical_emit_message(false, 'a', 'b')
pg_logical_emit_message(true, 'a', 'b')
pg_export_snapshot()
txid_current()
pg_current_xact_id()
pg_reload_conf()
pg_rotate_logfile()
pg_stat_reset()
pg_stat_reset_shared('wal')
pg_stat_clear_snapshot()
pg_cancel_backend({sleeper})
pg_terminate_backend({sleeper})
pg_log_backend_memory_contexts({sleeper})
pg_create_physical_replication_slot('fuzz', true)
pg_replication_origin_create('fuzz')
pg_import_system_collations('public')
pg_read_file('PG_VERSION')
pg_read_binary_file('PG_VERSION')
pg_ls_dir('.')
pg_stat_file('PG_VERSION')
pg_ls_waldir()
pg_show_all_settings()
pg_stat_get_activity(NULL)
pg_restore_relation_stats('schemaname', 'public', 'relname', 'film', 'relpages', 17)
pg_clear_relation_stats('public', 'film')
pg_get_functiondef('spring'::regproc)
brin_summarize_new_values('film_pkey')
gin_clean_pending_list('film_fulltext_idx')
pg_prewarm('film')
get_raw_page('film', 0)
pgrowlocks('film')
file_fdw_handler()
trap()
trap_int(1)
trap_text('a')
trap_row(NULL)
trap_any(1)
trap_lies(1)
trap_default(1)
trap_many(1, 2)
trap_set()
trap_owner()
"Trap Quoted"(1)
initcap(1)
ascii(NULL::film)
isfinite('a', 'b')
extra.trap_extra(1)
trap_extra(1)
trap_sum(1)
spring('called')
public.spring('called')
has_table_privilege('film', 'select')
to_regclass('film')
version()
current_user
session_user
current_role
current_schema
current_catalog
'a' @@! 'b'
'a' OPERATOR(public.@@!) 'b'
'PG'::mpaa_rating @#@ 1
|/ 'a'::text
'a'::text <-> 'b'::text
1::trap_domain
1::trap_over
'{1}'::trap_list
'(1,b)'::trap_pair
'{1}'::trap_domain[]
CAST('1' AS public.trap_over)
trap_domain '1'
'(1,1,"(1,b)")'::trapped
json_populate_record(NULL::trapped, '{"word": 1}')
jsonb_populate_record(NULL::calm, '{"id": 1}')
(ROW(1, 1, NULL)::trapped).word
'up'::mood::int
(1).trap_over
ROW(1, 'b')::calm_pair::text
(ROW(1, 'b')::calm_pair).text
'[1,2)'::trap_range
int8range '1'
'film'::regclass
'1'::oid
'now'::regproc
'public'::regnamespace
'<a/>'::xml
xmlparse(content '<a/>')
to_jsonb('up'::public.mood)
json_build_object('a', 'up'::public.mood)
(SELECT to_json(mood) FROM calm LIMIT 1)
(SELECT row_to_json(c) FROM calm c LIMIT 1)
(SELECT c.to_jsonb FROM calm c LIMIT 1)
(SELECT json_agg(c) FROM calm c)
(SELECT json_object('a': mood) FROM calm LIMIT 1)
(SELECT jsonb_agg(q) FROM (SELECT mood FROM calm) q)
(SELECT array_to_json(array_agg(mood)) FROM calm)
(SELECT concat(mood, pair) FROM calm)
(SELECT mood::text || pair::text FROM calm)
(SELECT pair::varchar FROM calm)
(SELECT (pair).text FROM calm)
