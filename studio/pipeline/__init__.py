"""Where all of it meets: an order becomes an outcome, and a job an artifact."""
