-- Languages, genres, actors and films. Each genre has its own words, prices, lengths and ratings.

INSERT INTO language (language_id, name, last_update)
SELECT nr, name, seed.taken()
FROM unnest(seed.words('English,German,Portuguese,French,Spanish,Italian,Japanese,Korean,Polish,Hindi'))
    WITH ORDINALITY AS listed (name, nr);

-- films: how many titles. minutes: the usual running time. rates: prices to choose from.
-- appeal: how often its films are asked for. months: demand from January to December in percent.
-- trend: change of demand from 2024 to 2025 in percent.
CREATE TABLE seed.genre (
    category_id integer PRIMARY KEY, name text, films integer, minutes integer, appeal integer, trend integer,
    rates numeric[], ratings text[], months integer[], adjectives text[], nouns text[]
);

INSERT INTO seed.genre
SELECT row_number() OVER (ORDER BY name COLLATE "C"), name, films, minutes, appeal, trend, rates::numeric[],
    ratings::text[], months::integer[], seed.words(adjectives), seed.words(nouns)
FROM (VALUES
    ('Action', 72, 112, 118, 0, '{2.99,4.99,4.99}', '{PG-13,PG-13,R,R,PG}', '{80,80,80,80,80,85,90,90,80,80,80,80}',
        'Burning,Iron,Midnight,Reckless,Scarlet,Final,Broken,Thunder,Savage,Double',
        'Convoy,Bridge,Courier,Pursuit,Fuse,Harpoon,Outpost,Gauntlet,Avalanche,Compass,Vault,Tempest,Runaway,Decoy'),
    ('Animation', 64, 88, 108, 5, '{0.99,2.99,4.99}', '{G,G,PG}', '{75,70,70,75,70,70,75,75,70,75,85,98}',
        'Tiny,Paper,Curious,Velvet,Marvellous,Upside-Down,Copper,Whispering,Bouncing,Painted',
        'Dragon,Umbrella,Teapot,Fox,Lantern,Snowflake,Pumpkin,Otter,Balloon,Robin,Acorn,Moonbeam,Kettle,Badger'),
    ('Children', 60, 79, 88, 0, '{0.99,0.99,2.99}', '{G,G,G,PG}', '{72,72,74,76,72,72,80,80,70,76,80,95}',
        'Little,Brave,Sleepy,Giggling,Lucky,Clever,Woolly,Barefoot,Sunny,Muddy',
        'Piglet,Pirate,Treehouse,Puddle,Kite,Hedgehog,Button,Wagon,Duckling,Sandcastle,Marble,Bicycle,Pancake,Scarecrow'),
    ('Classics', 55, 101, 72, -12, '{0.99,0.99,2.99}', '{G,PG,PG}', '{85,85,80,75,72,70,70,70,74,80,85,85}',
        'Gilded,Forgotten,Noble,Silver,Faithful,Marble,Stately,Faded,Crystal,Solemn',
        'Ballroom,Carriage,Duchess,Manor,Portrait,Chandelier,Governess,Masquerade,Waltz,Inheritance,Promenade,Telegram,Orchard,Candle'),
    ('Comedy', 68, 98, 112, 0, '{0.99,2.99,4.99}', '{PG,PG-13,PG-13,R}', '{85,85,80,80,80,80,80,80,80,80,82,90}',
        'Awkward,Borrowed,Hungry,Accidental,Polite,Crooked,Perfect,Wrong,Second-Hand,Unwilling',
        'Bridegroom,Landlord,Wedding,Dentist,Soufflé,Neighbour,Moustache,Honeymoon,Plumber,Goldfish,Trombone,Elevator,Parrot,Casserole'),
    ('Documentary', 62, 93, 62, 45, '{0.99,2.99}', '{G,G,PG,PG-13}', '{70,68,66,64,62,60,60,60,64,66,68,68}',
        'Hidden,Deep,Vanishing,Living,Ancient,Northern,Restless,Fragile,Patient,Open',
        'Glacier,Archive,Market,Reef,Railway,Harvest,Monsoon,Observatory,Estuary,Workshop,Migration,Harbour,Quarry,Pasture'),
    ('Drama', 70, 121, 102, 0, '{2.99,2.99,4.99}', '{PG-13,PG-13,R,R,NC-17,PG}', '{88,86,82,78,76,74,72,72,78,84,88,86}',
        'Quiet,Distant,Bitter,Tender,Divided,Winter,Unsent,Fallen,Empty,Honest',
        'Letter,Daughter,Verdict,Harvester,Window,Promise,Return,Silence,River,Stranger,Witness,Garden,Farewell,Threshold'),
    ('Family', 67, 95, 100, 0, '{0.99,2.99,2.99}', '{G,PG,PG}', '{76,74,74,78,74,74,80,82,72,76,84,98}',
        'Golden,Cosy,Wandering,Secret,Homemade,Snowy,Cheerful,Lost,Merry,Grand',
        'Cottage,Picnic,Reunion,Puppy,Attic,Grandmother,Holiday,Pony,Bakery,Scrapbook,Fireside,Campfire,Sleigh,Lighthouse'),
    ('Foreign', 71, 109, 92, 10, '{2.99,4.99,4.99}', '{PG-13,R,PG,NC-17}', '{82,82,80,78,76,74,74,74,78,80,82,82}',
        'Blue,Seventh,Amber,Wooden,Drifting,Lonely,Saffron,Southern,Hollow,Slow',
        'Balcony,Ferry,Olive Tree,Piazza,Tailor,Accordion,Border,Fountain,Apricot,Monastery,Tramway,Swallow,Vineyard,Carpet'),
    ('Games', 58, 96, 84, 15, '{2.99,4.99}', '{PG,PG-13,PG-13}', '{82,80,76,74,72,72,78,78,74,78,84,92}',
        'Loaded,Royal,Hexagonal,Sudden,Bluffing,Electric,Blindfold,Winning,Infinite,Stolen',
        'Gambit,Checkmate,Dice,Joker,Labyrinth,Wager,Domino,Arcade,Riddle,Tournament,Roulette,Puzzle,Trump Card,Stalemate'),
    ('Horror', 56, 99, 78, 5, '{2.99,4.99}', '{R,R,R,NC-17,PG-13}', '{58,56,52,50,50,52,54,56,66,100,72,46}',
        'Pale,Creeping,Drowned,Nameless,Rotten,Crimson,Eyeless,Howling,Buried,Thirteenth',
        'Cellar,Scarecrow Field,Mirror,Nursery,Swamp,Gravedigger,Ward,Puppet,Staircase,Asylum,Fog,Raven,Cradle,Séance'),
    ('Music', 51, 104, 70, 0, '{0.99,2.99}', '{G,PG,PG-13}', '{74,72,72,72,72,74,76,74,72,72,74,80}',
        'Rolling,Velveteen,Minor,Barefooted,Humming,Satin,Syncopated,Unplugged,Brass,Encore',
        'Serenade,Drummer,Jukebox,Chorus,Saxophone,Ballad,Cabaret,Organist,Lullaby,Turntable,Overture,Fiddle,Metronome,Quartet'),
    ('New', 62, 110, 122, 20, '{4.99,4.99,2.99}', '{PG-13,R,PG}', '{84,82,80,80,80,80,82,82,80,82,86,90}',
        'Neon,Sudden,Parallel,Modern,Weightless,Bright,Urgent,Glass,Unfinished,Zero',
        'Signal,Terminal,Skyline,Deadline,Passenger,Rooftop,Download,Protest,Algorithm,Arrival,Start-Up,Blackout,Shoreline,Interview'),
    ('Sci-Fi', 60, 117, 104, 0, '{2.99,4.99,4.99}', '{PG-13,PG-13,R,PG}', '{84,82,80,78,76,76,78,78,78,80,84,86}',
        'Lunar,Quantum,Frozen,Orbital,Synthetic,Silent,Magnetic,Outer,Chrome,Eternal',
        'Colony,Android,Eclipse,Paradox,Nebula,Airlock,Cosmonaut,Asteroid,Hologram,Frontier,Satellite,Pulsar,Exodus,Observer'),
    ('Sports', 70, 106, 130, 0, '{2.99,4.99}', '{PG,PG,PG-13,G}', '{78,78,80,82,84,94,96,90,84,80,78,76}',
        'Last,Muddy,Fearless,Champion,Underdog,Extra,Flying,Stubborn,Rising,Uphill',
        'Marathon,Goalkeeper,Sprint,Regatta,Peloton,Backhand,Overtime,Climber,Slalom,Dugout,Heavyweight,Relay,Comeback,Home Run'),
    ('Travel', 54, 91, 66, 0, '{0.99,2.99}', '{G,PG,PG}', '{86,80,72,66,64,62,60,60,62,64,68,74}',
        'Endless,Sleeping,Coastal,Spice,Eastern,Cloudy,Wayward,Dusty,Emerald,Overland',
        'Caravan,Archipelago,Itinerary,Lagoon,Suitcase,Volcano,Oasis,Postcard,Pilgrim,Highway,Safari,Junction,Canyon,Hostel')
) AS given (name, films, minutes, appeal, trend, rates, ratings, months, adjectives, nouns);

INSERT INTO category (category_id, name, last_update)
SELECT category_id, name, seed.taken() FROM seed.genre ORDER BY category_id;

-- Actors: names from all over the world, no name twice but for one pair of namesakes (7 and 107).
INSERT INTO actor (actor_id, first_name, last_name, last_update)
WITH candidate AS (
    SELECT n, seed.pick('actor first', n, first_names) AS first_name, seed.pick('actor last', n, last_names) AS last_name
    FROM generate_series(1, 400) AS n
    JOIN LATERAL (
        SELECT first_names, last_names FROM seed.naming ORDER BY seed.draw('actor names' || names, n, 1000000), names LIMIT 1
    ) AS chosen ON true
), distinct_name AS (
    SELECT first_name, last_name, row_number() OVER (ORDER BY min(n)) AS nr
    FROM candidate GROUP BY first_name, last_name
)
SELECT a.nr, coalesce(b.first_name, a.first_name), coalesce(b.last_name, a.last_name), seed.taken()
FROM distinct_name a LEFT JOIN distinct_name b ON a.nr = 107 AND b.nr = 7
WHERE a.nr <= 200;

-- One row per film to be: its genre and its place among the films of that genre. Film ids follow the
-- alphabet, as in a catalogue.
CREATE TABLE seed.title AS
WITH slot AS (
    SELECT g.*, k, (k * 37 + category_id * 11) % 140 AS pair, seed.draw('title shape', category_id * 1000 + k, 100) AS shape
    FROM seed.genre g, generate_series(0, films - 1) AS k
), named AS (
    SELECT category_id, minutes, appeal, rates, ratings, name, k, pair,
        adjectives[1 + pair / 14] AS adjective, nouns[1 + pair % 14] AS noun,
        nouns[1 + (pair % 14 + 1 + pair / 14) % 14] AS other, shape,
        (seed.words('Salt,Glass,Winter,Mercy,Paper,the North,Tomorrow,Lisbon,Smoke,Autumn,the Valley,Dreams,Saint Agnes,Rain,the Island,Copper,Midsummer,Bremen,Ash,Silk'))
            [1 + (pair / 14 + category_id * 3) % 20] AS place
    FROM slot
)
SELECT row_number() OVER (ORDER BY title COLLATE "C") AS film_id, named.*
FROM (
    SELECT named.*,
        CASE WHEN shape < 46 THEN adjective || ' ' || noun
             WHEN shape < 72 THEN 'The ' || adjective || ' ' || noun
             WHEN shape < 90 THEN noun || ' of ' || place
             ELSE noun || ' and ' || other END AS title
    FROM named
) AS named;

INSERT INTO film (film_id, title, description, release_year, language_id, original_language_id, rental_duration,
    rental_rate, length, replacement_cost, rating, last_update, special_features)
SELECT film_id, title,
    seed.pick('who', film_id, seed.words('A retired clockmaker,A young cartographer,An estranged sister,A night-shift nurse,The last lighthouse keeper,A stubborn violinist,An exiled chess master,A village postman,A penniless count,A runaway apprentice,A weary detective,A shy botanist,A travelling barber,An ambitious cook,A former goalkeeper,A homesick sailor,A forgetful professor,A reluctant heir from Trieste,A widowed beekeeper,A tram conductor'))
    || ' ' || seed.pick('does', film_id, seed.words('inherits a ruined hotel,finds a map in a second-hand coat,takes in an uninvited guest,loses a bet in a snowstorm,wakes up in the wrong city,buys a boat that nobody wants,answers a letter meant for someone else,agrees to one last journey,hears a tune that should not exist,opens a school in a railway carriage,steals a painting by mistake,follows a stray dog across the border,starts a rumour that comes true,wins a field nobody can find,is mistaken for a king,makes a promise that one summer cannot hold'))
    || ', ' || seed.pick('and', film_id, seed.words('and has until Sunday to put it right.,and learns what the neighbours have always known.,while the river keeps rising.,and must decide whom to believe.,but the key fits no door in the house.,and finds that forgiveness takes practice.,only to meet an old rival on the way.,and never quite comes home.,while the whole town pretends not to look.,and discovers that luck has a price.,but winter comes early that year.,and laughs last.')),
    CASE WHEN film_id % 167 = 21 THEN NULL
         WHEN name = 'Classics' THEN 1931 + seed.draw('year', film_id, 42)
         WHEN name = 'New' THEN 2021 + seed.draw('year', film_id, 3)
         ELSE 2022 - least(seed.draw('year', film_id, 48), seed.draw('year again', film_id, 48)) END,
    spoken, CASE WHEN shot <> spoken THEN shot END,
    3 + seed.draw('duration', film_id, 5),
    seed.pick('rate', film_id, rates),
    CASE WHEN film_id % 197 = 44 THEN NULL
         ELSE minutes - 34 + seed.draw('length', film_id, 36) + seed.draw('length again', film_id, 36) END,
    9.99 + seed.draw('replacement', film_id, 21),
    CASE WHEN film_id % 113 = 60 THEN NULL ELSE seed.pick('rating', film_id, ratings)::mpaa_rating END,
    seed.taken(),
    nullif(array_remove(ARRAY[
        CASE WHEN seed.draw('trailers', film_id, 100) < 62 THEN 'Trailers' END,
        CASE WHEN seed.draw('commentaries', film_id, 100) < 48 THEN 'Commentaries' END,
        CASE WHEN seed.draw('deleted', film_id, 100) < 41 THEN 'Deleted Scenes' END,
        CASE WHEN seed.draw('behind', film_id, 100) < 55 THEN 'Behind the Scenes' END], NULL), '{}')
FROM (
    SELECT title.*,
        seed.pick('spoken', film_id, '{1,1,1,1,1,1,2,2,3,3,4,5,6}'::integer[]) AS spoken,
        CASE WHEN name = 'Foreign' OR seed.draw('dubbed', film_id, 100) < 9
             THEN 2 + seed.draw('shot', film_id, 9)
             ELSE seed.pick('spoken', film_id, '{1,1,1,1,1,1,2,2,3,3,4,5,6}'::integer[]) END AS shot
    FROM seed.title
) AS title
ORDER BY film_id;

INSERT INTO film_category (film_id, category_id, last_update)
SELECT film_id, category_id, seed.taken() FROM seed.title ORDER BY film_id;

-- Three to eight actors a film, drawn so that some actors work far more than others; a few films
-- (animal documentaries, say) have none.
INSERT INTO film_actor (actor_id, film_id, last_update)
SELECT DISTINCT 1 + (least(seed.draw('cast', slot, 200), seed.draw('cast again', slot, 200)) * 77 + 13) % 200, film_id, seed.taken()
FROM seed.title, LATERAL generate_series(1, 3 + seed.draw('cast size', film_id, 6)) AS part, LATERAL (SELECT film_id * 10 + part) AS numbered (slot)
WHERE film_id % 331 <> 100
ORDER BY 2, 1;
