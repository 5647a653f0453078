"""Background work on Celery: generating, and upkeep."""
