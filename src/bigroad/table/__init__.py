"""State + command + time → state, events, next deadline. Pure: cards, money and time come in as values."""
