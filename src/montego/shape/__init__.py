"""Local shape features, the linear value function over them, and its update."""

from montego.patterns.files import Provenance
from montego.shape.features import SETS, WINDOWS, ShapeError
from montego.shape.shipped import shipped_weights
from montego.shape.weights import ShapeValue

__all__ = ["SETS", "WINDOWS", "Provenance", "ShapeError", "ShapeValue", "shipped_weights"]
