"""The inspector: judges the files that a job made. Runs inside a fresh sandbox, with the image's libraries.

It reads the contract, the brief and the manifest that the studio sends, opens the outputs, and prints one report.
Every file that it opens is hostile: each group of checks is a limited process of its own, and only the parent, which
opens no output itself, writes the report.

A check is one function in `checks/`, found by its decorator `@check(id)`.
"""
