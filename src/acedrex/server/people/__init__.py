"""People: guests, those of them with accounts, their sessions and tokens, and the names that they may choose."""
