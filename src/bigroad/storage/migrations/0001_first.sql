-- Money, rounds, patrons. Amounts are integers of the minor unit; moments are UTC milliseconds.
CREATE TABLE tables (
    table_no  INTEGER PRIMARY KEY,
    table_id  TEXT NOT NULL UNIQUE,
    epoch     INTEGER NOT NULL CHECK (epoch >= 0)
);

CREATE TABLE patrons (
    patron_id        INTEGER PRIMARY KEY,
    nickname         TEXT NOT NULL,
    created_utc_ms   INTEGER NOT NULL,
    refilled_utc_ms  INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE sessions (
    token_hash      BLOB PRIMARY KEY,
    patron_id       INTEGER NOT NULL REFERENCES patrons,
    created_utc_ms  INTEGER NOT NULL
) WITHOUT ROWID;

-- kind and owner as in bigroad.ledger.accounts. Only the world (0) may be below zero.
CREATE TABLE accounts (
    kind            INTEGER NOT NULL,
    owner           INTEGER NOT NULL,
    balance_minor   INTEGER NOT NULL DEFAULT 0,
    reserved_minor  INTEGER NOT NULL DEFAULT 0 CHECK (reserved_minor >= 0),
    expected_minor  INTEGER NOT NULL DEFAULT 0 CHECK (expected_minor >= 0),
    PRIMARY KEY (kind, owner),
    CHECK (kind = 0 OR balance_minor - reserved_minor >= 0)
) WITHOUT ROWID;

CREATE TABLE transfers (
    coup_key      INTEGER NOT NULL,
    bet_seq       INTEGER NOT NULL,
    kind          INTEGER NOT NULL,
    debit_kind    INTEGER NOT NULL,
    debit_owner   INTEGER NOT NULL,
    credit_kind   INTEGER NOT NULL,
    credit_owner  INTEGER NOT NULL,
    amount_minor  INTEGER NOT NULL CHECK (amount_minor > 0),
    epoch         INTEGER NOT NULL,
    at_utc_ms     INTEGER NOT NULL,
    PRIMARY KEY (coup_key, bet_seq, kind)
) WITHOUT ROWID;
CREATE TRIGGER transfers_stay BEFORE UPDATE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers are never changed'); END;
CREATE TRIGGER transfers_last BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'transfers are never deleted'); END;

CREATE TABLE coups (
    table_no            INTEGER NOT NULL REFERENCES tables,
    coup_no             INTEGER NOT NULL CHECK (coup_no > 0),
    phase               TEXT NOT NULL,
    epoch               INTEGER NOT NULL,
    shoe_no             INTEGER NOT NULL,
    seed                BLOB NOT NULL,
    opened_utc_ms       INTEGER NOT NULL,
    closes_utc_ms       INTEGER NOT NULL,
    deals_utc_ms        INTEGER NOT NULL,
    shown_until_utc_ms  INTEGER NOT NULL DEFAULT 0,
    last_of_shoe        INTEGER NOT NULL,
    cards_left          INTEGER NOT NULL,
    terms               TEXT NOT NULL,
    shoe                TEXT NOT NULL,
    player_cards        TEXT NOT NULL DEFAULT '',
    banker_cards        TEXT NOT NULL DEFAULT '',
    burned              TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (table_no, coup_no)
) WITHOUT ROWID;
CREATE INDEX coups_by_shoe ON coups (table_no, shoe_no);

-- One bet a patron and coup. stakes and returned are JSON objects, area to minor units.
CREATE TABLE bets (
    coup_key        INTEGER NOT NULL,
    bet_seq         INTEGER NOT NULL,
    patron_id       INTEGER NOT NULL REFERENCES patrons,
    stakes          TEXT NOT NULL,
    staked_minor    INTEGER NOT NULL CHECK (staked_minor > 0),
    automatic       INTEGER NOT NULL,
    at_utc_ms       INTEGER NOT NULL,
    returned        TEXT,
    returned_minor  INTEGER,
    PRIMARY KEY (coup_key, bet_seq)
) WITHOUT ROWID;
CREATE UNIQUE INDEX bets_by_patron ON bets (patron_id, coup_key);

-- Staged chips of the open coup: JSON list of steps.
CREATE TABLE drafts (
    table_no   INTEGER NOT NULL,
    patron_id  INTEGER NOT NULL,
    steps      TEXT NOT NULL,
    PRIMARY KEY (table_no, patron_id)
) WITHOUT ROWID;

-- Accepted requests of the last coups, so that a retry gets the answer it missed.
CREATE TABLE answers (
    table_no    INTEGER NOT NULL,
    coup_no     INTEGER NOT NULL,
    patron_id   INTEGER NOT NULL,
    request_id  TEXT NOT NULL,
    act         TEXT NOT NULL,
    answer      TEXT NOT NULL,
    PRIMARY KEY (table_no, coup_no, patron_id, request_id)
) WITHOUT ROWID;

-- The tail of each table's public events, byte for byte as told.
CREATE TABLE events (
    table_no  INTEGER NOT NULL,
    seq       INTEGER NOT NULL,
    body      BLOB NOT NULL,
    PRIMARY KEY (table_no, seq)
) WITHOUT ROWID;
