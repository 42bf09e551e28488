-- Addresses, stores, staff and customers.

CREATE FUNCTION seed.street(n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT 1 + seed.draw('house', n, 180) || ' '
        || seed.pick('street', n, seed.words('Mill,Chestnut,Harbour,Station,Garden,Church,Linden,River,Market,Cherry,Castle,Bridge,School,Orchard,Abbey,Meadow,Poplar,Fountain,Lantern,Windmill,Baker,Cooper,Saffron,Willow')) || ' '
        || seed.pick('kind', n, seed.words('Street,Street,Street,Road,Road,Lane,Avenue,Square,Row,Quay'))
$$;

CREATE FUNCTION seed.district(n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT seed.pick('district', n, seed.words('Old Town,Old Town,Harbourside,Northgate,Westend,Riverside,Hillside,University,Station Quarter,Southfields,New Town,Gardens'))
$$;

-- A name in the letters a to z, for e-mail addresses: take the marks off, spell out what is left.
CREATE FUNCTION seed.plain(name text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT regexp_replace(lower(
        replace(translate(regexp_replace(normalize(name, NFD), '[\u0300-\u036F]', '', 'g'), 'ŁłØøĐđıŐ', 'LlOoDdiO'), 'ß', 'ss')),
        '[^a-z]', '', 'g')
$$;

INSERT INTO address (address_id, address, address2, district, city_id, postal_code, phone, last_update)
SELECT n, seed.street(n), NULL, seed.district(n), city_id,
    lpad(seed.draw('postal', n, 100000)::text, 5, '0'), '+' || country_code || ' ' || 200 + seed.draw('area', n, 700) || ' ' || lpad(seed.draw('phone', n, 1000000)::text, 6, '0'), seed.taken()
FROM (VALUES
    (1, 'Bremen', 'Germany', '49'), (2, 'Porto', 'Portugal', '351'), (3, 'Leeds', 'United Kingdom', '44'),
    (4, 'Bremen', 'Germany', '49'), (5, 'Oldenburg', 'Germany', '49'), (6, 'Bremen', 'Germany', '49'),
    (7, 'Porto', 'Portugal', '351'), (8, 'Braga', 'Portugal', '351'), (9, 'Leeds', 'United Kingdom', '44'),
    (10, 'York', 'United Kingdom', '44')
) AS given (n, city, country, country_code)
JOIN country USING (country) JOIN city USING (country_id, city)
ORDER BY n;

INSERT INTO store (store_id, manager_staff_id, address_id, last_update)
VALUES (1, 1, 1, seed.taken()), (2, 4, 2, seed.taken()), (3, 6, 3, seed.taken());

INSERT INTO staff (staff_id, first_name, last_name, address_id, email, store_id, active, username, last_update)
SELECT n, first_name, last_name, n + 3, username || '@rentals.example', store_id, active, username, seed.taken()
FROM (VALUES
    (1, 'Antje', 'Böhm', 1, true, 'antje'), (2, 'Karim', 'Haddad', 1, true, 'karim'),
    (3, 'Jonas', 'Petersen', 1, false, 'jonas'), (4, 'Leonor', 'Magalhães', 2, true, 'leonor'),
    (5, 'Tiago', 'Simões', 2, true, 'tiago'), (6, 'Grace', 'Holloway', 3, true, 'grace'),
    (7, 'Declan', 'O''Brien', 3, true, 'declan')
) AS given (n, first_name, last_name, store_id, active, username);

-- Who a customer will be: place of living, day of registration, home store, and how keen on films.
-- Ranks are shuffled (241 and 600 have no common factor), so that keenness follows no id.
CREATE TABLE seed.person AS
WITH place_ticket AS (
    SELECT row_number() OVER (ORDER BY country_id, t) - 1 AS nr, country_id, names, cities
    FROM seed.place, generate_series(1, weight) AS t
), drawn AS (
    SELECT n, (n * 241 + 17) % 600 AS rank,
        seed.draw('country', n, (SELECT count(*)::integer FROM place_ticket)) AS nr,
        CASE WHEN n <= 390 THEN date '2023-02-01' + (n * 333 / 390)
             ELSE date '2024-01-01' + ((n - 391) * 729 / 210) END AS create_date
    FROM generate_series(1, 600) AS n
)
SELECT n AS customer_id, create_date, country_id, names, seed.pick('city', n, cities) AS city,
    rank, CASE WHEN rank % 67 = 66 THEN 0 ELSE 12 + 2500 / (rank + 20) END AS keenness,
    CASE WHEN seed.draw('left', n, 100) < 6 AND create_date < date '2025-09-01'
         THEN greatest(create_date + 60, date '2024-05-01' + seed.draw('left on', n, 540)) END AS left_on,
    CASE WHEN create_date < date '2024-03-15' AND usual_store = 3 THEN 1 + seed.draw('other store', n, 2)
         WHEN create_date >= date '2024-03-15' AND seed.draw('store', n, 100) < 45 THEN 3
         ELSE usual_store END AS store_id
FROM drawn JOIN place_ticket USING (nr)
CROSS JOIN LATERAL (
    SELECT CASE WHEN seed.draw('far from home', n, 100) < 25 THEN 1 + seed.draw('any store', n, 3)
         WHEN names IN ('german', 'dutch', 'nordic', 'polish', 'czech', 'baltic', 'russian', 'turkish', 'balkan', 'chinese', 'japanese') THEN 1
         WHEN names IN ('english', 'irish', 'indian', 'southern') THEN 3
         ELSE 2 END AS usual_store
) AS habit;

INSERT INTO address (address_id, address, address2, district, city_id, postal_code, phone, last_update)
SELECT customer_id + 10, seed.street(customer_id + 10),
    CASE WHEN seed.draw('flat', customer_id, 100) < 12 THEN 'Flat ' || 1 + seed.draw('flat number', customer_id, 40) END,
    seed.district(customer_id + 10), city_id,
    CASE WHEN customer_id % 150 <> 77 THEN lpad(seed.draw('postal', customer_id + 10, 100000)::text, 5, '0') END,
    '+' || 20 + seed.draw('code', country_id, 79) || ' ' || 200 + seed.draw('area', customer_id + 10, 700) || ' ' || lpad(seed.draw('phone', customer_id + 10, 1000000)::text, 6, '0'),
    seed.taken()
FROM seed.person JOIN city USING (country_id, city)
ORDER BY customer_id;

-- Within a naming, each customer gets the next of all its pairs of names, in steps that mix them well:
-- no two customers share a name, but for a pair of namesakes (118 and 512).
CREATE TABLE seed.customer_name AS
SELECT customer_id, first_names[1 + pair / last] AS first_name, last_names[1 + pair % last] AS last_name
FROM (
    SELECT customer_id, first_names, last_names, cardinality(last_names) AS last,
        (row_number() OVER (PARTITION BY names ORDER BY customer_id) * 89 + length(names) * 7)
            % (cardinality(first_names) * cardinality(last_names)) AS pair
    FROM seed.person JOIN seed.naming USING (names)
) AS numbered;

INSERT INTO customer (customer_id, store_id, first_name, last_name, email, address_id, activebool, create_date, last_update, active)
SELECT p.customer_id, store_id, first_name, last_name,
    CASE WHEN seed.draw('no email', p.customer_id, 100) >= 7
         THEN seed.plain(first_name) || '.' || seed.plain(last_name) || p.customer_id || '@'
             || seed.pick('mail', p.customer_id, seed.words('example.com,example.org,example.net,mail.example')) END,
    p.customer_id + 10, left_on IS NULL, create_date, seed.taken(),
    CASE WHEN create_date < date '2025-01-01' THEN (left_on IS NULL)::integer END
FROM seed.person p
JOIN seed.customer_name n ON n.customer_id = CASE p.customer_id WHEN 512 THEN 118 ELSE p.customer_id END
ORDER BY p.customer_id;
