"""The Go Text Protocol, both ways: our engine for clients, and a client for other engines."""
