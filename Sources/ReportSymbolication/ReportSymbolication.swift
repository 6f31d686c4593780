// Joins a report with a resolver.
