"""What visitors may use of the server: budgets, fair queues, processes, connections."""
