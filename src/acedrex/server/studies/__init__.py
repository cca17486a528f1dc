"""Studies: chapters with trees of moves and texts, which several people write at once."""
