"""What is stored of people: a copy of it, its deletion on request, and the deletion of what is old."""
