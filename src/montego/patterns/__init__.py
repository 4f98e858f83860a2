"""Knowledge of small shapes, as data."""
