"""The database: models, session, and the repository, which is the only place with queries.

Part of Consistency Arena.
"""

from db.repository import Repository
from db.session import Database, connect, masked

__all__ = ["Database", "Repository", "connect", "masked"]
