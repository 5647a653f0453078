"""Alembic's entry: runs the migrations on the connection that `Database.migrate` hands over."""

from __future__ import annotations

from alembic import context

from studio.database import tables  # noqa: F401  # registers them all
from studio.database.base import Base
from studio.database.gallery_tables import is_of_an_index

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    compare_type=True,
    include_name=lambda name, kind, parents: not is_of_an_index(name),
)
with context.begin_transaction():
    context.run_migrations()
