"""Turn committed seeds into cards that anyone can derive again.

What stands today is protocol `bigroad/0`: the house commits to a seed per coup before betting opens and reveals it with
the cards (`deal`). Its bytes are described in the docstrings of `drbg`, `draw` and `deal`, and nothing else decides a
card. Protocol `bigroad/1` keeps `drbg` and `draw` as they are and replaces only what goes into the generator: its seed
chain, the patrons' contributions and their mix become modules of their own beside `deal`.

Pure, like the rules: seeds come in as bytes. Where they come from is the caller's business.
"""
