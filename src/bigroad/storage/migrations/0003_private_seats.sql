-- Tables for one patron: each patron's seat is a table of its own that plays against the bank of the one it belongs to.
ALTER TABLE tables ADD COLUMN bank_no INTEGER REFERENCES tables; -- whose bank pays; NULL: its own
ALTER TABLE tables ADD COLUMN patron_id INTEGER REFERENCES patrons; -- whose seat it is
-- What the bank would lose at the worst on the coup under way; set at the lock, 0 again when it has ended.
ALTER TABLE tables ADD COLUMN exposure_minor INTEGER NOT NULL DEFAULT 0 CHECK (exposure_minor >= 0);
CREATE UNIQUE INDEX tables_by_seat ON tables (bank_no, patron_id) WHERE bank_no IS NOT NULL;
CREATE INDEX tables_exposed ON tables (bank_no, exposure_minor) WHERE exposure_minor > 0;

ALTER TABLE coups ADD COLUMN fast INTEGER NOT NULL DEFAULT 0;
ALTER TABLE coups ADD COLUMN profile TEXT NOT NULL DEFAULT 'multiplayer-deluxe';
ALTER TABLE coups ADD COLUMN outcome TEXT; -- NULL until DEALT
UPDATE coups SET outcome = (
    WITH points(side, total) AS (
        SELECT 'player', instr('A23456789', substr(player_cards, 1, 1)) + instr('A23456789', substr(player_cards, 4, 1))
            + CASE WHEN length(player_cards) > 5 THEN instr('A23456789', substr(player_cards, 7, 1)) ELSE 0 END
        UNION ALL
        SELECT 'banker', instr('A23456789', substr(banker_cards, 1, 1)) + instr('A23456789', substr(banker_cards, 4, 1))
            + CASE WHEN length(banker_cards) > 5 THEN instr('A23456789', substr(banker_cards, 7, 1)) ELSE 0 END
    )
    SELECT CASE
        WHEN max(total % 10) = min(total % 10) THEN 'tie'
        ELSE (SELECT side FROM points ORDER BY total % 10 DESC LIMIT 1)
    END FROM points
) WHERE player_cards != '';
CREATE INDEX coups_under_way ON coups (table_no) WHERE phase IN ('locked', 'dealt', 'settled');

-- What a patron had to bet with just before the bet, and just after its return. NULL where that was not kept.
ALTER TABLE bets ADD COLUMN balance_before_minor INTEGER;
ALTER TABLE bets ADD COLUMN balance_after_minor INTEGER;
CREATE INDEX bets_by_time ON bets (patron_id, at_utc_ms, coup_key);

ALTER TABLE patrons ADD COLUMN preferences TEXT; -- a JSON object; NULL until the patron has chosen something
