"""What all tables have in common: their registry, and the type of their ids."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import MetaData, String
from sqlalchemy.orm import DeclarativeBase

from studio.database.types import UtcDateTime

Id = String(36)


class Base(DeclarativeBase):
    """The registry of tables. Constraints get names, so that a migration can speak of them on any database."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {datetime: UtcDateTime()}
