"""Experiments: the papers' tables and figures, drawn again from games that were really played."""
