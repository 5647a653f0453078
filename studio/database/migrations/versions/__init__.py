"""Alembic's scripts, run by `Database.migrate`."""
