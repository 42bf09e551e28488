SELECT count(*) FROM film;

SELECT title, length FROM film WHERE length > 120 ORDER BY length DESC, title LIMIT 10;

SELECT rating, count(*) AS films, round(avg(length), 1) AS minutes FROM film GROUP BY rating ORDER BY films DESC;

SELECT c.name, count(*) AS films
FROM category c JOIN film_category fc USING (category_id)
GROUP BY c.name HAVING count(*) > 50 ORDER BY 2 DESC;

SELECT date_trunc('month', payment_date)::date AS month, sum(amount) AS revenue
FROM payment GROUP BY 1 ORDER BY 1;

SELECT s.store_id, ci.city, sum(p.amount) AS revenue
FROM payment p JOIN staff s ON s.staff_id = p.staff_id JOIN store st ON st.store_id = s.store_id
JOIN address a ON a.address_id = st.address_id JOIN city ci ON ci.city_id = a.city_id
GROUP BY s.store_id, ci.city;

WITH monthly AS (
  SELECT date_trunc('month', payment_date) AS month, sum(amount) AS revenue FROM payment GROUP BY 1
)
SELECT month, revenue, revenue - lag(revenue) OVER (ORDER BY month) AS change FROM monthly ORDER BY month;

SELECT first_name || ' ' || last_name AS name, count(*) AS rentals
FROM customer JOIN rental USING (customer_id) GROUP BY customer_id, first_name, last_name
ORDER BY rentals DESC FETCH FIRST 5 ROWS ONLY;

SELECT f.title FROM film f LEFT JOIN inventory i ON i.film_id = f.film_id WHERE i.inventory_id IS NULL;

SELECT title FROM film WHERE 'Trailers' = ANY (special_features) AND rating IN ('PG', 'G') LIMIT 7;

SELECT * FROM (SELECT title, rental_rate, rank() OVER (PARTITION BY rating ORDER BY rental_rate DESC, title) AS place FROM film) q WHERE place <= 3;

SELECT co.country, count(DISTINCT cu.customer_id) FROM country co, city ci, address a, customer cu
WHERE ci.country_id = co.country_id AND a.city_id = ci.city_id AND cu.address_id = a.address_id
GROUP BY co.country ORDER BY 2 DESC LIMIT 10;

SELECT extract(hour FROM rental_date) AS hour, count(*) FROM rental GROUP BY 1 ORDER BY 1;

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) AS median, avg(amount), max(amount) FROM payment;

SELECT avg(return_date - rental_date) FROM rental WHERE return_date IS NOT NULL;

SELECT count(*) FILTER (WHERE return_date IS NULL) AS open, count(*) AS total FROM rental;

SELECT a.last_name, array_agg(f.title ORDER BY f.title) FROM actor a JOIN film_actor fa USING (actor_id)
JOIN film f USING (film_id) WHERE a.actor_id < 4 GROUP BY a.actor_id, a.last_name;

SELECT to_char(payment_date, 'YYYY-MM') AS m, sum(amount)::numeric(12,2) FROM payment GROUP BY ROLLUP (1);

SELECT rating, release_year, count(*) FROM film GROUP BY GROUPING SETS ((rating), (release_year), ());

SELECT title FROM film WHERE title ILIKE '%a%' AND NOT title LIKE 'B%' AND length BETWEEN 60 AND 90;

SELECT CASE WHEN length < 60 THEN 'short' WHEN length < 120 THEN 'medium' ELSE 'long' END AS kind, count(*) FROM film GROUP BY 1;

SELECT title, ts_rank(fulltext, q) FROM film, websearch_to_tsquery('english', 'robot -dog') q WHERE fulltext @@ q LIMIT 5;

SELECT d::date AS day, count(r.rental_id) FROM generate_series(DATE '2025-01-01', DATE '2025-01-31', interval '1 day') AS g(d)
LEFT JOIN rental r ON r.rental_date::date = d::date GROUP BY 1 ORDER BY 1;

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) SELECT i, sum(i) OVER (ORDER BY i) FROM n;

SELECT * FROM customer_list LIMIT 3;

SELECT category, total_sales FROM sales_by_film_category ORDER BY total_sales DESC;

SELECT title, price, rating FROM film_list WHERE category = 'Comedy' LIMIT 5;

TABLE language;

VALUES (1, 'one'), (2, 'two');

SELECT v.label FROM (VALUES (1, 'a'), (2, 'b')) AS v(id, label) ORDER BY v.id;

SELECT name FROM category UNION ALL SELECT name FROM language EXCEPT SELECT 'English' ORDER BY 1;

SELECT f.title, x.n FROM film f CROSS JOIN LATERAL (SELECT count(*) AS n FROM inventory i WHERE i.film_id = f.film_id) x WHERE f.film_id < 10;

SELECT c.customer_id FROM customer c WHERE EXISTS (SELECT 1 FROM rental r WHERE r.customer_id = c.customer_id AND r.return_date IS NULL) LIMIT 4;

SELECT jsonb_build_object('title', title, 'length', length) FROM film WHERE film_id = 1;

SELECT json_agg(q) FROM (SELECT title, rating FROM film ORDER BY film_id LIMIT 3) q;

SELECT (json_each('{"a": 1}')).key, j.value FROM json_each('{"b": [1, 2]}') AS j;

SELECT t.a, t.c FROM json_table('[{"a": 1, "b": [{"c": "x"}]}]', '$[*]' COLUMNS (a int PATH '$.a', NESTED PATH '$.b[*]' COLUMNS (c text PATH '$.c'))) AS t;

SELECT json_value('{"a": 1}', '$.a' RETURNING int DEFAULT 0 ON EMPTY), json_query(jsonb '[1]', '$' WITH WRAPPER), json_exists(jsonb '[]', '$[0]');

SELECT json_object('a': 1, 'b': 2), json_array(1, 2), '{}' IS JSON OBJECT;

SELECT DISTINCT ON (customer_id) customer_id, amount FROM payment ORDER BY customer_id, amount DESC LIMIT 5;

SELECT (ARRAY[1, 2, 3])[2], ARRAY(SELECT name FROM category ORDER BY 1), special_features[1] FROM film LIMIT 2;

SELECT coalesce(postal_code, 'none'), nullif(district, ''), greatest(1, 2), least(1, 2) FROM address LIMIT 3;

SELECT email, split_part(email, '@', 2), upper(left(first_name, 1)), length(last_name) FROM customer LIMIT 3;

SELECT regexp_replace(title, '[aeiou]', '*', 'gi'), substring(title FROM 1 FOR 3), position('A' IN title) FROM film LIMIT 3;

SELECT current_date - interval '1 month', now()::date, age(DATE '2025-01-01', DATE '2024-01-01');

SELECT daterange('2025-01-01', '2025-02-01') @> payment_date::date AS inside, count(*) FROM payment GROUP BY 1;

SELECT count(*) FROM rental r TABLESAMPLE bernoulli (10) REPEATABLE (1);

SELECT row_number() OVER w, ntile(4) OVER w, sum(amount) OVER (w ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM payment WHERE customer_id = 1 WINDOW w AS (ORDER BY payment_id);

SELECT f.* FROM film AS f WHERE f.film_id = (SELECT max(film_id) FROM film);

SELECT "title" AS "Title of the film", film_id AS "select" FROM public.film LIMIT 2;

SELECT 'It''s', E'tab\there', U&'d\0061ta', $$dollar 'quoted'$$, $x$a$x$, B'101', X'1F', 1e3, .5;

SELECT /* a comment /* nested */ */ 1 -- to the end
AS one;

SELECT 'a'
'b' AS joined;

SELECT format('%s (%s)', title, rating) FROM film LIMIT 2;

SELECT corr(length, rental_rate), stddev(length), regr_slope(length, rental_rate) FROM film;

SELECT ROW(1, 'a') = ROW(1, 'a'), (1, 2) < (1, 3), (1, 2) IN (SELECT 1, 2);

SELECT rental_date AT TIME ZONE 'Europe/Berlin', payment_date::timestamp FROM rental JOIN payment USING (rental_id) LIMIT 2;

SELECT * FROM unnest(ARRAY['a', 'b'], ARRAY[1, 2]) WITH ORDINALITY AS t(v, w, n);

SELECT * FROM ROWS FROM (generate_series(1, 2), unnest(ARRAY[5, 6, 7])) AS t(a, b);

SELECT string_agg(name, ', ' ORDER BY name) FROM category WHERE name COLLATE "C" < 'F';

SELECT title FROM film ORDER BY length USING >, title USING < LIMIT 2;

SELECT 2 OPERATOR(pg_catalog.+) 3, -5 % 3, 2 ^ 3, 7 & 3, |/ 25.0, @ -1, 5 # 3, ~ 1;

SELECT name, (SELECT count(*) FROM film_category fc WHERE fc.category_id = c.category_id) FROM category c;

SELECT to_jsonb(f) - 'fulltext' FROM film f WHERE film_id = 2;

SELECT c.*, (c).name, (c.name) FROM category c LIMIT 1;

SELECT make_interval(days => 3), make_date(2025, 1, 31), overlay('abcdef' PLACING 'x' FROM 2);

SELECT width_bucket(length, 40, 190, 5) AS bucket, count(*) FROM film GROUP BY bucket ORDER BY bucket;

SELECT 'PG'::mpaa_rating > 'G', enum_range(NULL::mpaa_rating), 'R'::public.mpaa_rating::text;

WITH a AS MATERIALIZED (SELECT film_id, title FROM film WHERE film_id < 5), b AS (SELECT * FROM a WHERE film_id > 1) SELECT b.title FROM b JOIN a USING (film_id);

WITH RECURSIVE t(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM t WHERE a < 3) SEARCH DEPTH FIRST BY a SET o CYCLE a SET c USING p SELECT * FROM t;
