"""`python3 -m inspector FOLDER OUTPUTS`: see `runner.main`."""

from __future__ import annotations

from sandbox_image.inspector.runner import main

main()
