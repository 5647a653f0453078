"""The OpenAPI description against the running server: requests made from it, and from its opposite."""

from __future__ import annotations

import httpx
import hypothesis
import pytest
import schemathesis
from schemathesis import checks
from schemathesis.specs.openapi import checks as openapi_checks

from tests.web.seeding import brief
from tests.web.served import Served
from web.api.openapi import document

schema = schemathesis.openapi.from_dict(document())

CHECKS = [
    checks.not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_schema_conformance,
    openapi_checks.response_headers_conformance,
    openapi_checks.negative_data_rejection,
    openapi_checks.missing_required_header,
    openapi_checks.unsupported_method,
]
LOOSE = {
    ("POST", "/jobs"),  # a blank text stands for one that is not given, as forms send it
    ("POST", "/batches"),  # a line that does not hold is told among the errors
    ("POST", "/uploads"),  # a file's content is a file's content, whatever it looks like
}
QUICK = hypothesis.settings(derandomize=True, max_examples=5, deadline=None, database=None)
LONG = hypothesis.settings(max_examples=300, deadline=None, suppress_health_check=list(hypothesis.HealthCheck))


@pytest.fixture(scope="session")
def ended(opened: Served) -> dict[str, str]:
    """Ids of things that are there."""
    rejected = opened.seed.rejected(brief("Described"))
    return {"job_id": rejected.id, "artifact_id": opened.seed.published(brief("Described too"))}


def check(case: schemathesis.Case, opened: Served) -> None:
    answer = case.call(base_url=f"{opened.url}/api/v1")
    if answer.status_code == 414:
        return  # the server's own limit for the first line of a request
    loose = [openapi_checks.negative_data_rejection] if (case.method, case.operation.path) in LOOSE else []
    case.validate_response(answer, checks=CHECKS, excluded_checks=loose)


def known(case: schemathesis.Case, ids: dict[str, str]) -> schemathesis.Case:
    """The case with ids of things that are there."""
    for name, value in ids.items():
        if name in case.path_parameters:
            case.path_parameters[name] = value
    return case


def test_the_server_serves_the_description(http: httpx.Client) -> None:
    served = http.get("/api/v1/openapi.json").json()
    assert served == document()
    assert served["openapi"] == "3.1.0"


@schema.parametrize()
@QUICK
def test_requests_made_from_the_description(case: schemathesis.Case, opened: Served) -> None:
    check(case, opened)


@(schema.include(path_regex="_id}").parametrize())
@QUICK
def test_requests_for_things_that_are_there(case: schemathesis.Case, opened: Served, ended: dict[str, str]) -> None:
    check(known(case, ended), opened)


@pytest.mark.slow
@schema.parametrize()
@LONG
def test_many_requests_made_from_the_description(case: schemathesis.Case, opened: Served) -> None:
    check(case, opened)
