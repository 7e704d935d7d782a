"""Behind one contract: SQLite (one writer, group commit) and memory (for simulations)."""
