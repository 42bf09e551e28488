-- Queries that never end, or not soon, or that spill to the server's disk.

-- cross join
SELECT count(*) FROM rental a, rental b, rental c;

-- cross join of rows
SELECT * FROM rental a, rental b, rental c ORDER BY 1 LIMIT 5;

-- series squared
SELECT count(*) FROM generate_series(1, 3000000) a, generate_series(1, 3000000) b;

-- endless recursion
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r;

-- endless recursion of rows
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT n FROM r WHERE n < 0;

-- exponential recursion
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r, generate_series(1, 10) g) SELECT
count(*) FROM r;

-- lateral explosion
SELECT count(*) FROM film f, LATERAL (SELECT 1 FROM film g, LATERAL (SELECT 1 FROM rental r WHERE
r.rental_id > g.film_id + f.film_id) x) y;

-- correlated for each row
SELECT a.rental_id, (SELECT count(*) FROM rental b WHERE b.rental_date < a.rental_date) FROM rental
a ORDER BY 2 DESC LIMIT 5;

-- like over a cross join
SELECT count(*) FROM film a, film b, film c WHERE a.description LIKE '%a%b%c%d%e%' AND b.description
LIKE '%q%w%e%' AND c.description ILIKE '%z%x%';

-- regex with back references
SELECT repeat('a', 5000) ~ '^(a+)(a+)(a+)(a+)\1\2\3\4b$';

-- regex with nested quantifiers
SELECT repeat('a', 9000) ~ '((a?){200}){200}b' FROM generate_series(1, 1000);

-- regex of many alternatives
SELECT string_agg(description, ' ') ~ ('(' || string_agg(description, '|') || '){9}x') FROM film;

-- regex from the data
SELECT count(*) FROM film a, film b WHERE a.description ~ ('(' || b.description || ')*?z');

-- regex with wide counts
SELECT 'a' ~ '(((a{1,100}){1,100}){1,100}){1,100}';

-- regexp_replace of a long text
SELECT length(regexp_replace(repeat('ab', 5000), '(a|b|ab)*?c', 'x', 'g')) FROM generate_series(1,
1000);

-- regexp_matches of all
SELECT count(*) FROM film a, film b, regexp_matches(repeat(a.title, 500), '.', 'g') m;

-- power with huge digits
SELECT power(9.999999999::numeric, 100000);

-- power with a broken exponent
SELECT (1.000000000000000001 ^ (12345678901234567890.5 * (n % 3 + 1)))::text FROM generate_series(1,
1000000) n;

-- factorial
SELECT factorial(30000);

-- factorial of many
SELECT factorial(n) FROM generate_series(30000, 32000) n;

-- exp with huge digits
SELECT exp(5999.999::numeric(1000, 900));

-- logarithm with huge digits
SELECT ln((repeat('9', 10000) || '.' || repeat('7', 9000))::numeric) FROM generate_series(1, 1000);

-- square root of many digits
SELECT sqrt((repeat('9', 10000) || '.' || repeat('9', 10000))::numeric * n) FROM generate_series(1,
9000) n ORDER BY 1;

-- square root of huge digits
SELECT sqrt(10::numeric ^ 130000 + n) FROM film, generate_series(1, 9) n;

-- product of huge digits
SELECT (9.9::numeric ^ 120000 * 8.8::numeric ^ 7000)::text FROM generate_series(1, 1000);

-- gcd of huge digits
SELECT gcd(7::numeric ^ 150000, 3::numeric ^ 250000);

-- squaring in recursion
WITH RECURSIVE r(n, v) AS (SELECT 1, 7::numeric UNION ALL SELECT n + 1, v * v FROM r WHERE n < 18)
SELECT length(v::text) FROM r;

-- window over a cross join
SELECT a.rental_id, rank() OVER (ORDER BY a.rental_date, b.rental_date) FROM rental a, rental b;

-- sliding window
SELECT max(s) FROM (SELECT array_length(array_agg(rental_id) OVER (ORDER BY rental_id ROWS BETWEEN
5000 PRECEDING AND 5000 FOLLOWING), 1) AS s FROM rental) x;

-- cube of twelve
SELECT count(*) FROM (SELECT 1 FROM rental a, generate_series(1, 100) g GROUP BY CUBE ((rental_id +
g) % 2, (rental_id + g) % 3, (rental_id + g) % 4, (rental_id + g) % 5, (rental_id + g) % 6,
(rental_id + g) % 7, (rental_id + g) % 8, (rental_id + g) % 9, (rental_id + g) % 10, (rental_id + g)
% 11, (rental_id + g) % 12, (rental_id + g) % 13)) x;

-- date series without an end
SELECT count(*) FROM generate_series('0001-01-01'::timestamp, '290000-01-01'::timestamp, interval '1
microsecond') d;

-- sort that spills
SELECT a.*, b.* FROM rental a, rental b ORDER BY random();

-- hash that spills
SELECT count(*) FROM (SELECT DISTINCT a.rental_id, b.rental_id AS b, repeat('x', 1000) AS pad FROM
rental a, rental b) x;

-- materialised with that spills
WITH m AS MATERIALIZED (SELECT a.rental_id, repeat('x', 1000) AS pad FROM rental a, rental b) SELECT
count(*) FROM m x, m y;

-- ten million rows
SELECT g, g * 2, md5(g::text) FROM generate_series(1, 10000000) g;

-- ten million rows joined
SELECT r.rental_id, s.n FROM rental r CROSS JOIN (SELECT row_number() OVER () AS n FROM rental a,
rental b LIMIT 10000000) s;

-- a slow plan and a slow run
SELECT factorial(32000) > factorial(31000), count(*) FROM rental a, rental b, rental c;

-- a slow plan and a huge row
SELECT factorial(30000) > 0, string_agg(repeat('x', 10000), '') FROM generate_series(1, 9000);

-- a slow plan, then rows without an end
SELECT factorial(30000) > 0, a.*, b.* FROM rental a, rental b ORDER BY a.rental_date - b.rental_date;
