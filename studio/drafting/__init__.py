"""Drafts: one sentence becomes a brief that a person corrects. Nothing is queued here.

A model fills it where one is set up, by one call without tools; else plain rules fill what they are sure of. What is
kept says who filled it, what was left empty, and what it cost.
"""

from studio.drafting.filling import Filled, choose_kind, fill_by_rule
from studio.drafting.service import DraftView, drafting_model, get, start

__all__ = ["DraftView", "Filled", "choose_kind", "drafting_model", "fill_by_rule", "get", "start"]
