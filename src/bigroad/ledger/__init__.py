"""Every movement of money as a balanced transfer that is safe to apply twice.

The model is TigerBeetle's: accounts, append-only transfers with deterministic keys, and stakes that are *pending*
until they are posted or voided. Amounts are integers of the minor unit.
"""
