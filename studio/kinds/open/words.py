"""What plain rules read of an open work in one sentence: which file is asked for."""

from __future__ import annotations

from studio.brief import JsonObject
from studio.kinds.sentence import Sentence

# Words for a file → its name and media type; the first that a sentence holds counts.
FILES: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("spreadsheet", "csv", "table", "表格"), "table.csv", "text/csv"),
    (("chart", "diagram", "drawing", "icon", "logo", "图表", "图标"), "picture.svg", "image/svg+xml"),
    (("web page", "website", "page", "game", "网页", "网站", "游戏"), "index.html", "text/html"),
    (("pdf", "leaflet", "手册"), "document.pdf", "application/pdf"),
    (("sound", "recording", "noise", "声音"), "sound.wav", "audio/wav"),
    (("story", "essay", "letter", "report", "text", "故事", "文章", "报告"), "text.md", "text/markdown"),
)
CALLED = tuple(word for words, _, _ in FILES for word in words)


def open_params(sentence: Sentence) -> JsonObject:
    """The file that is asked for, where its type is said."""
    for words, path, media_type in FILES:
        if sentence.has(words):
            return {"deliverables": [{"path": path, "media_type": media_type}]}
    return {}
