"""Play the whole floor in virtual time from one seed, with faults, and check everything after every step."""
