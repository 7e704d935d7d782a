"""Kinds of games as data: each file of this folder is one. An operator's own lie in a folder of theirs."""
