"""Scripted people who hold whole interviews over the wire: what `manage.py simulate` plays (docs/simulation.md).

Nothing here reaches the database: it speaks HTTP and WebSocket to any running server, as browsers do.
"""
