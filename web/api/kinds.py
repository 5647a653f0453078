"""What can be made."""

from __future__ import annotations

from pydantic import BaseModel, Field

from studio.brief import Brief, JsonObject
from studio.errors import NotFound
from studio.kinds import ArtifactKind, all_kinds
from web.api.routing import Answer, router


class KindSummary(BaseModel):
    """A kind of artifact in a few words."""

    name: str
    label: str
    summary: str
    entry: str = Field(description="The deliverable that is shown; empty where each brief names its own.")
    has_recipe: bool = Field(description="Can prepared programs make it, with no model?")
    links: dict[str, str]


class SampleView(BaseModel):
    """A brief to start from."""

    name: str
    brief: Brief


class KindView(KindSummary):
    """A kind of artifact with all that is needed to write a brief of it."""

    params: JsonObject = Field(description="JSON Schema of the brief's `params`.")
    samples: list[SampleView]
    text_equivalent: str | None = Field(description="The deliverable that says in Markdown what the others show.")
    unmeasured: list[str] = Field(description="What no check measures.")
    recipe_ignores: list[str] = Field(description="Fields of the brief that the prepared programs never read.")


class KindList(BaseModel):
    """Every kind, by name."""

    data: list[KindSummary]


def _summary(kind: ArtifactKind) -> KindSummary:
    return KindSummary(
        name=kind.name,
        label=kind.label,
        summary=kind.summary,
        entry=kind.entry,
        has_recipe=kind.has_recipe,
        links={"self": f"/api/v1/kinds/{kind.name}", "page": f"/new/{kind.name}"},
    )


@router.route("GET", "/kinds", Answer(200, "Every kind.", KindList), tag="kinds")
def list_kinds() -> KindList:
    """What can be made"""
    return KindList(data=[_summary(kind) for kind in all_kinds().values()])


@router.route("GET", "/kinds/{kind}", Answer(200, "The kind.", KindView), tag="kinds", errors=(404,))
def get_kind(kind: str) -> KindView:
    """One kind: the JSON Schema of its parameters, and sample briefs"""
    found = all_kinds().get(kind)
    if found is None:
        raise NotFound(f"there is no kind {kind[:60]!r}; the studio makes: {', '.join(all_kinds())}")
    return KindView(
        **_summary(found).model_dump(),
        params=found.params_model.model_json_schema(),
        samples=[SampleView(name=sample.name, brief=sample.brief) for sample in found.samples()],
        text_equivalent=found.text_equivalent,
        unmeasured=list(found.unmeasured),
        recipe_ignores=list(found.recipe_ignores),
    )
