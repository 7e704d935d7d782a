-- Accounts: a name and a password for a patron who was a guest. The name itself is patrons.nickname.
CREATE TABLE logins (
    patron_id           INTEGER PRIMARY KEY REFERENCES patrons,
    password            TEXT NOT NULL,             -- its argon2id hash, in the notation that names the parameters
    registered_utc_ms   INTEGER NOT NULL,
    password_utc_ms     INTEGER NOT NULL,          -- when the password was chosen
    one_time_until_utc_ms  INTEGER                 -- the operator's password for once; NULL: the patron's own
);

-- What names look like, so that no two look alike; a name has one or two.
CREATE TABLE looks (
    look       TEXT PRIMARY KEY,
    patron_id  INTEGER NOT NULL REFERENCES logins
) WITHOUT ROWID;
CREATE INDEX looks_by_patron ON looks (patron_id);

ALTER TABLE sessions ADD COLUMN seen_utc_ms INTEGER NOT NULL DEFAULT 0; -- last use; 0: not since it began
ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';        -- browser and system, in two words
CREATE INDEX sessions_by_patron ON sessions (patron_id);

-- Browsers that an account has signed in from: they are not kept waiting by the wrong tries of others.
CREATE TABLE devices (
    token_hash   BLOB PRIMARY KEY,
    patron_id    INTEGER NOT NULL REFERENCES logins,
    seen_utc_ms  INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX devices_by_patron ON devices (patron_id);
