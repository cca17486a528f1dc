"""What mails about accounts say, in the languages of the app."""

# ruff: noqa: RUF001 - French has typographic apostrophes.

from __future__ import annotations

from collections.abc import Sequence

from acedrex.server.mail import Letter

TEXTS = {
    "en": {
        "confirm": "Confirm your address",
        "confirm.text": "{name} wants to use this address for an account on {home}.\n\n"
        "If that is you, open this link within 24 hours:\n{link}\n\nIf not, ignore this mail.",
        "recover": "Choose a new password",
        "recover.text": "Somebody, probably you, asked for a new password for an account on {home}.\n\n"
        "{links}\n\nA link is valid for an hour and works once. If it was not you, ignore this mail: "
        "your password stays.",
        "recover.link": "{name}:\n{link}",
        "notice": "Your account was changed",
        "notice.text": "{name}, {what} on {home}.\n\nIf it was not you, choose a new password now:\n{home}/account",
        "password": "your password was changed",
        "recovery": "your recovery code was replaced",
        "passkey_added": "a passkey was added to your account",
        "passkey_removed": "a passkey was removed from your account",
        "address": "this address was removed from your account",
    },
    "fr": {
        "confirm": "Confirmez votre adresse",
        "confirm.text": "{name} souhaite utiliser cette adresse pour un compte sur {home}.\n\n"
        "Si c’est vous, ouvrez ce lien dans les 24 heures :\n{link}\n\nSinon, ignorez ce message.",
        "recover": "Choisissez un nouveau mot de passe",
        "recover.text": "Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour un compte sur {home}.\n\n"
        "{links}\n\nUn lien est valable une heure, une seule fois. Si ce n’était pas vous, ignorez ce message : "
        "votre mot de passe ne change pas.",
        "recover.link": "{name} :\n{link}",
        "notice": "Votre compte a été modifié",
        "notice.text": "{name}, {what} sur {home}.\n\n"
        "Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe :\n{home}/account",
        "password": "votre mot de passe a été changé",
        "recovery": "votre code de secours a été remplacé",
        "passkey_added": "une clé d’accès a été ajoutée à votre compte",
        "passkey_removed": "une clé d’accès a été retirée de votre compte",
        "address": "cette adresse a été retirée de votre compte",
    },
}


def confirm(language: str | None, to: str, name: str, link: str, home: str) -> Letter:
    """Return the mail with the link that confirms an address."""
    return _letter(language, to, "confirm", name=name, link=link, home=home)


def recover(language: str | None, to: str, links: Sequence[tuple[str, str]], home: str) -> Letter:
    """Return the mail with the links for new passwords of some accounts, by name."""
    line = TEXTS[language or "en"]["recover.link"]
    shown = "\n\n".join(line.format(name=name, link=link) for name, link in links)
    return _letter(language, to, "recover", links=shown, home=home)


def notice(language: str | None, to: str, name: str, what: str, home: str) -> Letter:
    """Return the mail that says what has changed about an account."""
    return _letter(language, to, "notice", name=name, what=TEXTS[language or "en"][what], home=home)


def _letter(language: str | None, to: str, kind: str, **values: str) -> Letter:
    texts = TEXTS[language or "en"]
    return Letter(to, f"{texts[kind]} · Acedrex", texts[f"{kind}.text"].format(**values) + "\n")
