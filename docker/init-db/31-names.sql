-- First and last names that are usual in a part of the world; all people here are invented.

CREATE TABLE seed.naming (names text PRIMARY KEY, first_names text[], last_names text[]);

INSERT INTO seed.naming
SELECT names, seed.words(first_names), seed.words(last_names)
FROM (VALUES
    ('arabic', 'Layla,Omar,Yasmin,Karim,Nour,Tariq,Salma,Hassan,Rania,Ziad,Farah,Walid,Amina,Sami', 'Haddad,Mansour,Khalil,El-Amin,Farouk,Nasser,Benali,Saleh,Rahman,Aziz,Cherif,Bishara,Zaki,Hamdan'),
    ('baltic', 'Anna,Jānis,Liina,Mantas,Elīna,Tõnu,Rasa,Andris,Kadri,Lukas,Ieva,Marek', 'Kalniņš,Tamm,Kazlauskas,Ozols,Saar,Petrauskas,Bērziņš,Mägi,Liepiņš,Stankus,Kask,Rebane'),
    ('balkan', 'Ivana,Marko,Jelena,Nikola,Mila,Luka,Ana,Stefan,Dragana,Goran,Tea,Vesna,Bojan,Petra', 'Horvat,Jovanović,Kovač,Petrović,Novak,Babić,Nikolić,Ivanov,Dimitrov,Zupan,Marković,Stojanov,Vuković,Kralj'),
    ('caucasian', 'Nino,Giorgi,Ani,Levan,Tamar,Aram,Mariam,Davit,Lusine,Irakli', 'Beridze,Sargsyan,Kapanadze,Petrosyan,Gelashvili,Hakobyan,Lomidze,Grigoryan,Japaridze,Avetisyan'),
    ('chinese', 'Wei,Mei,Jun,Lan,Hao,Xiu,Feng,Ying,Tao,Li,Chen,Jing,Bo,Hui', 'Wang,Li,Zhang,Liu,Chen,Yang,Huang,Zhao,Wu,Zhou,Lin,Gao,Tan,Lim'),
    ('czech', 'Jana,Tomáš,Lucie,Jakub,Tereza,Ondřej,Eliška,Matěj,Zuzana,Pavel,Markéta,Filip', 'Novák,Svoboda,Dvořák,Černý,Procházka,Kučera,Horák,Veselý,Němec,Kováč,Beneš,Šimek'),
    ('dutch', 'Anouk,Daan,Femke,Bram,Lotte,Sem,Sanne,Thijs,Maaike,Ruben,Fleur,Joost', 'de Vries,Jansen,van Dijk,Bakker,Visser,Smit,van den Berg,Mulder,Bos,Hendriks,Dekker,''t Hooft'),
    ('eastern', 'Amani,Juma,Wanjiru,Baraka,Zawadi,Otieno,Hana,Dawit,Keza,Tendo,Neema,Kato', 'Mwangi,Otieno,Tesfaye,Kamau,Okello,Njoroge,Bekele,Mushi,Uwimana,Wekesa,Alemu,Nakato'),
    ('english', 'Emily,Jack,Olivia,Harry,Grace,Thomas,Chloe,George,Lucy,Samuel,Hannah,Oliver,Ruby,Edward,Alice,Daniel,Sophie,James,Ella,Arthur', 'Carter,Hughes,Turner,Walsh,Fletcher,Barnes,Whitaker,Holloway,Marsh,Pritchard,Bennett,Thornton,Ashworth,Gray,Lockwood,Hartley,Reid,Sutcliffe,Morgan,Blackwood'),
    ('filipino', 'Maricel,Jose,Liza,Ramon,Althea,Paolo,Corazon,Miguel,Jasmine,Andres', 'Reyes,Santos,Cruz,Bautista,Dela Cruz,Aquino,Mercado,Villanueva,Salazar,Ocampo'),
    ('french', 'Camille,Louis,Chloé,Hugo,Léa,Théo,Manon,Jules,Élodie,Rémi,Inès,Gaspard,Zoé,Benoît,Margaux,Étienne', 'Martin,Bernard,Dubois,Lefèvre,Moreau,Fournier,Girard,Rousseau,Mercier,Blanchard,D''Arcy,Chevalier,Lemaître,Perrin,Delacroix,Besson'),
    ('german', 'Lena,Jonas,Hannah,Felix,Greta,Paul,Mia,Lukas,Frieda,Jörg,Katharina,Moritz,Ulrike,Sönke,Antje,Matthias,Anneliese,Björn', 'Müller,Schröder,Becker,Hoffmann,Köhler,Krüger,Weber,Lange,Böhm,Petersen,Vogt,Brandt,Jäger,Lindemann,Weiß,Schäfer,Hansen,Götz'),
    ('greek', 'Eleni,Nikos,Maria,Yannis,Sofia,Kostas,Katerina,Dimitris,Ioanna,Petros', 'Papadopoulos,Georgiou,Nikolaidis,Pappas,Vlachos,Antoniou,Dimitriou,Makris,Economou,Stavrou'),
    ('hebrew', 'Noa,Yonatan,Tamar,Eitan,Shira,Avi,Maya,Gideon', 'Cohen,Levi,Mizrahi,Peretz,Biton,Shapira,Ben-David,Katz'),
    ('hungarian', 'Anna,Bence,Zsófia,Ádám,Réka,Máté,Eszter,Gergő,Dóra,Balázs', 'Nagy,Kovács,Tóth,Szabó,Horváth,Varga,Kiss,Molnár,Farkas,Szőke'),
    ('indian', 'Priya,Arjun,Ananya,Rohan,Kavya,Vikram,Meera,Imran,Aisha,Sanjay,Neha,Rahul,Fatima,Dev,Leela,Kabir', 'Sharma,Patel,Iyer,Khan,Gupta,Reddy,Das,Chowdhury,Nair,Mehta,Ahmed,Rao,Banerjee,Thapa,Kapoor,Malik'),
    ('irish', 'Aoife,Seán,Niamh,Cormac,Siobhán,Declan,Róisín,Liam,Orla,Pádraig', 'O''Brien,Murphy,O''Connor,Kelly,Byrne,O''Sullivan,Doyle,Gallagher,Kavanagh,O''Neill'),
    ('italian', 'Giulia,Marco,Chiara,Luca,Francesca,Matteo,Elisa,Davide,Nicolò,Serena,Bianca,Alessio', 'Rossi,Esposito,Ferrari,Bianchi,D''Angelo,Romano,Ricci,Marino,Greco,Conti,De Luca,Dell''Acqua'),
    ('japanese', 'Yuki,Haruto,Sakura,Ren,Aoi,Kenji,Hana,Takumi,Emi,Daichi,Naoko,Shō', 'Satō,Suzuki,Takahashi,Tanaka,Watanabe,Itō,Yamamoto,Nakamura,Kobayashi,Mori,Ōno,Fujita'),
    ('korean', 'Ji-woo,Min-jun,Seo-yeon,Ha-eun,Joon-ho,Soo-jin,Tae-yang,Yuna,Dong-hyun,Eun-ji', 'Kim,Lee,Park,Choi,Jung,Kang,Yoon,Jang,Lim,Han'),
    ('malagasy', 'Hery,Voahangy,Tiana,Naina,Lalao,Faly', 'Rakoto,Razafy,Andria,Ravelo,Rabe,Rasoa'),
    ('malay', 'Siti,Budi,Aisyah,Agus,Dewi,Rizal,Putri,Hafiz,Intan,Bayu,Nurul,Wayan', 'Wijaya,Santoso,Hidayat,Suharto,Ismail,Rahim,Lestari,Halim,Setiawan,Abdullah,Kusuma,Pratama'),
    ('mongolian', 'Bataar,Oyuun,Temür,Sarnai,Ganzorig,Altan', 'Batbayar,Dorj,Enkh,Ganbold,Tömör,Sükhbat'),
    ('nordic', 'Freja,Lars,Ingrid,Mikkel,Astrid,Søren,Linnea,Håkon,Sanna,Åse,Elin,Jón,Aino,Anders,Sigrún,Øystein', 'Hansen,Nielsen,Lindqvist,Bergström,Johansen,Virtanen,Dahl,Østergaard,Holm,Lindgren,Nyström,Korhonen,Strand,Kjær,Åberg,Solberg'),
    ('persian', 'Shirin,Reza,Parisa,Kaveh,Laleh,Arash,Nasrin,Behrouz', 'Ahmadi,Hosseini,Karimi,Rostami,Tehrani,Moradi,Shirazi,Farahani'),
    ('polish', 'Zofia,Jakub,Maja,Kacper,Agnieszka,Piotr,Łucja,Michał,Hanna,Paweł,Małgorzata,Wojciech', 'Kowalski,Nowak,Wiśniewski,Wójcik,Zieliński,Szymański,Dąbrowski,Mazur,Kaczmarek,Górski,Pawłowski,Łukasik'),
    ('portuguese', 'Beatriz,João,Inês,Tiago,Mariana,Rui,Leonor,Gonçalo,Sofia,Duarte,Catarina,Luís,Matilde,André,Conceição,Vasco', 'Silva,Santos,Ferreira,Pereira,Oliveira,Costa,Rodrigues,Carvalho,Araújo,Magalhães,Simões,Teixeira,Lourenço,Pinto,Conceição,Guimarães'),
    ('romanian', 'Ioana,Andrei,Elena,Mihai,Ștefania,Radu,Ana,Vlad,Raluca,Cătălin', 'Popescu,Ionescu,Dumitrescu,Stan,Munteanu,Radu,Ungureanu,Țurcanu,Lupu,Marin'),
    ('russian', 'Olga,Ivan,Daria,Dmytro,Svetlana,Oleksandr,Natalia,Mikhail,Oksana,Sergei,Yulia,Taras', 'Ivanenko,Petrov,Shevchenko,Kovalenko,Sokol,Bondarenko,Morozov,Tkachenko,Volkov,Lebedev,Melnyk,Orlov'),
    ('southern', 'Thandi,Sipho,Lerato,Tendai,Naledi,Kagiso,Chipo,Pieter,Nomsa,Themba', 'Dlamini,Nkosi,Moyo,van der Merwe,Khumalo,Mokoena,Ndlovu,Botha,Banda,Sithole'),
    ('spanish', 'Lucía,Mateo,Sofía,Diego,Valentina,Andrés,Carmen,Joaquín,Elena,Nicolás,Ximena,Álvaro,Paula,Íñigo,Marisol,Rubén', 'García,Fernández,López,Martínez,Núñez,Sánchez,Ramírez,Torres,Castillo,Peña,Ibáñez,Vargas,Ortega,Muñoz,Romero,Quiroga'),
    ('srilankan', 'Nadeesha,Kumar,Dilani,Ruwan,Anushka,Chamara', 'Perera,Fernando,de Silva,Jayawardena,Bandara,Wickramasinghe'),
    ('thai', 'Somchai,Malee,Anong,Niran,Ploy,Kittisak,Suda,Arthit', 'Srisai,Chaiyasit,Thongchai,Wattana,Kaewmanee,Rattanakul,Boonmee,Suwan'),
    ('turkish', 'Elif,Mehmet,Zeynep,Emre,Defne,Çağlar,Ayşe,Kerem,Gül,Oğuz', 'Yılmaz,Kaya,Demir,Şahin,Çelik,Aydın,Öztürk,Arslan,Doğan,Aliyev'),
    ('vietnamese', 'Linh,Minh,Hương,Tuấn,Mai,Khoa,Thảo,Đức,Sokha,Bình', 'Nguyễn,Trần,Lê,Phạm,Hoàng,Vũ,Đặng,Bùi,Sok,Đỗ'),
    ('western', 'Amara,Kwame,Ngozi,Kofi,Aminata,Chidi,Fatou,Emeka,Abena,Mamadou,Ifeoma,Ousmane', 'Okafor,Mensah,Diallo,Adeyemi,N''Diaye,Boateng,Eze,Owusu,Sarr,Abubakar,Fofana,Nwosu')
) AS given (names, first_names, last_names);
