"""The server's API over HTTP and WebSockets."""
