"""Say what patrons have asked to be protected from, since when, and what is left of it.

Pure: moments and sums come in as values, answers go out as frozen records. Nothing here reads a clock or touches a
file.
"""
