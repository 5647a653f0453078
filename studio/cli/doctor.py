"""`studio doctor`: what is found here, what is missing, and what to do."""

from __future__ import annotations

import json

import click

from studio.doctor import Finding, examine
from studio.settings import Settings


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def command(as_json: bool) -> int:
    """Say of each thing that is needed whether it is there, and which protections and limits hold."""
    findings = examine(Settings())
    ok = all(finding.ok for finding in findings if finding.required)
    if as_json:
        told = [
            {
                "name": finding.name,
                "ok": finding.ok,
                "required": finding.required,
                "found": finding.found,
                "remedy": "" if finding.ok else finding.remedy,
            }
            for finding in findings
        ]
        click.echo(json.dumps({"ok": ok, "checks": told}, indent=2))
    else:
        for finding in findings:
            _print(finding)
        click.echo("\nAll that is needed is here." if ok else "\nSomething that is needed is missing: see above.")
    return 0 if ok else 4


def _print(finding: Finding) -> None:
    mark = "ok" if finding.ok else "MISSING" if finding.required else "note"
    click.echo(f"{mark:8}{finding.name}: {finding.found}")
    if not finding.ok and finding.remedy:
        click.echo(f"{'':8}→ {finding.remedy}")
