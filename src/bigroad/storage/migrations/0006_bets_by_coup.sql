-- One bet a patron and coup, found by the coup: bets are added at the end of this index. Of an index by patron each bet
-- touches a page of its own, and there is one of those left, by time.
CREATE UNIQUE INDEX bets_by_coup ON bets (coup_key, patron_id);
DROP INDEX bets_by_patron;
