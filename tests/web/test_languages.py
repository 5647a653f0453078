"""The pages in English and in Chinese: which one a person gets, and that all of a page is in it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import httpx
import pytest

from studio import gallery
from tests.web.reading import send, text_of, token, typed
from tests.web.seeding import brief
from tests.web.served import Served, served

CHINESE = "zh-CN,zh;q=0.9,en;q=0.5"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("studio")) as found:
        yield found


def asked(site: Served, path: str, language: str | None = CHINESE, cookie: str = "") -> httpx.Response:
    headers = {"Accept": "text/html"} | ({"Accept-Language": language} if language else {})
    return httpx.get(
        site.url.replace("localhost", "127.0.0.1") + path,
        headers=headers | {"Host": f"localhost:{site.port}"} | ({"Cookie": cookie} if cookie else {}),
    )


@pytest.mark.parametrize(
    ("language", "tag", "heading"),
    [
        (None, "en", "Gallery"),
        (CHINESE, "zh-Hans", "画廊"),
        ("zh-TW", "zh-Hans", "画廊"),
        ("fr,de;q=0.8", "en", "Gallery"),
        ("fr,zh;q=0.5", "zh-Hans", "画廊"),
    ],
)
def test_the_browser_chooses_the_language(site: Served, language: str | None, tag: str, heading: str) -> None:
    answer = asked(site, "/gallery", language)
    assert f'<html lang="{tag}"' in answer.text
    assert f"<h1>{heading}</h1>" in answer.text
    assert answer.headers["Content-Language"] == tag
    assert "Accept-Language" in answer.headers["Vary"]


@pytest.mark.parametrize(
    ("back", "where"),
    [("/gallery?kind=poster", "/gallery?kind=poster"), ("//evil.example/", "/"), ("https://evil.example", "/")],
)
def test_a_choice_is_kept_and_leads_back(site: Served, back: str, where: str) -> None:
    chosen = site.http.post("/language", data={"csrf_token": token(site), "language": "zh-Hans", "back": back})
    assert chosen.status_code == 303
    assert chosen.headers["Location"] == where
    kept = chosen.headers["Set-Cookie"]
    assert "HttpOnly" in kept
    assert "SameSite=Lax" in kept
    assert "画廊" in asked(site, "/gallery", "en", kept.partition(";")[0]).text
    site.http.cookies.clear()


def test_dates_and_numbers_are_those_of_the_language(site: Served) -> None:
    job = site.seed.queued(brief("某日"))
    made = job.created_at
    assert f"{made.day} {made:%B %Y}, {made:%H:%M} UTC" in text_of(asked(site, f"/jobs/{job.id}", "en").text)
    assert f"{made.year}年{made.month}月{made.day}日 {made:%H:%M}（UTC）" in asked(site, f"/jobs/{job.id}").text


def test_what_programs_read_is_english_always(site: Served) -> None:
    answer = httpx.get(
        f"http://127.0.0.1:{site.port}/api/v1/jobs/00000000-0000-7000-8000-000000000000",
        headers={"Accept-Language": CHINESE, "Host": f"localhost:{site.port}"},
    )
    assert answer.json()["detail"].isascii()


def test_a_refused_form_speaks_the_language(site: Served) -> None:
    site.http.headers["Accept-Language"] = CHINESE
    try:
        answer = send(
            site,
            typed(
                do="make",
                **{
                    "/brief/title": "",
                    "/brief/params/raster_height": "9",
                    "/brief/params/palette/primary": "blue",
                    "/brief/params/page/width_mm": "wide",
                },
            ),
        )
    finally:
        del site.http.headers["Accept-Language"]
    words = text_of(answer.text)
    assert "有 4 处需要修改" in words
    assert "标题 ： 请填写。" in words
    assert "PNG 高度（像素） ： 不能小于 200" in words
    assert "配色，主色" in words or "配色、主色" in words
    assert "请按 #RRGGBB 填写颜色。" in words
    assert "请填写数字。" in words


# What may stand in Latin letters on a Chinese page: names, formats, units, and what people or programs wrote.
_NAMES = """
    sandbox studio english zip csv json lines svg png pdf mp wav midi html markdown jpeg utc px mm km kb mb openai atif
    url qr rgb rrggbb bpm fps aac lufs dbtp xml moov yuv css http https id ocr recipe model api pip apt faststart
    gpx geojson studio_openai_base_url studio_openai_api_key instagram twitter us file_text name
"""
NAMES = frozenset(_NAMES.split())


def leftover(markup: str) -> set[str]:
    """English words of a Chinese page, without those that are somebody's or a program's."""
    body = markup.partition("<body")[2].partition(">")[2]
    body = re.sub(r"<(code|pre|textarea|bdi|time|datalist)\b.*?</\1>", " ", body, flags=re.DOTALL)
    body = re.sub(r'<(\w+)[^>]*\slang="[^"]*"[^>]*>.*?</\1>', " ", body, flags=re.DOTALL)
    body = re.sub(r'<(\w+)[^>]*\sdir="auto"[^>]*>[^<]*</\1>', " ", body, flags=re.DOTALL)
    attributes = " ".join(re.findall(r'\b(?:aria-label|title|placeholder|alt|data-is)="([^"]*)"', body))
    text = text_of(body) + " " + html.unescape(attributes)
    text = re.sub(r"/[\w./-]+|\b\w+\.(?:pdf|svg|png|mp4)\b", " ", text)  # without addresses and names of files
    words = re.findall(r"[A-Za-z][A-Za-z_]+", text)
    return {word for word in words if word.lower() not in NAMES}


def test_no_english_word_of_ours_is_left_on_a_chinese_page(site: Served) -> None:
    artifact = site.seed.published(brief("作品甲", "深蓝色", "zh-Hans"), model="模型", tags=["夜"])
    prepared = site.seed.published(brief("作品乙", "", "zh-Hans"))
    shared = gallery.set_visibility(site.db, prepared, "public", caller="本机").links["share"]
    rejected = site.seed.rejected(brief("作品丙", "", "zh-Hans"))
    failed = site.seed.failed(brief("作品丁", "", "zh-Hans"))
    running, claim = site.seed.running(brief("作品戊", "", "zh-Hans"))
    site.seed.work(claim)
    paths = [
        "/", "/gallery", "/gallery?q=没有", "/gallery?made=recipe&language=zh&sort=stars", "/gallery?hidden=1",
        "/stats", "/audit", "/sign-in", "/jobs", "/batches", "/settings", "/nowhere",
        *(f"/new/{kind}" for kind in ("poster", "travel_map", "countdown_video", "piano_piece", "open")),
        f"/artifacts/{artifact}", f"/artifacts/{prepared}", shared, f"/artifacts/{artifact}/trajectory",
        f"/jobs/{rejected.id}", f"/jobs/{failed.id}", f"/jobs/{running.id}", f"/jobs/{rejected.id}/revise",
    ]  # fmt: skip
    left = {path: found for path in paths if (found := leftover(asked(site, path).text))}
    assert left == {}, left
