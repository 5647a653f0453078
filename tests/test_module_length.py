"""No module over 400 lines: one obvious place for each thing."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("studio", "tasks", "web", "sandbox_image", "setup", "tests")
ENDINGS = {".py", ".js", ".css", ".sh"}
OTHERS = {"vendor", "node_modules", "__pycache__"}
LIMIT = 400


def test_no_module_is_over_400_lines() -> None:
    long = {}
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in ENDINGS and not OTHERS & set(path.parts) and path.is_file():
                lines = len(path.read_text(encoding="utf-8").splitlines())
                if lines > LIMIT:
                    long[str(path.relative_to(ROOT))] = lines
    assert not long, "what is the second thing that each of these does?"
