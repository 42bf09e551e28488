-- Where a FROM item {r} can stand, and names of WITH beside those of tables.
SELECT * FROM {r}
SELECT * FROM film, {r}
SELECT (SELECT count(*) FROM {r})
TABLE {r}
WITH q AS (SELECT * FROM {r}) SELECT 1
SELECT * FROM ONLY {r}
SELECT * FROM (film CROSS JOIN {r})
SELECT 1 WHERE EXISTS (SELECT FROM {r})
WITH hidden AS (SELECT 1) SELECT * FROM {r}, public.hidden
WITH a AS (SELECT * FROM hidden), hidden AS (SELECT 1) SELECT * FROM a, {r}
WITH hidden AS (SELECT * FROM hidden) SELECT * FROM hidden
WITH "Hidden" AS (SELECT 1) SELECT * FROM Hidden
SELECT * FROM (WITH trap_view AS (SELECT 1) SELECT 1) q, trap_view
WITH RECURSIVE hidden AS (SELECT 1 UNION SELECT * FROM hidden) SELECT * FROM hidden
SELECT * FROM {r} x LIMIT 2
SELECT x.*, (x).*, x::text FROM {r} x LIMIT 2
