"""What a model is told about an open brief."""

from __future__ import annotations

from studio.brief import Brief
from studio.kinds.open.media import MEDIA_TYPES
from studio.kinds.open.params import OpenParams

TEMPLATE = """\
Make what the person asks for. The whole brief is in /testbed/input/brief.json, attachments lie beside it, documents \
in /testbed/documents; /testbed/input/run.json holds a `seed` for choices that may vary.

What the person wants, in their own words:
{wish}

Language of all text (BCP 47): {language}.

Deliver to /testbed/output:
{files}
The first is what is shown in the gallery. Further files may lie beside these, where they are of use.

How it is judged, by programs in a clean sandbox without a network:
{checks}

No program can tell whether it is what was asked for; people will. So read the wish twice, do all of it, and do it \
well: true figures with their source, text that was proofread, a layout that holds at every size, sound and picture \
with a beginning and an end. Pages carry all that they need: no network, styles and scripts in the page or beside it. \
Put values that come from the brief into data that your programs read from brief.json, not into their code.

`cat /opt/studio/README` says what is installed. Look at what you made (render it, play it into figures, parse it \
again) before you submit; `studio-check` runs the same checks on your outputs.
"""


def open_prompt(brief: Brief, params: OpenParams, checks: list[tuple[str, str]]) -> str:
    """The task in words; `checks` are pairs of a check's id and what it expects."""
    files = []
    for each in params.deliverables:
        media = MEDIA_TYPES[each.media_type]
        files.append(f"- {each.path}: {media.label} ({media.name}), {'required' if each.must else 'optional'}")
    return TEMPLATE.format(
        wish=brief.prompt.strip(),
        language=brief.language,
        files="\n".join(files),
        checks="\n".join(f"- {name}: {expected}" for name, expected in checks),
    )
