"""The database: its tables and their history, writes in groups, cards of matches, and backups."""
