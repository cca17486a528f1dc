"""Definitions of other programs as definitions of Acedrex, and the other way round.

Nothing is dropped in silence: what a definition cannot say is listed beside it.
"""

from acedrex.convert.diagrams import convert_diagram
from acedrex.convert.reading import Converted, VariantsError, built_in, read_variants
from acedrex.convert.variants import convert_variant
from acedrex.convert.writing import write_variant

__all__ = [
    "Converted",
    "VariantsError",
    "built_in",
    "convert_diagram",
    "convert_variant",
    "read_variants",
    "write_variant",
]
