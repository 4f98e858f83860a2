"""Learning from self-play. Nothing imports this but the lab and the commands."""
