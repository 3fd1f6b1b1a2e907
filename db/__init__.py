"""The database: tables, connections, and the repository.

No other package makes queries. Part of Consistency Arena.
"""

from db.repository import Repository
from db.session import Database, connect, masked

__all__ = ["Database", "Repository", "connect", "masked"]
