-- A literal {l} cast to a type {t}.
{l}::{t}
CAST({l} AS {t})
{t} {l}
{t}({l})
({l})::{t}[]
{l}::{t}::text
ARRAY[{l}]::{t}[]
json_value('[1]', '$[0]' RETURNING {t})
json_populate_record(NULL::{t}, '{}')
json_query('[1]', '$' RETURNING {t})
({l}::{t}).text
(ROW(1, 1, 1)::{t}).*
jsonb_populate_record(NULL::{t}, '{"a": 1, "word": 1}')
