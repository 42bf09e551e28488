-- Columns of a type {t}.
SELECT * FROM json_to_record('{"a": 1}') AS x(a {t})
SELECT * FROM json_to_record('{"b": 1}') AS x(a int, b {t})
SELECT * FROM json_table('[1]', '$[*]' COLUMNS (a {t} PATH '$')) AS t
SELECT * FROM jsonb_to_recordset('[{"b": 1}]') AS x(a int, b {t})
SELECT * FROM unnest(ARRAY[{l}]::{t}[]) AS t
