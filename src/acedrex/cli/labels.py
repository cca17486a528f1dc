"""Translations of the labels between a game's own texts on its page of rules."""

from __future__ import annotations

__all__ = ["LABELS", "say"]

#: The labels by language and English text.
LABELS = {
    "fr": {
        "Starting position": "La position de départ",
        "Capital letters are White's pieces, small letters Black's.": (
            "Les capitales sont les pièces des Blancs, les petites lettres celles des Noirs."
        ),
        "Pieces": "Les pièces",
        "Special rules": "Règles particulières",
        "How the game ends": "La fin",
        "Options": "Options",
        "Remarks": "Remarques",
        "History": "Histoire",
        "{files} files, {ranks} ranks, {army} pieces per side of {kinds} types.": (
            "{files} colonnes, {ranks} rangées, {army} pièces par camp de {kinds} types."
        ),
        "{files} files, {ranks} ranks, {army} pieces per side of one type.": (
            "{files} colonnes, {ranks} rangées, {army} pièces par camp d\N{RIGHT SINGLE QUOTATION MARK}un seul type."
        ),
        "{count:,} setups, on {squares}: from number 1, {first}, to number {count:,}, {last}.": (
            "{count} dispositions, sur {squares}\N{NO-BREAK SPACE}: du numéro 1, {first}, au numéro {count}, {last}."
        ),
        "The setup shown is number {number}, {name}.": "La position montrée est le numéro {number}, {name}.",
        " and on ": " et sur ",
        "Only with an option:": "Seulement avec une option\N{NO-BREAK SPACE}:",
        "from {squares} also {move}": "depuis {squares} aussi {move}",
        "{piece}: {facts}": "{piece}\N{NO-BREAK SPACE}: {facts}",
        "royal": "royal",
        "value {value}": "valeur {value}",
        "inventor": "inventeur",
        "or": "ou",
        "Becomes {pieces}.": "Devient {pieces}.",
        "Values: {values}. Default {default}.": (
            "Valeurs\N{NO-BREAK SPACE}: {values}. Par défaut\N{NO-BREAK SPACE}: {default}."
        ),
        "Values: {values}. Default {default}, here {chosen}.": (
            "Valeurs\N{NO-BREAK SPACE}: {values}. Par défaut\N{NO-BREAK SPACE}: {default}, ici {chosen}."
        ),
        "Choose them after the game's name: {example}": (
            "On les choisit après le nom du jeu\N{NO-BREAK SPACE}: {example}"
        ),
    }
}


def say(language: str, english: str, **values: object) -> str:
    """Return a label in a language, or in English if it has no translation, with its placeholders filled."""
    return LABELS.get(language, {}).get(english, english).format(**values)
