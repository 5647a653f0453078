"""The agent: the loop between a model and a sandbox, its budgets and its prompts."""

from __future__ import annotations

from studio.agent.attendance import Attendant
from studio.agent.budget import Budget, Prices
from studio.agent.fetching import record_network
from studio.agent.loop import Agent, Finish
from studio.agent.prompts import opening, prompt_hashes
from studio.agent.recorder import Recorder

__all__ = [
    "Agent",
    "Attendant",
    "Budget",
    "Finish",
    "Prices",
    "Recorder",
    "opening",
    "prompt_hashes",
    "record_network",
]
