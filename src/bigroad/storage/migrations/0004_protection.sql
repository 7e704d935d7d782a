-- What patrons have asked to be protected from. A guard is what its changes add up to; rule is NULL for time-outs and
-- exclusions, whose old and new are UTC milliseconds; else they are amounts, NULL for no limit.
CREATE TABLE protection_changes (
    change_no    INTEGER PRIMARY KEY,
    patron_id    INTEGER NOT NULL REFERENCES patrons,
    act          TEXT NOT NULL,
    rule         TEXT,
    old          INTEGER,
    new          INTEGER,
    at_utc_ms    INTEGER NOT NULL,
    from_utc_ms  INTEGER NOT NULL
);
CREATE INDEX protection_changes_by_patron ON protection_changes (patron_id, change_no);
CREATE TRIGGER protection_changes_stay BEFORE UPDATE ON protection_changes
    BEGIN SELECT RAISE(ABORT, 'changes are never changed'); END;
CREATE TRIGGER protection_changes_last BEFORE DELETE ON protection_changes
    BEGIN SELECT RAISE(ABORT, 'changes are never deleted'); END;

-- Only for those who ever changed anything. guard is a JSON object. From since_day on their days are summed up.
CREATE TABLE guards (
    patron_id  INTEGER PRIMARY KEY REFERENCES patrons,
    guard      TEXT NOT NULL,
    since_day  INTEGER NOT NULL
);

-- Of each guarded patron and UTC day: what was staked then, voided bets left out, and what came back of those bets.
CREATE TABLE guarded_days (
    patron_id       INTEGER NOT NULL REFERENCES guards,
    day             INTEGER NOT NULL,
    staked_minor    INTEGER NOT NULL CHECK (staked_minor >= 0),
    returned_minor  INTEGER NOT NULL CHECK (returned_minor >= 0),
    PRIMARY KEY (patron_id, day)
) WITHOUT ROWID;

-- Since when a patron has been playing without a longer break, and when he or she was there last.
CREATE TABLE sittings (
    patron_id       INTEGER PRIMARY KEY REFERENCES patrons,
    started_utc_ms  INTEGER NOT NULL,
    seen_utc_ms     INTEGER NOT NULL
);
