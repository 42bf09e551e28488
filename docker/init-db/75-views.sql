-- Views for people who do not want to join. They read with the rights of whoever asks (PostgreSQL 15
-- and later), so that they show nothing that a login may not read itself.

CREATE VIEW actor_info WITH (security_invoker = true) AS
SELECT a.actor_id, a.first_name, a.last_name,
    string_agg(genre.name || ': ' || genre.titles, '; ' ORDER BY genre.name) AS film_info
FROM actor a
LEFT JOIN (
    SELECT fa.actor_id, c.name, string_agg(f.title, ', ' ORDER BY f.title) AS titles
    FROM film_actor fa
    JOIN film f USING (film_id)
    JOIN film_category USING (film_id)
    JOIN category c USING (category_id)
    GROUP BY fa.actor_id, c.name
) AS genre USING (actor_id)
GROUP BY a.actor_id, a.first_name, a.last_name;
COMMENT ON VIEW actor_info IS 'Each actor with the films played in, by genre, as one text.';

CREATE VIEW customer_list WITH (security_invoker = true) AS
SELECT cu.customer_id AS id, cu.first_name || ' ' || cu.last_name AS name, a.address, a.postal_code AS "zip code",
    a.phone, ci.city, co.country, CASE WHEN cu.activebool THEN 'active' ELSE '' END AS notes, cu.store_id AS sid
FROM customer cu
JOIN address a USING (address_id)
JOIN city ci USING (city_id)
JOIN country co USING (country_id);
COMMENT ON VIEW customer_list IS 'Customers with their address written out.';

CREATE VIEW film_list WITH (security_invoker = true) AS
SELECT f.film_id AS fid, f.title, f.description, c.name AS category, f.rental_rate AS price, f.length, f.rating,
    string_agg(a.first_name || ' ' || a.last_name, ', ' ORDER BY a.last_name, a.first_name, a.actor_id) AS actors
FROM film f
JOIN film_category USING (film_id)
JOIN category c USING (category_id)
LEFT JOIN film_actor fa USING (film_id)
LEFT JOIN actor a USING (actor_id)
GROUP BY f.film_id, c.name;
COMMENT ON VIEW film_list IS 'Films with genre and cast written out.';

CREATE VIEW staff_list WITH (security_invoker = true) AS
SELECT s.staff_id AS id, s.first_name || ' ' || s.last_name AS name, a.address, a.postal_code AS "zip code",
    a.phone, ci.city, co.country, s.store_id AS sid
FROM staff s
JOIN address a USING (address_id)
JOIN city ci USING (city_id)
JOIN country co USING (country_id);
COMMENT ON VIEW staff_list IS 'Staff with their address written out.';

CREATE VIEW sales_by_film_category WITH (security_invoker = true) AS
SELECT c.name AS category, sum(p.amount) AS total_sales
FROM payment p
JOIN rental USING (rental_id)
JOIN inventory USING (inventory_id)
JOIN film_category USING (film_id)
JOIN category c USING (category_id)
GROUP BY c.name;
COMMENT ON VIEW sales_by_film_category IS 'Revenue by genre in US dollars, over all time; without gift cards.';

CREATE VIEW sales_by_store WITH (security_invoker = true) AS
SELECT ci.city || ', ' || co.country AS store, m.first_name || ' ' || m.last_name AS manager, sum(p.amount) AS total_sales
FROM payment p
JOIN rental USING (rental_id)
JOIN inventory i USING (inventory_id)
JOIN store s ON s.store_id = i.store_id
JOIN staff m ON m.staff_id = s.manager_staff_id
JOIN address a ON a.address_id = s.address_id
JOIN city ci USING (city_id)
JOIN country co USING (country_id)
GROUP BY s.store_id, ci.city, co.country, m.first_name, m.last_name;
COMMENT ON VIEW sales_by_store IS 'Revenue by store in US dollars, over all time; without gift cards.';

CREATE MATERIALIZED VIEW rental_by_category AS
SELECT category, total_sales FROM sales_by_film_category ORDER BY total_sales DESC;
CREATE UNIQUE INDEX ON rental_by_category (category);
COMMENT ON MATERIALIZED VIEW rental_by_category IS
    'sales_by_film_category as it was on 1 January 2026; despite its name it holds revenue, not rentals.';
