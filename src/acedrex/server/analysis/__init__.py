"""Analysis: trees of moves, processes that search, and reviews of whole games."""
