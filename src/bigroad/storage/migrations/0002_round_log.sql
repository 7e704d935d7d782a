-- The log of rounds: entries chained by their hashes, each signed. table_no, coup_no and kind repeat what the body says.
CREATE TABLE round_log (
    entry_no   INTEGER PRIMARY KEY CHECK (entry_no > 0),
    table_no   INTEGER NOT NULL,
    coup_no    INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    body       TEXT NOT NULL,
    hash       BLOB NOT NULL,
    signature  BLOB NOT NULL
);
CREATE INDEX round_log_by_coup ON round_log (table_no, coup_no);
CREATE TRIGGER round_log_stays BEFORE UPDATE ON round_log BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END;
CREATE TRIGGER round_log_lasts BEFORE DELETE ON round_log BEGIN SELECT RAISE(ABORT, 'the log is never cut'); END;

-- Coup numbers up to this one were used in a future that a restore has undone; the next coup follows it.
ALTER TABLE tables ADD COLUMN skipped_to INTEGER NOT NULL DEFAULT 0;

-- One row: how many transactions have changed anything. It tells whether a commit that failed was kept all the same.
CREATE TABLE commits (
    only_one  INTEGER PRIMARY KEY CHECK (only_one = 1),
    number    INTEGER NOT NULL
);
INSERT INTO commits VALUES (1, 0);

-- What is written and forgotten to find out whether anything can be written.
CREATE TABLE pulse (
    beat  BLOB NOT NULL
);
