"""Makes the figures of the dealers: shape, rig, skin, hair and uniform, from CC0 data and code alone."""
