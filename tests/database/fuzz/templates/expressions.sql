-- Where an expression {e} can stand.
SELECT {e}
SELECT {e} AS x FROM film LIMIT 2
SELECT title FROM film WHERE {e} IS NOT NULL LIMIT 2
SELECT title FROM film ORDER BY {e} LIMIT 2
SELECT count(*) FROM film GROUP BY {e}
SELECT count(*) FROM film HAVING {e} IS NULL OR true
SELECT 1 FROM category c JOIN language l ON {e} IS NOT NULL LIMIT 2
SELECT 1 LIMIT ({e})::text::int
SELECT 1 OFFSET ({e})::text::int
SELECT 1 FETCH FIRST (({e})::text::int) ROWS ONLY
SELECT CASE WHEN true THEN {e} END
SELECT CASE {e} WHEN {e} THEN 1 END
SELECT coalesce({e}, {e}), nullif({e}, {e})
SELECT greatest({e}), least({e}, {e})
SELECT ARRAY[{e}], ROW({e}, 1), ({e}, 2)
SELECT (ARRAY[1, 2])[({e})::text::int]
SELECT (ARRAY[1, 2])[1:({e})::text::int]
SELECT ({e})
SELECT ({e})::text
SELECT CAST({e} AS text)
SELECT ({e}) IS DISTINCT FROM ({e})
SELECT {e} IN ({e}, {e})
SELECT {e} = ANY (ARRAY[{e}])
SELECT {e} BETWEEN {e} AND {e}
SELECT NOT (({e}) IS NULL) AND true
SELECT ({e})::text LIKE ({e})::text ESCAPE '!'
SELECT ({e})::text COLLATE "C"
SELECT now() AT TIME ZONE ({e})::text
SELECT count(*) FILTER (WHERE {e} IS NOT NULL) FROM film
SELECT count({e}), max(({e})::text) FROM film
SELECT array_agg({e} ORDER BY {e}) FROM language
SELECT string_agg(DISTINCT ({e})::text, ',') FROM language
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY {e}) FROM language
SELECT rank() OVER (PARTITION BY {e} ORDER BY {e}) FROM language
SELECT sum(1) OVER w FROM language WINDOW w AS (ORDER BY {e})
SELECT sum(language_id) OVER (ORDER BY language_id ROWS BETWEEN ({e})::text::int PRECEDING AND CURRENT ROW) FROM language
SELECT DISTINCT ON ({e}) title FROM film
SELECT count(*) FROM film GROUP BY GROUPING SETS (({e}), ())
SELECT count(*) FROM film GROUP BY CUBE ({e}, title)
SELECT grouping({e}) FROM film GROUP BY {e}
SELECT (SELECT {e})
SELECT EXISTS (SELECT 1 WHERE {e} IS NOT NULL)
SELECT ARRAY(SELECT {e})
SELECT 1 IN (SELECT ({e})::text::int)
SELECT * FROM (SELECT {e} AS x) q
SELECT * FROM (SELECT {e}) AS q(x), LATERAL (SELECT q.x, {e}) AS r
WITH q AS (SELECT {e} AS x) SELECT * FROM q
WITH q AS MATERIALIZED (SELECT {e} AS x) SELECT 1
WITH q AS NOT MATERIALIZED (SELECT {e} AS x) SELECT x, x FROM q
WITH RECURSIVE q(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM q WHERE x < 3 AND ({e}) IS NOT NULL) SELECT * FROM q
SELECT 1 UNION ALL SELECT ({e})::text::int
(SELECT 1 ORDER BY {e}) UNION (SELECT 2)
SELECT 1 INTERSECT SELECT ({e})::text::int
VALUES ({e}), ({e})
VALUES (1) ORDER BY {e}
SELECT * FROM (VALUES (1, {e})) AS v(a, b)
SELECT json_object('a': {e}), json_array({e}), jsonb_build_object('a', {e})
SELECT json_object(({e})::text: 1)
SELECT json_array(SELECT {e})
SELECT json_objectagg('a': {e}), json_arrayagg({e})
SELECT json_value('{}', '$.a' RETURNING text DEFAULT ({e})::text ON EMPTY)
SELECT json_query('{}', '$.a' PASSING {e} AS x)
SELECT json_exists(jsonb '[1]', '$ ? (@ == $x)' PASSING {e} AS x)
SELECT json_scalar({e}), json_serialize('{}'), json('{}')
SELECT * FROM json_table('[1]', '$[*]' PASSING {e} AS x COLUMNS (a int PATH '$')) AS t
SELECT * FROM json_table('[1]', '$[*]' COLUMNS (a text PATH '$.x' DEFAULT ({e})::text ON EMPTY)) AS t
SELECT * FROM json_table(to_jsonb({e}), '$' COLUMNS (a text PATH '$')) AS t
SELECT xmlelement(name a, {e})
SELECT xmlforest({e} AS a)
SELECT * FROM xmltable('/a' PASSING ({e})::text::xml COLUMNS b text PATH 'b')
SELECT * FROM film TABLESAMPLE bernoulli (({e})::text::float4)
SELECT * FROM film TABLESAMPLE system (10) REPEATABLE (({e})::text::int)
SELECT make_interval(days => ({e})::text::int)
SELECT format('%s', VARIADIC ARRAY[({e})::text])
SELECT concat({e}, {e}), to_jsonb({e}), pg_typeof({e})
SELECT overlay('abc' PLACING ({e})::text FROM 1), position(({e})::text IN 'a')
SELECT extract(day FROM ({e})::text::date)
SELECT trim(BOTH ({e})::text FROM 'a'), substring('abc' FROM ({e})::text::int)
SELECT (now(), ({e})::text::interval) OVERLAPS (now(), now())
SELECT ROW({e}) = ROW({e}), ({e}, 1) < ({e}, 2)
SELECT {e} IS TRUE
SELECT 'a' || ({e})
SELECT -({e})
SELECT ({e}) OPERATOR(pg_catalog.=) ({e})
SELECT title FROM film ORDER BY ({e})::text USING <
SELECT * FROM film f LEFT JOIN LATERAL (SELECT {e} AS x) q ON true LIMIT 2
SELECT * FROM generate_series(1, ({e})::text::int) AS g
SELECT * FROM unnest(ARRAY[{e}]) WITH ORDINALITY
SELECT * FROM ROWS FROM (generate_series(1, 2), unnest(ARRAY[{e}])) AS t
SELECT {e} x, {e} "select", {e} AS into
