"""Runs the migrations on the connection that :mod:`acedrex.server.migrate` opened."""

from alembic import context

from acedrex.server.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
