"""The web application: `create_app` puts pages, API and content origin together."""

from __future__ import annotations

from flask import Flask

from studio.blobs import open_blobs
from studio.database import open_database
from studio.settings import Settings
from web import api, content, i18n, pages, problems, security, signin
from web.security_hosts import Site
from web.state import SetupState, Studio
from web.streams import EventHub
from web.urls import FilePath, RowId

MAX_BODY_BYTES = 60 << 20
MAX_FORM_BYTES = 2 << 20  # the text fields of a form together; files are not among them


def create_app(settings: Settings) -> Flask:
    """The application for a database that is migrated already. Raises ConfigurationError."""
    db = open_database(settings)
    site = Site.of(settings)
    setup = SetupState(settings.data_dir / "setup.json")
    services = Studio(settings, db, open_blobs(settings), setup, site, EventHub(db))
    app = Flask("web")
    app.extensions["studio"] = services
    app.config.update(MAX_CONTENT_LENGTH=MAX_BODY_BYTES, MAX_FORM_MEMORY_SIZE=MAX_FORM_BYTES, MAX_FORM_PARTS=2000)
    app.url_map.converters.update(file=FilePath, id=RowId)
    app.url_map.merge_slashes = False
    i18n.install(app)
    problems.install(app)
    csrf = security.install(app, services, open_to_machine=security.is_open(site, db))
    for blueprint in (api.blueprint, api.health):
        csrf.exempt(blueprint)
    for blueprint in (api.blueprint, api.health, signin.blueprint, content.own_content, *pages.blueprints):
        app.register_blueprint(blueprint)
    app.jinja_env.globals.update(
        csp_nonce=security.csp_nonce,
        content_url=content.url,
        content_frame_origin=content.frame_origin,
        principal=security.principal,
    )
    app.wsgi_app = content.ContentDispatch(app.wsgi_app, content.content_app(services), site)  # type: ignore[method-assign]
    return app
