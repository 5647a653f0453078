"""The pages, server-rendered: one blueprint a module."""

from __future__ import annotations

from flask import Blueprint

from web.pages.again import again
from web.pages.batches import batches
from web.pages.inline import inline
from web.pages.jobs import jobs
from web.pages.keeping import keeping
from web.pages.language import language
from web.pages.make import make
from web.pages.names import names
from web.pages.person import person
from web.pages.record import gallery  # with the routes of its records
from web.pages.settings import settings
from web.pages.shared import shared
from web.pages.start import start
from web.pages.stats import stats
from web.pages.vendor import vendor
from web.pages.words import words

blueprints: list[Blueprint] = [
    vendor,
    words,
    names,
    inline,
    language,
    start,
    make,
    jobs,
    batches,
    gallery,
    person,
    settings,
    again,
    shared,
    keeping,
    stats,
]
