-- Queries that make one huge value, or a message of the server that quotes one.

-- repeat
SELECT repeat('x', 1000000000);

-- repeat of 200 MB
SELECT repeat('x', 200000000);

-- repeat of 900 MB
SELECT repeat('x', 900000000);

-- repeat of a repeat
SELECT repeat(repeat(repeat('x', 10000), 10000), 10);

-- lpad
SELECT lpad('x', 1000000000, 'y');

-- format
SELECT format('%1000000000s', 'x');

-- array_fill
SELECT array_fill(0, ARRAY[100000000]);

-- string_agg of 200 MB
SELECT string_agg(repeat('x', 10000), '') FROM generate_series(1, 20000);

-- string_agg of 900 MB
SELECT string_agg(repeat('x', 10000), '') FROM generate_series(1, 90000);

-- string_agg over a cross join
SELECT string_agg(a.description || b.description, ',') FROM film a, film b, film c;

-- text of ten million numbers
SELECT string_agg(g::text, ',') FROM generate_series(1, 10000000) g;

-- array_agg of millions
SELECT array_agg(g) FROM generate_series(1, 10000000) g;

-- array_agg of long texts
SELECT array_agg(repeat('x', 10000)) FROM generate_series(1, 100000);

-- array_agg kept inside
SELECT cardinality(array_agg(repeat(chr(65 + n % 26), 10000))) FROM generate_series(1, 1000000) n;

-- json_agg
SELECT json_agg(a) FROM rental a, generate_series(1, 1000) g;

-- jsonb_agg
SELECT jsonb_agg(to_jsonb(a)) FROM rental a, generate_series(1, 100) g;

-- jsonb_object_agg
SELECT jsonb_object_agg(a.rental_id || '-' || g, repeat('x', 1000)) FROM rental a,
generate_series(1, 100) g;

-- array that doubles
WITH RECURSIVE r(n, v) AS (SELECT 1, ARRAY[1] UNION ALL SELECT n + 1, v || v FROM r WHERE n < 30)
SELECT cardinality(v) FROM r ORDER BY n DESC LIMIT 1;

-- array slice that doubles
WITH RECURSIVE r(n, v) AS (SELECT 1, ARRAY[1, 2] UNION ALL SELECT n + 1, v[1:] || v[1:] FROM r WHERE
n < 30) SELECT cardinality(v) FROM r;

-- text that doubles
WITH RECURSIVE r(n, v) AS (SELECT 1, 'xxxxxxxx' UNION ALL SELECT n + 1, v || v FROM r WHERE n < 28)
SELECT length(v) FROM r ORDER BY n DESC LIMIT 1;

-- text that doubles, whole
WITH RECURSIVE r(n, v) AS (SELECT 1, 'xxxxxxxx' UNION ALL SELECT n + 1, v || v FROM r WHERE n < 27)
SELECT v FROM r WHERE n = 26;

-- replace that squares
SELECT length(replace(replace(repeat('x', 10000), 'x', repeat('x', 1000)), 'x', repeat('y', 50)));

-- replace that cubes
SELECT replace(replace(repeat('x', 10000), 'x', repeat('x', 1000)), 'x', repeat('y', 90));

-- regexp_replace that squares
SELECT length(regexp_replace(repeat('x', 10000), 'x', repeat('y', 10000), 'g'));

-- jsonb nested in recursion
WITH RECURSIVE r(n, v) AS (SELECT 1, '1'::jsonb UNION ALL SELECT n + 1, jsonb_build_array(v, v) FROM
r WHERE n < 24) SELECT length(v::text) FROM r;

-- jsonb nested deeply
WITH RECURSIVE r(n, v) AS (SELECT 1, '1'::jsonb UNION ALL SELECT n + 1, jsonb_build_array(v) FROM r
WHERE n < 20000) SELECT length(v::text) FROM r;

-- json text nested deeply
SELECT (repeat('[', 10000) || repeat(']', 10000))::jsonb FROM generate_series(1, 100);

-- array text nested
SELECT ('{' || repeat('1,', 9000) || '1}')::int[] FROM generate_series(1, 1000000);

-- tsvector of a long text
SELECT to_tsvector(string_agg(md5(g::text), ' ')) FROM generate_series(1, 1000000) g;

-- tsvector of many texts
SELECT count(to_tsvector('english', a.description || b.description)) FROM film a, film b;

-- string_to_table
SELECT count(*) FROM generate_series(1, 10000) g, string_to_table(repeat('a,', 10000), ',');

-- percentile of everything
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a.rental_id * b.rental_id) FROM rental a, rental
b;

-- bytea of 200 MB
SELECT decode(string_agg(repeat('ab', 5000), ''), 'hex') FROM generate_series(1, 40000);

-- error that quotes 90 MB
SELECT string_agg(repeat('x', 10000), '')::int FROM generate_series(1, 9000);

-- error that quotes 500 MB
SELECT string_agg(repeat('x', 10000), '')::int FROM generate_series(1, 50000);

-- error that quotes a folded value
SELECT repeat(repeat('x', 10000), 10000)::int;

-- error of a huge label
SELECT replace(repeat('x', 10000), 'x', repeat('y', 9000))::mpaa_rating;

-- distinct aggregate
SELECT count(DISTINCT repeat('x', 100) || a.rental_id || '-' || b.rental_id) FROM rental a, rental b;

-- hash aggregate of arrays
SELECT k, array_agg(g) FROM (SELECT g, g % 100000 AS k FROM generate_series(1, 10000000) g) x GROUP
BY k LIMIT 5;
