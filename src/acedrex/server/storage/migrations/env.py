"""Runs the migrations on the connection that :mod:`acedrex.server.storage.migrate` opened."""

from alembic import context

from acedrex.server.storage.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
