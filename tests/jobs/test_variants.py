"""Variants: several jobs of one brief, each with a seed of its own."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from studio import jobs
from studio.brief import variant_seeds
from studio.database import Database
from studio.settings import Settings
from tests.jobs.making import request_for


def test_so_many_jobs_are_made_and_lead_to_each_other(db: Database, settings: Settings) -> None:
    request = request_for(run={"variants": 3, "seed": 7}, tags=["both"])
    first = jobs.create(db, request, settings, caller="test")
    found = [jobs.get(db, job_id) for job_id in (first.id, *first.siblings)]
    assert [job.variant for job in found] == [1, 2, 3]
    assert found[0].run.seed == 7
    assert len({job.run.seed for job in found}) == 3
    assert {job.run.variants for job in found} == {1}, "tried again, one job is one job"
    assert all(job.tags == ["both"] and job.state == "queued" for job in found)
    second = found[1]
    assert set(second.siblings) == {found[0].id, found[2].id}
    assert second.links["variant_1"] == f"/api/v1/jobs/{found[0].id}"
    assert second.links["variant_3"] == f"/api/v1/jobs/{found[2].id}"
    assert jobs.retry(db, second.id, settings, caller="test").siblings == []


def test_a_seed_follows_the_layout_and_not_the_names(db: Database, settings: Settings) -> None:
    seeds = [jobs.create(db, request_for(name), settings, caller="test").run.seed for name in ("A", "Quite another")]
    assert seeds[0] == seeds[1]


@pytest.mark.parametrize("number", [0, 5])
def test_one_to_four(number: int) -> None:
    with pytest.raises(ValidationError, match="variants"):
        request_for(run={"variants": number})


def test_seeds_stay_apart() -> None:
    for seed in (0, 1, 2**32 - 1, 2**53 - 1):
        assert len(set(variant_seeds(seed, 4))) == 4
        assert variant_seeds(seed, 4)[0] == seed
