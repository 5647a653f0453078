"""Where the studio's state lives: the connection, the tables, and the migrations that make them."""

from studio.database.engine import Database, open_database
from studio.database.paging import Page
from studio.database.postgres import alone
from studio.database.types import new_id

__all__ = ["Database", "Page", "alone", "new_id", "open_database"]
