"""A match without input or output: its events, the state that they give, its clock, and what commands do to it."""
