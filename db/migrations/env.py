"""Alembic's entry point. It migrates on the connection that db.migrate provides."""

from alembic import context

from db.models import Base

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=Base.metadata, transactional_ddl=False)
context.run_migrations()
