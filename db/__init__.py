"""The database: tables, connections, and the repository. All queries of Consistency Arena are here."""

from db.repository import Repository
from db.session import Database, connect, masked

__all__ = ["Database", "Repository", "connect", "masked"]
