"""Definitions of other programs as definitions of Acedrex, and the other way round.

Nothing is dropped in silence: what a definition cannot say is listed beside it.
"""

from acedrex.convert.reading import Converted, VariantsError, read_variants
from acedrex.convert.variants import convert_variant

__all__ = ["Converted", "VariantsError", "convert_variant", "read_variants"]
