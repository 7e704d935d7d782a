-- Bets are numbered by eras, one after the other, and a patron's bets are found era by era. So new bets touch the few
-- pages of the newest era: of one index by patron each bet would touch a page of its own, the more pages the longer the
-- history. latest_utc_ms: of the bets of the era and of all before it.
CREATE TABLE eras (
    era_no         INTEGER PRIMARY KEY,
    bets           INTEGER NOT NULL CHECK (bets > 0),
    latest_utc_ms  INTEGER NOT NULL
);
ALTER TABLE bets ADD COLUMN era_no INTEGER NOT NULL DEFAULT 0;
ALTER TABLE patrons ADD COLUMN era_no INTEGER NOT NULL DEFAULT 0; -- the era in which they first came
INSERT INTO eras SELECT 0, count(*), max(at_utc_ms) FROM bets HAVING count(*) > 0;
CREATE INDEX bets_by_era ON bets (era_no, patron_id, at_utc_ms, coup_key);
DROP INDEX bets_by_time;
