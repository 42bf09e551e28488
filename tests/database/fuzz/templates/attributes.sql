-- A name {n} behind a dot, of a value {a}; {r} is the name without quotes.
SELECT ({a}).{n}
SELECT (({a})).{n}
SELECT ({a}).{n}.{n}
SELECT (({a}).{n}).{n}
SELECT v.{n} FROM (VALUES ({a})) AS v
SELECT v.{n} FROM (VALUES ({a})) AS v(x)
SELECT (v).{n} FROM (VALUES ({a})) AS v
SELECT (v.x).{n} FROM (VALUES ({a})) AS v(x)
SELECT v.x.{n} FROM (VALUES ({a})) AS v(x)
SELECT q.{n} FROM (SELECT {a}) AS q
SELECT q.{n} FROM (SELECT {a} AS "{r}") AS q
SELECT q.{n} FROM (SELECT 1 AS "{r}") AS q, (SELECT q.{n} FROM (SELECT {a}) AS q) AS p
SELECT (SELECT q.{n} FROM (SELECT {a} AS x) AS q) FROM (SELECT 1 AS "{r}") AS q
WITH q AS (SELECT {a} AS x) SELECT q.{n} FROM q
WITH q AS (SELECT {a} AS x), p AS (WITH q AS (SELECT 1 AS "{r}") SELECT q.{n} FROM q) SELECT q.{n} FROM q, p
WITH q AS (SELECT 1 AS "{r}") SELECT z.{n} FROM q AS z(other)
WITH q("{r}") AS (SELECT 1) SELECT z.{n} FROM (SELECT {a}) AS z, q
WITH film AS (SELECT {a} AS x) SELECT film.{n} FROM film
WITH film AS (SELECT 1 AS "{r}") SELECT public.film.{n} FROM public.film
SELECT f.{n} FROM film f LIMIT 1
SELECT film.{n} FROM film LIMIT 1
SELECT public.film.{n} FROM public.film LIMIT 1
SELECT (f).{n} FROM film f LIMIT 1
SELECT (f.*).{n} FROM film f LIMIT 1
SELECT (SELECT f FROM film f LIMIT 1).{n}
SELECT (f.title).{n}, (f.film_id).{n}, (f.rating).{n} FROM film f LIMIT 1
SELECT f.title.{n} FROM film f LIMIT 1
SELECT c.{n} FROM category AS c(a, b, c) LIMIT 1
SELECT c.{n} FROM category c WHERE c.{n} IS NOT NULL ORDER BY c.{n} LIMIT 1
SELECT j.{n} FROM (category JOIN language ON true) AS j LIMIT 1
SELECT j.{n} FROM film JOIN film_category USING (film_id) AS j LIMIT 1
SELECT j.{n} FROM category AS j NATURAL JOIN language LIMIT 1
SELECT (ARRAY[{a}])[1].{n}
SELECT (ARRAY[f])[1].{n} FROM film f LIMIT 1
SELECT (ROW({a})).{n}
SELECT (ROW(1, {a})).f2.{n}
SELECT g.{n} FROM generate_series(1, 2) AS g
SELECT g.{n} FROM generate_series(1, 2) AS g(x)
SELECT g.{n} FROM unnest(ARRAY[{a}]) AS g
SELECT g.{n} FROM ROWS FROM (unnest(ARRAY[{a}])) AS g
SELECT t.{n} FROM json_table('[1]', '$[*]' COLUMNS (a int PATH '$')) AS t
SELECT x.{n} FROM json_to_record('{"a": 1}') AS x(a text)
SELECT x.{n} FROM json_populate_record(NULL::film, '{}') AS x
SELECT (json_populate_record(NULL::film, '{}')).{n}
SELECT (coalesce({a})).{n}, (CASE WHEN true THEN {a} END).{n}
SELECT (({a})::text).{n}
SELECT ({a}).{n}[1]
SELECT v.{n} FROM (SELECT 1 AS "{r}" UNION SELECT {a}) AS v
SELECT v.{n} FROM (SELECT {a} UNION SELECT 1 AS "{r}") AS v
SELECT v.{n} FROM (TABLE film) AS v LIMIT 1
SELECT v.{n} FROM (SELECT * FROM film) AS v LIMIT 1
SELECT v.{n} FROM (SELECT f.* FROM film f) AS v("{r}") LIMIT 1
SELECT v.{n} FROM film AS v("{r}") LIMIT 1
SELECT v.{n} FROM (SELECT f.film_id AS "{r}" FROM film f) AS v(z) LIMIT 1
SELECT n.{n} FROM (SELECT 1 AS "{r}", {a}) AS n(a, b)
SELECT * FROM film f ORDER BY f.{n}
SELECT count(*) FROM film f GROUP BY f.{n}
SELECT * FROM film f JOIN category c ON f.{n} IS NULL LIMIT 1
SELECT q.{n} FROM (SELECT * FROM (SELECT 1 AS "{r}") a) q
WITH q AS (SELECT * FROM category), category AS (SELECT 1 AS "{r}") SELECT q.{n} FROM q
WITH category AS (SELECT 1 AS "{r}"), q AS (SELECT * FROM public.category) SELECT q.{n} FROM q
WITH category AS (SELECT 1 AS "{r}") SELECT c.{n} FROM public.category AS c, category
SELECT q.{n} FROM (SELECT f.* FROM film f) q, (SELECT 1 AS "{r}") f LIMIT 1
SELECT q.{n} FROM (SELECT f.* FROM film f, (SELECT 1 AS "{r}") g) q LIMIT 1
SELECT q.{n} FROM (SELECT a.* FROM (SELECT 1 AS "{r}") b, LATERAL (SELECT b.*, {a} AS x) a) q
SELECT q.{n} FROM (SELECT a.x FROM (SELECT {a} AS x, 1 AS "{r}") a) q
SELECT q.{n} FROM (SELECT a FROM (SELECT {a} AS x, 1 AS "{r}") a) q
SELECT (q.a).{n} FROM (SELECT a FROM (SELECT {a} AS x, 1 AS "{r}") a) q
SELECT f.{n} FROM film f JOIN (SELECT 1 AS "{r}") g ON true LIMIT 1
SELECT j.{n} FROM (film f JOIN (SELECT 1 AS "{r}") g ON true) AS j LIMIT 1
SELECT j.{n} FROM (film f JOIN (SELECT 1 AS "{r}") j ON true) LIMIT 1
SELECT f.{n} FROM film f WHERE EXISTS (SELECT f.{n} FROM (SELECT 1 AS "{r}") f) LIMIT 1
SELECT (SELECT f.{n}) FROM film f, (SELECT (SELECT f.{n} FROM (SELECT 1 AS "{r}") f)) g LIMIT 1
SELECT f.{n} FROM film f, LATERAL (SELECT f.{n} FROM (SELECT 1 AS "{r}") f) g LIMIT 1
WITH RECURSIVE q AS (SELECT * FROM p), p AS (SELECT 1 AS "{r}") SELECT q.{n} FROM q
WITH RECURSIVE q AS (SELECT {a} AS x UNION SELECT * FROM q) SELECT q.{n} FROM q
WITH q AS (WITH p AS (SELECT 1 AS "{r}") SELECT {a} AS x FROM p) SELECT q.{n} FROM q
SELECT q.{n} FROM (SELECT 1 AS "{r}", {a}) AS q(a)
SELECT q.{n} FROM (SELECT {a} AS x) AS q("{r}", b)
SELECT q.{n} FROM (VALUES ({a}, 1)) AS q(a, "{r}")
SELECT q.{n} FROM (SELECT * FROM film UNION ALL SELECT * FROM film) q LIMIT 1
SELECT q.{n} FROM (TABLE category UNION ALL SELECT 1, 'a', now() AS "{r}") q LIMIT 1
SELECT q.{n} FROM unnest(ARRAY[{a}], ARRAY[1]) AS q(a, "{r}")
SELECT q.{n} FROM ROWS FROM (generate_series(1, 2), unnest(ARRAY[{a}])) AS q("{r}")
SELECT q.{n} FROM json_to_record('{"a": 1}') AS q("{r}" int)
SELECT q.{n} FROM json_each('{"a": 1}') AS q
SELECT q.{n} FROM json_each('{"a": 1}') AS q("{r}")
SELECT * FROM film f JOIN LATERAL (SELECT f.{n} AS "{r}") g ON g.{n} IS NOT NULL LIMIT 1
SELECT Q.{n} FROM (SELECT 1 AS "{r}") AS "Q", (SELECT {a}) AS q
SELECT "Q".{n} FROM (SELECT 1 AS "{r}") AS q, (SELECT {a}) AS "Q"
SELECT public.q.{n} FROM (SELECT 1 AS "{r}") AS q
SELECT film.{n} FROM film AS f, (SELECT 1 AS "{r}") AS film LIMIT 1
SELECT public.film.{n} FROM film, (SELECT 1 AS "{r}") AS x LIMIT 1
SELECT xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxb.{n} FROM (SELECT {a}) AS xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxa, (SELECT 1 AS "{r}") AS q
SELECT dvd_rental.public.film.{n} FROM film LIMIT 1
SELECT (f).title.{n}, (f).{n}.title FROM film f LIMIT 1
SELECT (array_agg(f))[1].{n} FROM film f
SELECT (row_to_json(f)).{n}, (to_jsonb(f)).{n} FROM film f LIMIT 1
SELECT (lag(f) OVER ()).{n} FROM film f LIMIT 1
SELECT (min(f.title)).{n}, (first_value(f) OVER ()).{n} FROM film f GROUP BY f.* LIMIT 1
