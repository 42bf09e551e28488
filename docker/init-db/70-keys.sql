-- Primary and foreign keys, and the indexes that lookups and joins need.

ALTER TABLE language ADD PRIMARY KEY (language_id);
ALTER TABLE category ADD PRIMARY KEY (category_id);
ALTER TABLE actor ADD PRIMARY KEY (actor_id);
ALTER TABLE country ADD PRIMARY KEY (country_id);
ALTER TABLE city ADD PRIMARY KEY (city_id),
    ADD FOREIGN KEY (country_id) REFERENCES country;
ALTER TABLE address ADD PRIMARY KEY (address_id),
    ADD FOREIGN KEY (city_id) REFERENCES city;
ALTER TABLE film ADD PRIMARY KEY (film_id),
    ADD FOREIGN KEY (language_id) REFERENCES language,
    ADD FOREIGN KEY (original_language_id) REFERENCES language;
ALTER TABLE film_actor ADD PRIMARY KEY (actor_id, film_id),
    ADD FOREIGN KEY (actor_id) REFERENCES actor,
    ADD FOREIGN KEY (film_id) REFERENCES film;
ALTER TABLE film_category ADD PRIMARY KEY (film_id, category_id),
    ADD FOREIGN KEY (film_id) REFERENCES film,
    ADD FOREIGN KEY (category_id) REFERENCES category;
ALTER TABLE store ADD PRIMARY KEY (store_id),
    ADD FOREIGN KEY (address_id) REFERENCES address;
ALTER TABLE staff ADD PRIMARY KEY (staff_id),
    ADD FOREIGN KEY (address_id) REFERENCES address,
    ADD FOREIGN KEY (store_id) REFERENCES store;
ALTER TABLE store ADD FOREIGN KEY (manager_staff_id) REFERENCES staff;
ALTER TABLE customer ADD PRIMARY KEY (customer_id),
    ADD FOREIGN KEY (store_id) REFERENCES store,
    ADD FOREIGN KEY (address_id) REFERENCES address;
ALTER TABLE inventory ADD PRIMARY KEY (inventory_id),
    ADD FOREIGN KEY (film_id) REFERENCES film,
    ADD FOREIGN KEY (store_id) REFERENCES store;
ALTER TABLE rental ADD PRIMARY KEY (rental_id),
    ADD UNIQUE (rental_date, inventory_id, customer_id),
    ADD FOREIGN KEY (inventory_id) REFERENCES inventory,
    ADD FOREIGN KEY (customer_id) REFERENCES customer,
    ADD FOREIGN KEY (staff_id) REFERENCES staff;
-- A key of a partitioned table has to hold the column it is partitioned by.
ALTER TABLE payment ADD PRIMARY KEY (payment_date, payment_id),
    ADD FOREIGN KEY (customer_id) REFERENCES customer,
    ADD FOREIGN KEY (staff_id) REFERENCES staff,
    ADD FOREIGN KEY (rental_id) REFERENCES rental;

CREATE INDEX ON actor (last_name);
CREATE INDEX ON city (country_id);
CREATE INDEX ON address (city_id);
CREATE INDEX ON film (title);
CREATE INDEX ON film (language_id);
CREATE INDEX ON film USING gin (fulltext);
CREATE INDEX ON film_actor (film_id);
CREATE INDEX ON film_category (category_id);
CREATE INDEX ON customer (last_name);
CREATE INDEX ON customer (store_id);
CREATE INDEX ON customer (address_id);
CREATE INDEX ON inventory (film_id);
CREATE INDEX ON inventory (store_id, film_id);
CREATE INDEX ON rental (inventory_id);
CREATE INDEX ON rental (customer_id);
CREATE INDEX ON payment (customer_id);
CREATE INDEX ON payment (rental_id);

-- New rows get the next free number.
DO $$
DECLARE
    keyed record;
BEGIN
    FOR keyed IN
        SELECT table_name, column_name FROM information_schema.columns
        WHERE table_schema = 'public' AND is_identity = 'YES'
          AND table_name NOT LIKE 'payment\_p%'
    LOOP
        EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L), max(%I)) FROM %I',
            keyed.table_name, keyed.column_name, keyed.column_name, keyed.table_name);
    END LOOP;
END $$;
