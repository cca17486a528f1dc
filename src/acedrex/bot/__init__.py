"""Bots: UCI programs that connect to a server and accept challenges."""

from __future__ import annotations

from acedrex.bot.client import BotError, Client
from acedrex.bot.player import Bot, Offer, Settings

__all__ = ["Bot", "BotError", "Client", "Offer", "Settings"]
