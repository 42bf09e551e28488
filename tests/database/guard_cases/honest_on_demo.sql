-- Honest questions to the demo database, of as many kinds as people ask. Each begins after a line
-- of its own with its name. None depends on the day it is asked, nor on chance.

--- count with a filter
SELECT count(*) AS rentals, count(*) FILTER (WHERE return_date IS NULL) AS still_out FROM rental;

--- revenue by month
SELECT date_trunc('month', payment_date) AS month, sum(amount) AS revenue
FROM payment
GROUP BY 1
ORDER BY 1;

--- revenue by month in the zone of a store
SELECT to_char(date_trunc('month', payment_date, 'Europe/Berlin') AT TIME ZONE 'Europe/Berlin', 'YYYY-MM') AS month,
       to_char(sum(amount), 'FM999,999,990.00') AS revenue
FROM payment
GROUP BY 1
ORDER BY 1

--- growth over the month before
WITH monthly AS (
    SELECT date_trunc('month', payment_date)::date AS month, sum(amount) AS revenue
    FROM payment
    GROUP BY 1
)
SELECT month, revenue, revenue - lag(revenue) OVER w AS change,
       round(100.0 * (revenue / nullif(lag(revenue) OVER w, 0) - 1), 1) AS percent
FROM monthly
WINDOW w AS (ORDER BY month)
ORDER BY month

--- running total and moving average
SELECT day, taken, sum(taken) OVER (ORDER BY day ROWS UNBOUNDED PRECEDING) AS running,
       avg(taken) OVER (ORDER BY day RANGE BETWEEN INTERVAL '6 days' PRECEDING AND CURRENT ROW) AS week_average
FROM (SELECT payment_date::date AS day, sum(amount) AS taken FROM payment GROUP BY 1) AS days
ORDER BY day
LIMIT 60

--- top three of each group
SELECT category, title, revenue
FROM (
    SELECT c.name AS category, f.title, sum(p.amount) AS revenue,
           rank() OVER (PARTITION BY c.name ORDER BY sum(p.amount) DESC) AS place
    FROM payment p
    JOIN rental r USING (rental_id)
    JOIN inventory i USING (inventory_id)
    JOIN film f USING (film_id)
    JOIN film_category fc USING (film_id)
    JOIN category c USING (category_id)
    GROUP BY c.name, f.film_id, f.title
) AS ranked
WHERE place <= 3
ORDER BY category, place, title

--- customers who never rented
SELECT c.customer_id, c.first_name || ' ' || c.last_name AS customer
FROM customer AS c
LEFT JOIN rental AS r ON r.customer_id = c.customer_id
WHERE r.rental_id IS NULL
ORDER BY c.customer_id

--- films without a copy
SELECT title FROM film f WHERE NOT EXISTS (SELECT 1 FROM inventory i WHERE i.film_id = f.film_id) ORDER BY title

--- anti-join by EXCEPT
SELECT film_id FROM film EXCEPT SELECT film_id FROM inventory ORDER BY film_id

--- more than the average
SELECT customer_id, count(*) AS rentals FROM rental GROUP BY customer_id
HAVING count(*) > (SELECT avg(n) FROM (SELECT count(*) AS n FROM rental GROUP BY customer_id) AS per_customer)
ORDER BY rentals DESC, customer_id

--- share of the whole
SELECT rating, count(*) AS films, round(count(*) * 100.0 / sum(count(*)) OVER (), 2) AS percent
FROM film GROUP BY rating ORDER BY rating NULLS LAST

--- median and quartiles
SELECT percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY length) AS quartiles,
       percentile_disc(0.9) WITHIN GROUP (ORDER BY length), mode() WITHIN GROUP (ORDER BY rating)
FROM film

--- rank that a value would have
SELECT rank(100) WITHIN GROUP (ORDER BY length DESC), cume_dist(100) WITHIN GROUP (ORDER BY length) FROM film

--- statistics
SELECT stddev_samp(amount), var_pop(amount), corr(amount, customer_id), regr_slope(amount, rental_id), regr_r2(amount, rental_id) FROM payment

--- window functions
SELECT film_id, row_number() OVER w, dense_rank() OVER w, percent_rank() OVER w, ntile(4) OVER w,
       first_value(title) OVER w, nth_value(title, 2) OVER w, lead(title, 2, 'none') OVER w
FROM film WHERE film_id <= 30 WINDOW w AS (ORDER BY film_id) ORDER BY film_id

--- frames with exclusion
SELECT film_id, sum(length) OVER (ORDER BY film_id ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING EXCLUDE CURRENT ROW),
       count(*) OVER (ORDER BY rating GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW)
FROM film ORDER BY film_id LIMIT 25

--- window built on a window
SELECT payment_id, sum(amount) OVER by_day, max(amount) OVER w
FROM payment WHERE payment_date < '2024-02-01'
WINDOW w AS (PARTITION BY customer_id), by_day AS (w ORDER BY payment_date, payment_id)
ORDER BY payment_id

--- grouping sets
SELECT store_id, activebool, count(*), grouping(store_id, activebool) AS level
FROM customer GROUP BY GROUPING SETS ((store_id, activebool), (store_id), ()) ORDER BY level, 1, 2

--- rollup
SELECT coalesce(rating::text, 'all') AS rating, count(*) FROM film WHERE rating IS NOT NULL GROUP BY ROLLUP (rating) ORDER BY 1

--- cube without duplicates
SELECT rating, release_year, count(*) FROM film WHERE release_year >= 2020
GROUP BY DISTINCT CUBE (rating, release_year), ROLLUP (rating) ORDER BY 1, 2, 3

--- pivot with CASE
SELECT store_id, sum(CASE WHEN extract(year FROM r.rental_date) = 2024 THEN 1 ELSE 0 END) AS "2024",
       sum(CASE WHEN extract(year FROM r.rental_date) = 2025 THEN 1 ELSE 0 END) AS "2025"
FROM rental r JOIN inventory USING (inventory_id) GROUP BY store_id ORDER BY store_id

--- calendar with gaps filled
SELECT day::date, count(r.rental_id) AS rentals
FROM generate_series(DATE '2024-02-01', DATE '2024-02-29', INTERVAL '1 day') AS g(day)
LEFT JOIN rental r ON r.rental_date >= g.day AND r.rental_date < g.day + INTERVAL '1 day'
GROUP BY day ORDER BY day

--- recursive calendar
WITH RECURSIVE months(month) AS (
    SELECT DATE '2024-01-01' UNION ALL SELECT (month + INTERVAL '1 month')::date FROM months WHERE month < '2024-12-01'
)
SELECT month, to_char(month, 'FMMonth YYYY') FROM months

--- recursive walk with a cycle check
WITH RECURSIVE links(a, b) AS (VALUES (1, 2), (2, 3), (3, 1), (3, 4)),
walk(node, depth) AS (
    SELECT 1, 0 UNION ALL SELECT b, depth + 1 FROM walk JOIN links ON a = node
) CYCLE node SET is_cycle USING path
SELECT node, depth, is_cycle, path FROM walk ORDER BY depth, node

--- recursive tree, depth first
WITH RECURSIVE part(id, parent) AS (VALUES (1, NULL::int), (2, 1), (3, 1), (4, 2)),
tree AS (
    SELECT id, 1 AS level FROM part WHERE parent IS NULL
    UNION ALL SELECT p.id, t.level + 1 FROM part p JOIN tree t ON p.parent = t.id
) SEARCH DEPTH FIRST BY id SET place
SELECT repeat('  ', 3) || id, level FROM tree ORDER BY place

--- cohorts by month of registration
WITH first AS (SELECT customer_id, min(rental_date) AS first_rental FROM rental GROUP BY customer_id)
SELECT to_char(first_rental, 'YYYY-MM') AS cohort,
       extract(year FROM age(date_trunc('month', r.rental_date), date_trunc('month', first_rental))) * 12
         + extract(month FROM age(date_trunc('month', r.rental_date), date_trunc('month', first_rental))) AS month,
       count(DISTINCT r.customer_id) AS customers
FROM first JOIN rental r USING (customer_id) GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 80

--- gaps and islands
SELECT customer_id, min(day), max(day), count(*) FROM (
    SELECT customer_id, day, day - (row_number() OVER (PARTITION BY customer_id ORDER BY day))::int AS island
    FROM (SELECT DISTINCT customer_id, rental_date::date AS day FROM rental) d
) x GROUP BY customer_id, island HAVING count(*) > 2 ORDER BY 4 DESC, 1, 2 LIMIT 20

--- time between two rentals
SELECT customer_id, avg(gap) AS average_gap, max(gap) FROM (
    SELECT customer_id, rental_date - lag(rental_date) OVER (PARTITION BY customer_id ORDER BY rental_date) AS gap FROM rental
) g GROUP BY customer_id ORDER BY customer_id LIMIT 10

--- latest row of each group
SELECT DISTINCT ON (customer_id) customer_id, rental_id, rental_date, return_date
FROM rental ORDER BY customer_id, rental_date DESC, rental_id DESC LIMIT 40

--- lateral top one
SELECT s.store_id, best.title, best.rentals FROM store s CROSS JOIN LATERAL (
    SELECT f.title, count(*) AS rentals FROM rental JOIN inventory i USING (inventory_id) JOIN film f USING (film_id)
    WHERE i.store_id = s.store_id GROUP BY f.film_id, f.title ORDER BY rentals DESC, f.title LIMIT 1
) AS best ORDER BY s.store_id

--- histogram with equal buckets
SELECT width_bucket(length, 40, 200, 8) AS bucket, min(length), max(length), count(*) FROM film GROUP BY 1 ORDER BY 1

--- histogram with bounds
SELECT width_bucket(rental_rate, ARRAY[1, 2, 3, 4]::numeric[]) AS bucket, count(*) FROM film GROUP BY 1 ORDER BY 1

--- bars of a chart
SELECT rating, repeat('█', least(count(*) / 10, 100)::int) AS bar FROM film GROUP BY rating ORDER BY rating

--- padded to a width that is bounded
SELECT rpad(name, least(20, 2 * length(name))) || '|', lpad(category_id::text, 3, '0') FROM category ORDER BY name

--- quarter of an hour
SELECT date_bin('15 minutes', rental_date, '2024-01-01') AS slot, count(*) FROM rental
WHERE rental_date::date = '2024-03-05' GROUP BY slot ORDER BY slot

--- days of the week
SELECT trim(to_char(rental_date, 'Day')) AS weekday, extract(isodow FROM rental_date) AS n, count(*) FROM rental GROUP BY 1, 2 ORDER BY 2

--- date arithmetic
SELECT DATE '2024-02-28' + 2, DATE '2024-03-01' - DATE '2024-02-01', TIMESTAMP '2024-01-31' + INTERVAL '1 month',
       INTERVAL '1' YEAR, INTERVAL '1-2' YEAR TO MONTH, justify_interval(INTERVAL '40 days 30 hours'), TIME '10:00' + INTERVAL '90 minutes'

--- parts of a date
SELECT extract(epoch FROM TIMESTAMPTZ '2024-01-01 00:00+00'), date_part('week', DATE '2024-12-30'), extract(quarter FROM DATE '2024-05-01'),
       make_date(2024, 2, 29), to_date('31.12.2024', 'DD.MM.YYYY'), to_timestamp(0), isfinite(DATE 'infinity')

--- relative to today, without rows of today
SELECT count(*) FROM rental WHERE rental_date > now() + interval '100 years' OR rental_date::date > CURRENT_DATE + 36500
    OR rental_date > LOCALTIMESTAMP + make_interval(years => 100)

--- overlapping periods
SELECT count(*) FROM rental WHERE (rental_date, return_date) OVERLAPS (DATE '2024-06-01', INTERVAL '1 week')

--- ranges
SELECT count(*) FROM rental WHERE tstzrange(rental_date, return_date, '[)') && tstzrange('2024-06-01', '2024-06-02')

--- ranges taken apart
SELECT int4range(1, 10) * int4range(5, 20), lower(numrange(1.5, 2.5)), upper_inc('[1,2]'::numrange), range_agg(int4range(n, n + 2)), '{[1,3),[5,7)}'::int4multirange
FROM generate_series(1, 3) AS n

--- strings
SELECT upper(title), lower(title), initcap(title), left(title, 3), right(title, -3), reverse(title), length(title),
       split_part(title, ' ', 2), replace(title, 'A', '4'), concat_ws('-', film_id, rating, NULL, 'x'), translate(title, 'AEIOU', '*****')
FROM film ORDER BY film_id LIMIT 20

--- strings in the words of the standard
SELECT substring(title FROM 2 FOR 4), substring(title FROM '[A-Z]+$'), substring(title SIMILAR '%#"O%#"_' ESCAPE '#'), position('A' IN title),
       trim(LEADING 'A' FROM title), trim(BOTH FROM title), overlay(title PLACING 'xx' FROM 2 FOR 1), char_length(title), octet_length('€')
FROM film ORDER BY film_id LIMIT 20

--- regular expressions
SELECT title, regexp_replace(title, '(\w+)\s(\w+)', '\2, \1'), regexp_match(title, '^(.)(.)'), regexp_count(title, '[AEIOU]'), title ~* '^a', title !~ 'Z'
FROM film WHERE title ~ '^[A-C]' ORDER BY film_id LIMIT 20

--- words of the titles
SELECT word, count(*) FROM film, regexp_split_to_table(lower(title), '\s+') AS word GROUP BY word ORDER BY 2 DESC, 1 LIMIT 15

--- patterns
SELECT count(*) FROM film WHERE title LIKE 'A%' OR title ILIKE '%love%' OR title NOT SIMILAR TO '%(A|E)%' OR title LIKE '%#%' ESCAPE '#' OR starts_with(title, 'Z')

--- pattern of several
SELECT title FROM film WHERE title LIKE ANY (ARRAY['A%', 'B%']) AND title NOT LIKE ALL (ARRAY['%X%', '%Z%']) ORDER BY title LIMIT 10

--- format
SELECT format('%s has %s minutes (%-6s|%6s) 100%%', title, length, rating, film_id) FROM film ORDER BY film_id LIMIT 5

--- lists in one cell
SELECT rating, string_agg(DISTINCT left(title, 1), '' ORDER BY left(title, 1)), count(DISTINCT length) FROM film GROUP BY rating ORDER BY rating

--- escape strings and odd quotes
SELECT E'a\tb\\c', 'it''s', $$dollar 'quoted'$$, $q$with $$ in it$q$, U&'d\0061t\+000061', 'plain \ backslash', 'a'
       'b'

--- numbers of every spelling
SELECT 1_000_000, 0xFF, 0b101, 1.5e3, .5, 5., 1e-7::numeric, 1::numeric(10, 4), 12345678901234567890, -0.0::float8, 1e15::float8, 1e-5::float4

--- arithmetic
SELECT 7 / 2, 7 % 3, 2 ^ 10, |/ 25.0, ||/ 27.0, @ -5, 5 & 3, 5 | 3, 5 # 3, ~5, 1 << 4, 256 >> 2, round(2.567, 2), trunc(-1.5), ceil(1.2), floor(-1.2), mod(7, 3), div(7, 2), gcd(12, 18), lcm(4, 6), log(2, 8), ln(2.0), exp(1.0), power(2, 0.5), sqrt(2), cbrt(27), sign(-3), factorial(5), pi(), degrees(pi()), trim_scale(1.500), scale(1.500)

--- special numbers
SELECT 'NaN'::numeric, 'Infinity'::float8, '-Infinity'::float4, 0.1::float4, 0.1::float8 + 0.2::float8, 1::float8 / 3, avg(amount), sum(amount) / 3 FROM payment

--- money, bits and bytes
SELECT 12.5::numeric::money, B'1010' | B'0001', 5::bit(8), 'abc'::bytea, encode('abc'::bytea, 'hex'), md5('abc'), sha256('abc'::bytea), get_byte('abc'::bytea, 0), 'x'::bytea, ''::bytea, to_hex(255), chr(8364), ascii('A')

--- padded characters
SELECT 'ab'::char(5), 'ab'::char(5) || 'c', length('ab'::char(5)), 'x'::"char", 'y'::bpchar, NULL::char(3)

--- casts in every spelling
SELECT '1'::int, CAST('2.5' AS numeric(6, 3)), int4 '3', date '2024-01-01', bool 'yes', '{1,2}'::int[], 'PG'::mpaa_rating, '2024-01-01'::timestamptz(0), '1 day'::interval, '2020'::year, text 'a' COLLATE "C"

--- enum in its order
SELECT rating, count(*) FROM film WHERE rating > 'PG' GROUP BY rating ORDER BY rating

--- all values of an enum
SELECT unnest(enum_range(NULL::mpaa_rating)) AS rating, enum_first(NULL::mpaa_rating)

--- NULL in every way
SELECT coalesce(original_language_id, language_id), nullif(language_id, 1), original_language_id IS NULL, original_language_id IS NOT DISTINCT FROM NULL, NULL::text, '' AS empty, num_nulls(1, NULL), (length > 100) IS UNKNOWN
FROM film ORDER BY film_id LIMIT 15

--- least, greatest, case
SELECT greatest(length, 90), least(length, 90, NULL), CASE rating WHEN 'G' THEN 'all' WHEN 'R' THEN 'adults' END, CASE WHEN length < 60 THEN 'short' WHEN length < 120 THEN 'medium' ELSE 'long' END FROM film ORDER BY film_id LIMIT 15

--- between and in
SELECT count(*) FROM film WHERE length BETWEEN 60 AND 90 AND length NOT BETWEEN SYMMETRIC 80 AND 70 AND rating IN ('PG', 'R') AND release_year NOT IN (SELECT 2020 UNION SELECT 2021)

--- rows compared
SELECT film_id, title FROM film WHERE (rating, rental_rate) IN (('PG', 0.99), ('R', 4.99)) AND (length, film_id) > (100, 5) AND (rental_duration, language_id) IN (VALUES (3, 1), (5, 1)) ORDER BY 1 LIMIT 10

--- any, all, some
SELECT title FROM film WHERE length >= ALL (SELECT length FROM film WHERE length IS NOT NULL) OR film_id = ANY ('{1,2}') OR film_id = SOME (SELECT 3) ORDER BY title

--- arrays
SELECT special_features[1], special_features[1:2], array_length(special_features, 1), cardinality(special_features), 'Trailers' = ANY (special_features),
       special_features @> ARRAY['Trailers'], array_to_string(special_features, '; ', '-'), array_position(special_features, 'Commentaries'), special_features || 'more'::text
FROM film ORDER BY film_id LIMIT 15

--- arrays made and taken apart
SELECT ARRAY[[1, 2], [3, 4]], (ARRAY[10, 20, 30])[2], ARRAY(SELECT name FROM category ORDER BY name), array_remove(ARRAY[1, 2, 1], 1), string_to_array('a,b,,c', ',', ''), array_agg(x ORDER BY x DESC) FILTER (WHERE x > 1), (array_agg(x ORDER BY x))[1]
FROM unnest(ARRAY[3, 1, 2]) AS x

--- features counted
SELECT feature, count(*) FROM film CROSS JOIN unnest(special_features) AS feature GROUP BY feature ORDER BY 2 DESC, 1

--- several arrays side by side
SELECT * FROM unnest(ARRAY[1, 2, 3], ARRAY['a', 'b']) WITH ORDINALITY AS t(n, letter, place)

--- functions side by side
SELECT * FROM ROWS FROM (generate_series(1, 3), string_to_table('x,y', ',')) AS t(n, letter) ORDER BY n

--- set-returning in the list
SELECT film_id, unnest(special_features), generate_subscripts(special_features, 1) FROM film WHERE film_id < 6 ORDER BY 1, 3

--- json built
SELECT jsonb_build_object('title', title, 'minutes', length, 'features', special_features), to_jsonb(rating), json_build_array(1, 'a', NULL), to_jsonb(f) - 'fulltext' - 'last_update' FROM film f ORDER BY film_id LIMIT 5

--- json aggregated
SELECT jsonb_object_agg(name, category_id ORDER BY name), json_agg(name ORDER BY name), jsonb_agg(DISTINCT left(name, 1)) FROM category

--- json read
SELECT v -> 'a' -> 0, v ->> 'b', v #>> '{a,1}', v @> '{"b": "x"}', v ? 'c', v ?| ARRAY['a', 'z'], v @? '$.a[*] ? (@ > 1)', jsonb_path_query_array(v, '$.a[*]'), v['a'][1], jsonb_array_length(v -> 'a'), jsonb_typeof(v), jsonb_set(v, '{b}', '"y"'), v || '{"z": 1}', v #- '{a,0}', jsonb_pretty(v)
FROM (SELECT '{"a": [1, 2], "b": "x"}'::jsonb AS v) AS j

--- json to rows
SELECT key, value FROM jsonb_each_text('{"a": 1, "b": null}'::jsonb) UNION ALL SELECT 'x', elem #>> '{}' FROM jsonb_array_elements('[true, "t"]'::jsonb) AS elem

--- json to records
SELECT * FROM jsonb_to_recordset('[{"id": 1, "name": "a"}, {"id": 2}]') AS t(id int, name text) ORDER BY id

--- columns as rows
SELECT kv.key, kv.value FROM category c, LATERAL jsonb_each_text(to_jsonb(c) - 'last_update') AS kv WHERE c.category_id = 1 ORDER BY kv.key

--- SQL/JSON
SELECT json_object('a': 1, 'b': NULL ABSENT ON NULL), json_array(1, 2), json_value(jsonb '{"a": "5"}', '$.a' RETURNING int DEFAULT 0 ON EMPTY), json_query(jsonb '{"a": [1]}', '$.a'), json_exists(jsonb '{}', '$.a'), '[]' IS JSON ARRAY, json_arrayagg(n ORDER BY n), json_objectagg(n::text: n)
FROM generate_series(1, 3) AS n

--- JSON_TABLE
SELECT t.* FROM json_table('[{"n": 1, "kids": ["a", "b"]}, {"n": 2}]', '$[*]' COLUMNS (place FOR ORDINALITY, n int PATH '$.n', NESTED PATH '$.kids[*]' COLUMNS (kid text PATH '$'))) AS t

--- full text
SELECT title, round(ts_rank(fulltext, q)::numeric, 4) FROM film, websearch_to_tsquery('english', 'dog or robot') AS q WHERE fulltext @@ q ORDER BY 2 DESC, 1 LIMIT 10

--- full text with headline
SELECT ts_headline('english', description, plainto_tsquery('english', 'dog'), 'StartSel=<, StopSel=>') FROM film WHERE to_tsvector('english', description) @@ to_tsquery('english', 'dog:*') ORDER BY film_id LIMIT 5

--- union of two kinds of people
SELECT 'customer' AS kind, first_name, last_name FROM customer WHERE customer_id <= 3 UNION ALL SELECT 'staff', first_name, last_name FROM staff WHERE staff_id <= 3 ORDER BY kind, last_name, first_name

--- set operations nested
(SELECT first_name FROM customer INTERSECT SELECT first_name FROM actor) EXCEPT ALL SELECT first_name FROM staff ORDER BY 1 LIMIT 20

--- limit with ties
SELECT title, rental_rate, length FROM film ORDER BY length DESC NULLS LAST FETCH FIRST 3 ROWS WITH TIES

--- offset in the standard's words
SELECT name FROM category ORDER BY name OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY

--- self join
SELECT a.title, b.title FROM film a JOIN film b ON a.length = b.length AND a.film_id < b.film_id WHERE a.rating = 'G' AND b.rating = 'G' ORDER BY 1, 2 LIMIT 10

--- pairs who play together
SELECT a.actor_id, b.actor_id, count(*) FROM film_actor a INNER JOIN film_actor b USING (film_id) WHERE a.actor_id < b.actor_id GROUP BY 1, 2 HAVING count(*) > 3 ORDER BY 3 DESC, 1, 2 LIMIT 10

--- joins of every kind
SELECT count(*), count(l.language_id), count(f.film_id) FROM language l FULL OUTER JOIN film f ON f.language_id = l.language_id LEFT JOIN (film_category NATURAL JOIN category) ON true AND film_category.film_id = f.film_id CROSS JOIN (VALUES (1), (2)) AS v(n)

--- join with an alias for the shared column
SELECT j.film_id, i.inventory_id FROM film_category JOIN inventory i USING (film_id) AS j ORDER BY 2 LIMIT 10

--- joins in parentheses
SELECT count(*) FROM (film JOIN film_category USING (film_id)) LEFT JOIN (category c JOIN language l ON l.language_id = c.category_id) USING (category_id)

--- several CTEs, one materialised
WITH paid AS MATERIALIZED (SELECT customer_id, sum(amount) AS total FROM payment GROUP BY 1), best AS NOT MATERIALIZED (SELECT * FROM paid WHERE total > 100), named AS (SELECT c.first_name, b.total FROM best b JOIN customer c USING (customer_id))
SELECT * FROM named ORDER BY total DESC, first_name LIMIT 10

--- CTE that hides a table
WITH film AS (SELECT title, length FROM public.film WHERE length > 170) SELECT title, length FROM film ORDER BY title LIMIT 5

--- CTE inside a subquery
SELECT (WITH t AS (SELECT max(length) AS m FROM film) SELECT m FROM t) AS longest, x.n FROM (WITH t AS (SELECT count(*) AS n FROM actor) TABLE t) AS x

--- correlated subqueries
SELECT c.name, (SELECT count(*) FROM film_category fc WHERE fc.category_id = c.category_id) AS films, (SELECT max(f.title) FROM film f JOIN film_category USING (film_id) WHERE category_id = c.category_id) FROM category c ORDER BY films DESC, c.name

--- whole rows
SELECT count(c), count(c.*), count(DISTINCT c.store_id), (SELECT x FROM category x WHERE x.category_id = 1) = (SELECT x FROM category x WHERE x.category_id = 1) AS same FROM customer c

--- fields of a row
SELECT (c).name, (c).category_id FROM category AS c ORDER BY 2 LIMIT 3

--- columns named like functions
SELECT s.count, s.max, s.date, s.position, s.user, s.year FROM (SELECT count(*), max(length), 1 AS date, 2 AS position, 3 AS "user", 4 AS year FROM film) AS s

--- columns named like types that are refused
SELECT q.oid, q.xml, q.internal, q.trigger FROM (SELECT 1 AS oid, 'a' AS xml, true AS internal, 2 AS trigger) AS q

--- the same through a star
WITH q AS (SELECT 1 AS oid, 'a' AS xml), r AS (SELECT * FROM q) SELECT r.oid, s.xml FROM r, (SELECT * FROM r) AS s, (SELECT r.* FROM r JOIN category c ON true LIMIT 1) AS t

--- labels without AS and with odd names
SELECT title name, length "Länge (min)", rating "select", 1 value, 2 "a.b", 3 "x""y" FROM film ORDER BY film_id LIMIT 3

--- the same label twice, and none
SELECT count(*), count(*), 1, 'a', sum(1) AS count FROM category

--- columns with their schema
SELECT public.film.title, film.length FROM public.film ORDER BY public.film.film_id LIMIT 3

--- views
SELECT * FROM sales_by_store ORDER BY total_sales DESC

--- materialised view and a column with a blank
SELECT r.category, r.total_sales, (SELECT count(*) FROM customer_list WHERE "zip code" IS NULL) FROM rental_by_category AS r ORDER BY 2 DESC LIMIT 3

--- a partition by name
SELECT count(*), min(payment_date), max(payment_date) FROM payment_p2024_03

--- sample that is always the same
SELECT count(*) > 0 FROM rental TABLESAMPLE SYSTEM (50) REPEATABLE (7)

--- only this table
SELECT count(*) FROM ONLY film

--- values alone
VALUES (1, 'one'), (2, NULL), (3, '') ORDER BY 1 DESC

--- table command
TABLE category ORDER BY category_id LIMIT 3

--- no table at all
SELECT 1 + 1 AS two, current_date - current_date AS zero, now() = now() AS same, 'a' < 'b' COLLATE "C"

--- chance, used without showing
SELECT random() < 2 AS sure, length(gen_random_uuid()::text), count(*) FROM (SELECT title FROM film ORDER BY random() LIMIT 7) AS seven

--- buckets by a hash
SELECT abs(hashtext(title)) % 4 AS bucket, count(*) FROM film GROUP BY 1 ORDER BY 1

--- any of them
SELECT rating, any_value(language_id), bool_and(length > 0), bool_or(length > 180), every(film_id > 0), bit_or(rental_duration) FROM film GROUP BY rating ORDER BY rating

--- sizes and types
SELECT pg_typeof(amount), pg_size_pretty(1048576::bigint), pg_column_size(1), collation for ('a' COLLATE "C") FROM payment LIMIT 1

--- order by an expression and by a number
SELECT first_name, last_name FROM actor ORDER BY length(last_name) DESC, 2, last_name || first_name USING <, actor_id LIMIT 12

--- comments everywhere
/* what /* nested */ the chief asked */ SELECT -- the number
count(*) /* all */ FROM film -- of films
; -- done

--- scary words in honest text
SELECT 'DROP TABLE film; COMMIT;' AS advice, title AS "update", film_id AS "delete" FROM film WHERE description NOT ILIKE '%insert into%' AND title <> 'TRUNCATE' ORDER BY 3 LIMIT 3

--- people with names of many scripts
SELECT 'Łódź' || ' / ' || 'Ünïcode' || ' / ' || '東京' || ' / ' || 'Ωμέγα' || ' 🎬', upper('straße'), 'naïve' ILIKE 'NAÏVE', length('日本')

--- days late and the fee
SELECT r.rental_id, f.title, r.return_date::date - r.rental_date::date - f.rental_duration AS days_late, greatest(0, r.return_date::date - r.rental_date::date - f.rental_duration) * 1.00 AS fee
FROM rental r JOIN inventory i ON i.inventory_id = r.inventory_id JOIN film f ON f.film_id = i.film_id
WHERE r.return_date > r.rental_date + f.rental_duration * INTERVAL '1 day' ORDER BY 3 DESC, 1 LIMIT 15

--- seconds and hours between two times
SELECT avg(return_date - rental_date), avg(extract(epoch FROM return_date - rental_date) / 3600)::numeric(10, 2), percentile_cont(0.5) WITHIN GROUP (ORDER BY return_date - rental_date) FROM rental

--- times in another zone
SELECT rental_date AT TIME ZONE 'America/New_York', timezone('Asia/Tokyo', rental_date), rental_date AT TIME ZONE INTERVAL '-03:30', to_char(rental_date, 'YYYY-MM-DD"T"HH24:MI:SSOF') FROM rental ORDER BY rental_id LIMIT 5

--- geometry and networks
SELECT point(1, 2) <-> point(4, 6), box '(0,0),(1,1)' @> point '(0.5,0.5)', host(inet '10.0.0.1/24'), inet '10.0.0.1' << inet '10.0.0.0/8', macaddr '08:00:2b:01:02:03'

--- uuids and their order
SELECT uuid 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' < 'b0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid, 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid

--- a division by zero is the server's to say
SELECT 1 / (film_id - film_id) FROM film

--- a bad date is the server's to say
SELECT '2024-02-30'::date

--- a cast that fails on the data is the server's to say
SELECT title::int FROM film

--- a missing column is the server's to say
SELECT titel FROM film

--- a missing GROUP BY is the server's to say
SELECT rating, count(*) FROM film
