"""A poster program as a model may write it: it reads the brief, and makes what the small poster's contract accepts."""

from __future__ import annotations

PROGRAM = """import json, subprocess, sys
event = json.load(open("/testbed/input/brief.json"))["params"]["event"]
lines = [event["name"], event["date"], event["venue"]]
text = '<text x="30" y="{}" font-size="{}">{}</text>'
words = "".join(text.format(120 + 100 * row, 36 if row else 48, line) for row, line in enumerate(lines))
svg = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="420mm" height="594mm" viewBox="0 0 420 594">'
    '<rect width="420" height="594" fill="#fff"/><rect y="450" width="420" height="144" fill="#1d3461"/>'
    f'<g font-family="DejaVu Sans" fill="#111">{words}</g></svg>'
)
open("/testbed/output/poster.svg", "w").write(svg)
subprocess.run("cd /testbed/output && rsvg-convert -h 400 poster.svg > poster.png", shell=True, check=True)
open("/testbed/output/design_specs.md", "w").write(f"# {event['name']}" + chr(10))
"""


def create(path: str, text: str) -> tuple[str, dict[str, str]]:
    """A call that writes a file."""
    return ("str_replace_editor", {"command": "create", "path": path, "file_text": text})
