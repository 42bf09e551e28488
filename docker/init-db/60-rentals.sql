-- Discs, rentals and payments.

-- Demand for a film falls with its place in a shuffled ranking, about as 1 / rank.
CREATE TABLE seed.demand AS
SELECT film_id, category_id, appeal * (6 + 2800 / (42 + (film_id * 379 + 50) % (SELECT count(*) FROM seed.title))) / 100 AS demand
FROM seed.title;

-- Each store has one to eight copies of what is asked for, and nothing of a few dozen titles.
CREATE TABLE seed.disc AS
SELECT row_number() OVER (ORDER BY film_id, store_id, copy) AS inventory_id, film_id, store_id, category_id, demand
FROM seed.demand
CROSS JOIN (VALUES (1, 100), (2, 85), (3, 65)) AS store (store_id, size)
CROSS JOIN LATERAL generate_series(1, least(8, 1 + demand * size / 2600 + seed.draw('spare', film_id * 3 + store_id, 2))) AS copy
WHERE film_id % 25 <> 11 AND seed.draw('stocked', film_id * 3 + store_id, 100) < size;

INSERT INTO inventory (inventory_id, film_id, store_id, last_update)
SELECT inventory_id, film_id, store_id, seed.taken() FROM seed.disc ORDER BY inventory_id;

-- How many rentals each day brings: weekly and yearly seasons, slow growth, some chance.
CREATE TABLE seed.day AS
SELECT day::date, row_number() OVER (ORDER BY day) AS nr,
    CASE WHEN to_char(day, 'MM-DD') IN ('01-01', '12-25') THEN 0
         ELSE (('{74,66,72,84,136,164,120}'::integer[])[extract(isodow FROM day)::integer]
             * ('{114,106,98,92,86,78,86,88,92,102,112,130}'::integer[])[extract(month FROM day)::integer]
             * (84 + 34 * row_number() OVER (ORDER BY day) / 731)
             * (85 + seed.draw('weather', row_number() OVER (ORDER BY day), 31)) / 450000 + 5) / 10 END AS rentals
FROM generate_series(timestamp '2024-01-01', timestamp '2025-12-31', interval '1 day') AS day;

-- The simulation: in the order of time, a customer comes in and asks for films until one is there.
-- Nobody rents before registering or after leaving, and no disc is in two places at once.
DO $$
DECLARE
    people integer[];   -- customer ids, each as often as the customer is keen
    shelf integer[];    -- disc ids, each as often as its film is wanted, store after store
    first_ticket integer[];
    tickets integer[];
    disc_film integer[] := (SELECT array_agg(film_id ORDER BY inventory_id) FROM seed.disc);
    disc_genre integer[] := (SELECT array_agg(category_id ORDER BY inventory_id) FROM seed.disc);
    free_at timestamptz[] := (SELECT array_agg(timestamptz '2020-01-01 00:00+00' ORDER BY inventory_id) FROM seed.disc);
    home integer[] := (SELECT array_agg(store_id ORDER BY customer_id) FROM seed.person);
    joined date[] := (SELECT array_agg(create_date ORDER BY customer_id) FROM seed.person);
    left_on date[] := (SELECT array_agg(coalesce(person.left_on, date '2100-01-01') ORDER BY customer_id) FROM seed.person);
    keep integer[] := (SELECT array_agg(rental_duration::integer ORDER BY film_id) FROM film);
    demand_of integer[] := (SELECT array_agg((SELECT array_agg(least(100, m * (100 + trend * y) / 100) ORDER BY y, i)
        FROM generate_series(0, 1) AS y, unnest(months) WITH ORDINALITY AS u (m, i)) ORDER BY category_id) FROM seed.genre);
    visit record;
    n bigint := 0;
    who integer;
    shop integer;
    disc integer;
    days integer;
    back timestamptz;
BEGIN
    SET LOCAL timezone = 'UTC';
    SELECT array_agg(customer_id ORDER BY customer_id, t) INTO people
    FROM seed.person, generate_series(1, keenness) AS t;
    SELECT array_agg(inventory_id ORDER BY store_id, inventory_id, t) INTO shelf
    FROM seed.disc, generate_series(1, demand) AS t;
    SELECT array_agg(total ORDER BY store_id), array_agg(before ORDER BY store_id) INTO tickets, first_ticket
    FROM (SELECT store_id, sum(demand)::integer AS total,
              (sum(sum(demand)) OVER (ORDER BY store_id) - sum(demand))::integer AS before
          FROM seed.disc GROUP BY store_id) AS stores;

    FOR visit IN
        SELECT day, month, at FROM seed.day
        CROSS JOIN LATERAL (SELECT 12 * (extract(year FROM day)::integer - 2024) + extract(month FROM day)::integer AS month) AS m
        CROSS JOIN LATERAL generate_series(1, rentals) AS k
        CROSS JOIN LATERAL (SELECT day::timestamptz
            + make_interval(hours => seed.pick('hour', nr * 100 + k, '{10,11,12,13,14,15,16,16,17,17,17,18,18,18,18,19,19,19,20}'::integer[]),
                mins => seed.draw('minute', nr * 100 + k, 60), secs => seed.draw('second', nr * 100 + k, 60)) AS at) AS clock
        ORDER BY at, k
    LOOP
        n := n + 1;
        FOR attempt IN 1 .. 40 LOOP
            who := people[1 + seed.draw('who rents', n * 64 + attempt, cardinality(people))];
            CONTINUE WHEN joined[who] > visit.day OR left_on[who] <= visit.day;
            shop := home[who];
            IF seed.draw('elsewhere', n * 64 + attempt, 100) < 6 THEN
                shop := 1 + shop % 3;
            END IF;
            -- Leeds is not open yet, or Porto is closed for repairs.
            CONTINUE WHEN shop = 3 AND visit.day < date '2024-04-01'
                OR shop = 2 AND visit.day BETWEEN date '2024-09-02' AND date '2024-09-15';
            disc := shelf[1 + first_ticket[shop] + seed.draw('asks for', n * 64 + attempt, tickets[shop])];
            CONTINUE WHEN free_at[disc] > visit.at
                OR seed.draw('in the mood', n * 64 + attempt, 100) >= demand_of[disc_genre[disc]][visit.month];
            days := keep[disc_film[disc]];
            IF seed.draw('late', n, 100) < 17 THEN
                days := days + 1 + least(seed.draw('late by', n, 12), seed.draw('or by', n, 12));
            ELSE
                days := 1 + seed.draw('days', n, days);
            END IF;
            back := visit.day::timestamptz + make_interval(days => days, hours => 9 + seed.draw('back at', n, 12),
                mins => seed.draw('back minute', n, 60), secs => seed.draw('back second', n, 60));
            IF seed.draw('lost', n, 1000) < 5 THEN
                back := 'infinity';
            END IF;
            free_at[disc] := back;
            INSERT INTO rental (rental_id, rental_date, inventory_id, customer_id, return_date, staff_id, last_update)
            VALUES (n, visit.at, disc, who, CASE WHEN back < seed.taken() THEN back END,
                CASE shop WHEN 1 THEN CASE WHEN visit.day < date '2025-04-01' THEN 1 + seed.draw('till', n, 3) ELSE 1 + seed.draw('till', n, 2) END
                    WHEN 2 THEN 4 + seed.draw('till', n, 2) ELSE 6 + seed.draw('till', n, 2) END,
                seed.taken());
            EXIT;
        END LOOP;
    END LOOP;
END $$;

-- Customers pay when they bring the disc back; a few still owe. A dozen payments are for gift cards.
INSERT INTO payment (payment_id, customer_id, staff_id, rental_id, amount, payment_date)
SELECT row_number() OVER (ORDER BY payment_date, rental_id, customer_id), customer_id, staff_id, rental_id, amount, payment_date
FROM (
    SELECT customer_id,
        CASE store_id WHEN 1 THEN CASE WHEN return_date < '2025-04-01 00:00+00' THEN 1 + seed.draw('paid to', rental_id, 3) ELSE 1 + seed.draw('paid to', rental_id, 2) END
            WHEN 2 THEN 4 + seed.draw('paid to', rental_id, 2) ELSE 6 + seed.draw('paid to', rental_id, 2) END AS staff_id,
        rental_id,
        rental_rate + greatest(0, (return_date AT TIME ZONE 'UTC')::date - (rental_date AT TIME ZONE 'UTC')::date - rental_duration) AS amount,
        return_date AS payment_date
    FROM rental JOIN inventory USING (inventory_id) JOIN film USING (film_id)
    WHERE return_date IS NOT NULL AND rental_id % 640 <> 123
    UNION ALL
    SELECT customer_id, 1 + customer_id % 2 * 3, NULL, amount, paid
    FROM (VALUES
        (14, 25.00, '2024-02-13 16:05:11+00'::timestamptz), (233, 50.00, '2024-06-21 11:40:02+00'),
        (88, 10.00, '2024-11-29 18:22:47+00'), (305, 25.00, '2024-12-14 15:31:08+00'),
        (61, 50.00, '2024-12-20 17:02:55+00'), (190, 25.00, '2024-12-21 12:48:30+00'),
        (352, 10.00, '2025-02-12 19:15:21+00'), (127, 25.00, '2025-05-09 14:09:44+00'),
        (14, 25.00, '2025-11-28 16:55:13+00'), (279, 50.00, '2025-12-13 13:20:36+00'),
        (402, 25.00, '2025-12-19 18:41:59+00'), (61, 50.00, '2025-12-22 10:33:27+00')
    ) AS gift (customer_id, amount, paid)
) AS receipt;
