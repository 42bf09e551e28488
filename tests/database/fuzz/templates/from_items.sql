-- FROM items that are on no list.
dblink('{dblink}', 'SELECT nextval(''trap_seq'')') AS t(a bigint)
crosstab('SELECT spring(''a'')::text, ''b''::text, 1') AS t(a text, b int)
trap_view
hidden
pg_settings
pg_catalog.pg_authid
information_schema.tables
pg_stat_activity
pg_temp.film
armed.public.film
trap_seq
trapped
calm
film TABLESAMPLE system_rows(1)
film TABLESAMPLE extra.system(1)
json_to_record('{"a": 1}') AS x(a trap_domain)
jsonb_to_recordset('[{"a": 1}]') AS x(a trap_over)
json_table('[1]', '$[*]' COLUMNS (a trap_domain PATH '$')) AS t
json_table('[1]', '$[*]' COLUMNS (a trap_over PATH '$')) AS t
json_table('[{}]', '$[*]' COLUMNS (a trap_pair FORMAT JSON PATH '$')) AS t
unnest(ARRAY['1']::trap_domain[]) AS t
