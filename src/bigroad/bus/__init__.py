"""Carry the news of tables to whoever has sockets there."""
