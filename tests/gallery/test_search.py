"""Words: what finds a work, in which order, in which scripts; and that the index keeps in step with the works."""

from __future__ import annotations

import io

import pytest

from studio import gallery, jobs
from studio.blobs import Blobs
from studio.database import Database
from studio.database.words import asked, index_words, sort_key, tokens_of
from studio.errors import BriefError
from studio.gallery import Wanted
from studio.jobs import FileView, JobEnd
from studio.settings import Settings
from tests.gallery.conftest import FILES, REPORT, Publish
from tests.jobs.making import claimed, request_for


def found(db: Database, q: str, **more: object) -> list[str]:
    page = gallery.list_artifacts(db, Wanted(q=q, **more))  # type: ignore[arg-type]
    return [item.title for item in page.data]


def test_words_are_found_whatever_their_case_accents_width_and_order(db: Database, publish: Publish) -> None:
    publish("Fête du Café", prompt="Naïve Σίσυφος, ｆｕｌｌ width; Ёлка")
    for words in ("fete", "CAFÉ", "café fête", "naive", "ΣΊΣΥΦΟΣ", "full", "елка", "cafe\u0301", "“fête”, (du)"):
        assert found(db, words) == ["Fête du Café"], words
    for words in ("fetes", "aive", "!!!", "fete tea", "'--", '" OR 1', "NEAR(fete", "*", "\\"):
        assert found(db, words) == [], words


def test_the_beginning_of_a_word_finds_it_behind_what_has_the_whole_word(db: Database, publish: Publish) -> None:
    publish("Art for all")
    publish("Artificial minds")
    assert found(db, "art") == ["Art for all", "Artificial minds"]
    assert found(db, "artif") == ["Artificial minds"]


@pytest.mark.parametrize(
    ("title", "words", "others"),
    [
        (
            "港湾音乐会之夜",
            ["音乐", "音乐会", "港", "夜", "会之", "港湾 之夜"],
            ["音会", "乐音", "夜港"],
        ),
        ("京都さくらまつり", ["さくら", "京都", "まつ", "り"], ["さま", "京さ"]),
        ("서울 봄 음악회", ["음악", "봄", "서울 음악회"], ["악음"]),
        ("งานเทศกาลอาหาร", ["เทศกาล", "อาหาร"], ["หารอา"]),
        ("أمسية موسيقى", ["موسيقى", "أَمْسِيَة"], ["موقى"]),
        ("AI会议2026", ["ai", "会议", "2026", "AI会议", "会议2026"], ["议会"]),
    ],
)
def test_scripts_without_blanks_are_found_by_their_parts(
    db: Database, publish: Publish, title: str, words: list[str], others: list[str]
) -> None:
    publish(title)
    publish("Another")
    for word in words:
        assert found(db, word) == [title], word
    for word in others:
        assert found(db, word) == [], word


def test_the_best_come_first_and_each_tier_newest_first(db: Database, publish: Publish) -> None:
    publish("One", prompt="a harbour")
    publish("Harbour lights")
    publish("Two", tags=["harbour"])
    publish("Old harbour")
    publish("Three", prompt="harbours and harbouring")
    ranked = ["Old harbour", "Harbour lights", "Two", "One", "Three"]
    assert found(db, "harbour") == ranked
    pages, cursor = [], None
    while True:
        page = gallery.list_artifacts(db, Wanted(q="harbour"), limit=2, cursor=cursor)
        pages += [item.title for item in page.data]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert pages == ranked
    newest = gallery.list_artifacts(db, Wanted(q="harbour"), sort="newest")
    assert [item.title for item in newest.data] == ["Three", "Old harbour", "Two", "Harbour lights", "One"]


def test_names_in_the_parameters_and_filters_with_words(db: Database, publish: Publish) -> None:
    publish("Quiet", tags=["jazz club"], language="zh-Hans", prompt="drums")
    publish("Loud", tags=["jazz"], prompt="drums")
    assert found(db, "hall") == ["Loud", "Quiet"], "the venue is a parameter"
    assert found(db, "drums", language="zh") == ["Quiet"]
    assert found(db, "drums", language="zh-HANS", kind="poster", made="recipe") == ["Quiet"]
    assert found(db, "drums", language="zh-Hant") == []
    assert found(db, "", tag="jazz club") == ["Quiet"]
    assert found(db, "jazz") == ["Loud", "Quiet"]


def test_sorts_by_title_and_stars_go_on_where_they_stopped(db: Database, publish: Publish) -> None:
    ids = {title: publish(title) for title in ("«Émile»", "delta", "Alpha", "“echo”", "Bravo")}
    gallery.star(db, ids["delta"], caller="a")
    for caller in ("a", "b"):
        gallery.star(db, ids["Bravo"], caller=caller)

    def walk(sort: str, **wanted: str) -> list[str]:
        titles: list[str] = []
        cursor = None
        while True:
            page = gallery.list_artifacts(db, Wanted(**wanted), sort=sort, cursor=cursor, limit=2)  # type: ignore[arg-type]
            titles += [item.title for item in page.data]
            cursor = page.next_cursor
            if cursor is None:
                return titles

    assert walk("title") == ["Alpha", "Bravo", "delta", "“echo”", "«Émile»"]
    assert walk("title", kind="poster", made="recipe") == walk("title")
    assert walk("stars") == ["Bravo", "delta", "“echo”", "Alpha", "«Émile»"]
    assert walk("stars", model="openai:x") == []
    assert gallery.get(db, ids["Bravo"]).stars == 2


def test_a_cursor_of_another_order_and_an_order_that_does_not_fit_are_refused(db: Database, publish: Publish) -> None:
    for title in ("a", "b"):
        publish(title)
    cursor = gallery.list_artifacts(db, limit=1).next_cursor
    for sort in ("title", "stars"):
        with pytest.raises(BriefError, match="next_cursor"):
            gallery.list_artifacts(db, sort=sort, cursor=cursor)  # type: ignore[arg-type]
        with pytest.raises(BriefError, match="match"):
            gallery.list_artifacts(db, Wanted(q="a"), sort=sort)  # type: ignore[arg-type]
    with pytest.raises(BriefError, match="words"):
        gallery.list_artifacts(db, sort="match")
    for broken in ("W10", "WyJuZXdlc3QiLDAsMWUzMDBd", "bm90aGluZw", "é"):
        with pytest.raises(BriefError, match="next_cursor"):
            gallery.list_artifacts(db, cursor=broken)


def test_other_tags_and_hiding_change_what_is_found_at_once(db: Database, publish: Publish) -> None:
    work = publish("Kite", tags=["wind"])
    publish("Boat", tags=["wind"])
    gallery.retag(db, work, ["paper", "paper", "天空"], caller="op")
    assert found(db, "wind") == ["Boat"]
    assert found(db, "天空") == found(db, "", tag="paper") == found(db, "paper") == ["Kite"]
    gallery.hide(db, work, "not ours to show", caller="op")
    assert found(db, "paper") == []
    assert found(db, "paper", audience="hidden") == ["Kite"]
    facets = gallery.facets(db)
    assert (facets.total, [(facet.value, facet.number) for facet in facets.tag]) == (1, [("wind", 1)])
    gallery.unhide(db, work, caller="op")
    assert found(db, "kite") == ["Kite"]
    assert {facet.value: facet.number for facet in gallery.facets(db).tag} == {"wind": 1, "paper": 1, "天空": 1}
    assert [(facet.value, facet.number) for facet in gallery.facets(db).made] == [("recipe", 2)]


def test_a_text_equivalent_is_found_once_upkeep_has_read_it(db: Database, settings: Settings) -> None:
    blobs = Blobs(settings.data_dir / "blobs")
    sha256, size = blobs.put_stream(io.BytesIO("# 配色\nDeep ultramarine \xff\n".encode()))
    text = FileView(path="design_specs.md", media_type="text/markdown", bytes=size, sha256=sha256)
    job = jobs.create(db, request_for("Plain"), settings, caller="test")
    made = gallery.publish(db, claimed(db, job), JobEnd("published", report=REPORT, files=(*FILES, text)))
    assert made
    assert found(db, "plain") == ["Plain"]
    assert found(db, "ultramarine") == []
    assert gallery.index_texts(db, blobs) == 1
    assert gallery.index_texts(db, blobs) == 0
    assert found(db, "ultramarine") == found(db, "配色") == ["Plain"]


def test_tokens() -> None:
    assert list(tokens_of("Wi-Fi ☕️ 2.0")) == ["wi", "fi", "2", "0"]
    assert list(tokens_of("乐会")) == ["乐会", "会"]
    assert list(tokens_of("がか")) == ["がか", "か"], "voicing marks tell words apart"
    assert [part.tokens for part in asked("音乐会", "c")] == [("c音乐", "c乐会")]
    assert sort_key("  “The” Ångström") == "the” angstrom"
    many = index_words(filters=["x"], title="a", tags=[], names=[], prompt="w " * 50_000, text="").split()
    assert len(many) == 12_000
