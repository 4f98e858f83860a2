"""Players: whatever chooses a move in a game."""
