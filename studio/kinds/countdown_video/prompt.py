"""What a model is told about a countdown brief."""

from __future__ import annotations

from studio.brief import Brief
from studio.kinds.countdown_video.params import MIN_FINALE_S, CountdownVideoParams

TEMPLATE = """\
Make a short film that counts down to a greeting. The whole brief is in /testbed/input/brief.json (its `params`), \
attachments lie beside it, documents in /testbed/documents; /testbed/input/run.json holds a `seed` for choices that \
may vary.

What the person wants, in their own words:
{wish}

For {name!r}, in the style: {style}. Language of every text (BCP 47): {language}.

Deliver to /testbed/output:
- countdown.mp4: {width} × {height} px, {fps:g} frames a second, {duration:g} s. It counts from {start} to {end}, each \
number for the same time ({slot:.2f} s each if they share all the time before a finale of {finale:g} s, or one second \
each), then shows: {words!r}.{photo} {music}
- description.md: what the film shows and says, for people who cannot see or hear it: its course in time, its colours.

Colours: background {background}, primary {primary}, secondary {secondary}, accent {accent}.

How it is judged, by programs in a clean sandbox:
{checks}

What good looks like: each number is at least 35 % of the short side high, in front of everything, with an outline or \
ground that gives 4.5 : 1. It enters with anticipation and overshoot and leaves before the next; nothing moves \
linearly. The background lives all the time (drifting shapes, parallax, someone who watches), the finale bursts: \
confetti with gravity and drag. 5 % at each side stay free of words. Digits are plain figures in one piece of text, or \
nobody reads them in half a second. Sound: a soft bed, a note at each number that climbs to the finale, a chord at the \
end; about −16 LUFS, no clipping, AAC 128k.

Draw frames with a program and write them straight into ffmpeg's standard input (`-f rawvideo`), layers that do not \
change drawn once; a preset of libx264 such as veryfast; `-pix_fmt yuv420p -movflags +faststart`. Python with NumPy, \
SciPy, Pillow (with raqm for scripts that need shaping), Matplotlib, uharfbuzz and pyFluidSynth, ffmpeg, a \
headless Chromium and Noto fonts for many scripts are installed; `cat /opt/studio/README` says what else. Read \
brief.json instead of copying its values. A command that runs long takes a `timeout` of up to 600. Look at a contact \
sheet of your frames, one a second, before you submit; `studio-check` runs the same checks on your outputs.
"""


def countdown_prompt(brief: Brief, params: CountdownVideoParams, checks: list[tuple[str, str]]) -> str:
    """The task in words; `checks` are pairs of a check's id and what it expects."""
    finale = max(MIN_FINALE_S, min(4.0, 0.2 * params.duration_s))
    finale = max(MIN_FINALE_S, min(finale, params.duration_s - 0.4 * len(params.numbers)))
    return TEMPLATE.format(
        wish=brief.prompt.strip() or "(nothing further; the parameters say it all)",
        name=params.name,
        style=params.style or "yours to choose",
        language=brief.language,
        width=params.width,
        height=params.height,
        fps=params.fps,
        duration=params.duration_s,
        start=params.start,
        end=params.end,
        slot=(params.duration_s - finale) / len(params.numbers),
        finale=round(finale, 2),
        words=params.words,
        photo=f" The photo /testbed/input/{params.photo} is part of the finale." if params.photo else "",
        music="With a soft AAC track." if params.music else "Without sound.",
        background=params.colors.background,
        primary=params.colors.primary,
        secondary=params.colors.secondary,
        accent=params.colors.accent,
        checks="\n".join(f"- {name}: {expected}" for name, expected in checks),
    )
