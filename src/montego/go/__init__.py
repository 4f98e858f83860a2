"""The game of Go: board, rules, scoring, tactics, text and SGF. It has no opinion about moves."""
