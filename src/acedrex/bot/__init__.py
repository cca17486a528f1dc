"""Bots: programs that speak UCI join a server and play whoever asks them."""

from __future__ import annotations

from acedrex.bot.client import BotError, Client
from acedrex.bot.player import Bot, Offer, Settings

__all__ = ["Bot", "BotError", "Client", "Offer", "Settings"]
