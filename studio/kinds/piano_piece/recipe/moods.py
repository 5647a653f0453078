"""What a mood means for the music, and which words in which languages name it."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Mood:
    """A row of the table below: how a mood sounds whatever its look is."""

    name: str
    manner: str  # as musicians write it over a score
    lowest: int  # pitch near which the melody's range begins
    bass: tuple[int, int]  # range of the bass
    loud: int  # velocity of a mezzo-forte melody
    arch: int  # by how much a phrase swells
    lively: float  # share of the lively rhythms, 0..1
    tempo: float  # where in the brief's range, 0..1
    pace_s: float  # seconds that a note of the left hand's figures lasts, as near as the meter has it
    colour: float  # how often the chords of `major` and `minor` stand in for plain ones, 0..1
    major: Mapping[str, str]  # the mode's colour: plain chord to those that may stand in for it, between blanks
    minor: Mapping[str, str]
    detached: float  # how long a short note sounds, of its value
    full_pedal: bool  # whether the pedal is held through a harmony
    doubled: bool  # whether the right hand adds thirds and sixths
    ending: str  # "authentic" or "plagal"
    slowing: float  # tempo of the last beat before the end, of the whole
    looks: tuple[str, ...]  # of `looks.LOOKS`; the seed takes one


# What tells the moods apart, each column a rule that one module follows: `melody` sings from `lowest` up, `harmony`
# keeps the bass in `bass`, `grammar` colours by `colour`, `major` and `minor`, `performance` plays `loud`, `arch`,
# `tempo`, `detached`, `full_pedal` and `slowing`, `left_hand` moves at `pace_s`, `rhythm` is as lively as `lively`.
CALM = Mood(
    name="calm", manner="tranquillo", lowest=64, bass=(40, 53), loud=62, arch=8, lively=0.12, tempo=0.3, pace_s=0.36,
    colour=0.3, major={"I": "Imaj7", "IV": "IVmaj7", "vi": "vi7"}, minor={"iv": "iv7", "VI": "VImaj7"},
    detached=1.0, full_pedal=True, doubled=False, ending="plagal", slowing=0.74,
    looks=("song", "cradle", "ostinato", "chorale"),
)  # fmt: skip
CHEERFUL = Mood(
    name="cheerful", manner="giocoso", lowest=69, bass=(43, 55), loud=78, arch=7, lively=0.8, tempo=0.9, pace_s=0.22,
    colour=0.7, major={"ii": "V7/V", "vi": "V7/ii", "IV": "V7/V", "I": "V7/IV"}, minor={"iv": "IV", "VI": "IV"},
    detached=0.62, full_pedal=False, doubled=True, ending="authentic", slowing=0.86,
    looks=("sonatina", "dance", "bounce"),
)  # fmt: skip
SOLEMN = Mood(
    name="solemn", manner="solenne", lowest=57, bass=(34, 46), loud=70, arch=10, lively=0.0, tempo=0.0, pace_s=0.7,
    colour=0.35, major={"IV": "iv bVII", "ii": "iv"}, minor={"iio": "N", "V": "v"},
    detached=1.0, full_pedal=True, doubled=True, ending="plagal", slowing=0.7,
    looks=("chorale", "procession", "elegy"),
)  # fmt: skip
DREAMY = Mood(
    name="dreamy", manner="sognando", lowest=71, bass=(41, 53), loud=54, arch=10, lively=0.25, tempo=0.15, pace_s=0.24,
    colour=0.8, major={"I": "Imaj7", "ii": "ii7", "IV": "II IVmaj7 iv", "vi": "vi7", "iii": "iii7"},
    minor={"i": "i7", "iv": "IV iv7", "VI": "VImaj7", "III": "IIImaj7", "V": "v"},
    detached=1.0, full_pedal=True, doubled=False, ending="plagal", slowing=0.68,
    looks=("nocturne", "cradle", "ostinato"),
)  # fmt: skip
DRAMATIC = Mood(
    name="dramatic", manner="appassionato", lowest=66, bass=(33, 45), loud=92, arch=16, lively=0.6, tempo=1.0,
    pace_s=0.16, colour=0.6, major={"ii": "V7/V", "IV": "iv", "vi": "V7/ii"},
    minor={"iio": "N", "iv": "V7/V N", "i": "V7/iv", "V": "viio7"},
    detached=0.95, full_pedal=True, doubled=True, ending="authentic", slowing=0.72,
    looks=("toccata", "storm", "march"),
)  # fmt: skip
WISTFUL = Mood(
    name="wistful", manner="mesto", lowest=66, bass=(40, 52), loud=64, arch=11, lively=0.2, tempo=0.35, pace_s=0.34,
    colour=0.4, major={"IV": "iv", "vi": "vi7", "iii": "V7/vi"}, minor={"iv": "iv7", "VI": "VImaj7"},
    detached=1.0, full_pedal=True, doubled=False, ending="authentic", slowing=0.74,
    looks=("dance", "song", "elegy"),
)  # fmt: skip

MOODS = (CALM, CHEERFUL, SOLEMN, DREAMY, DRAMATIC, WISTFUL)

# Beginnings of words (Latin, Cyrillic, Greek, Hebrew, Arabic) or words within (Chinese, Japanese, Korean, Thai).
_WORDS = {
    "dreamy": "dream ether float mystic magic moonl nocturn night ambient hazy star träum traum verträum rêv reve noct "
    "soñ sueñ sogn sonh droom marzy мечт сновид ноч ονειρ 梦 夢 幻 夜 月 星 朦胧 朦朧 空灵 空靈 꿈 "
    "몽환 夢見 حالم ليل חלו ליל सपन ฝัน",
    "calm": "calm gentle peace quiet tranq relax soft sooth lullab still medit warm tender ruhig sanft fried "
    "zart calme doux douce paisib tranquil sereno seren suave dulce apacib calmo dolce quieto rustig "
    "kalm spokoj cich lugn sakin huzur спокой тих нежн мир ήρεμ γαλήν 平静 平靜 宁静 寧靜 安静 安靜 "
    "温柔 溫柔 舒缓 舒緩 柔和 静 穏 优しい 落ち着 癒 잔잔 고요 평온 차분 부드 هاد سلام رقيق רגוע שק "
    "שלו शांत สงบ",
    "cheerful": "cheer happy joy bright play light fun merry upbeat sunny dance danc spring lively frolic "
    "festiv festl festa fête fröhl "
    "froh heiter lustig munter joyeu gai gaie enjou allegr feliz alegr content vivac gioios blij "
    "vrolijk wesoł radosn glad neşe mutlu весел радост бодр χαρούμ εύθυμ 欢 歡 快 乐 樂 喜 明朗 活泼 "
    "活潑 轻快 輕快 楽し 明る 陽気 嬉し 즐거 밝 경쾌 기쁜 مرح سعيد فرح שמח עליז खुश आनंद ร่าเริง สนุก",
    "solemn": "solemn grave serious noble ceremon hymn funer sacred reverent majest stately memor march feierl "
    "ernst würd erhab trauer solenn grav sacré solemne serio solenne maest plecht poważ uroczyst "
    "högtid ağırbaşlı торжеств скорб серьёз величав σοβαρ επίσημ 庄严 莊嚴 庄重 莊重 肃穆 肅穆 神圣 "
    "神聖 厳か 荘厳 荘重 엄숙 장엄 مهيب وقور חגיגי רציני गंभीर เคร่งขรึม",
    "dramatic": "drama intense storm passion epic power fierce turbul tense angry heroic dark tragic urgent wild "
    "leidensch sturm stürm düster gewalt mächtig orage passionn puissan sombre épique tormenta pasión "
    "apasion épic intens oscur tempest appassion potente dramat burz fırtına tutku драмат бурн страст "
    "мрачн эпич δραματ παθιασ 激 戏剧 戲劇 热烈 熱烈 悲壮 悲壯 紧张 緊張 壮 史诗 史詩 ドラマ 情熱 嵐 "
    "劇的 극적 격정 웅장 درامي عاصف דרמט סוער नाटकीय ดราม่า",
    "wistful": "wistful sad melanch nostalg lonely long bitter sorrow autumn yearn farewell rain regret traurig "
    "wehm sehnsu einsam triste mélanc nostal melanc solit malin weemoed verdriet smutn tęskn vemod "
    "hüzün грус печал тоск осен μελαγχ νοσταλ θλιμμ 忧 憂 悲 伤 傷 愁 思念 怀旧 懷舊 秋 雨 孤独 孤獨 "
    "寂 切 哀 悲し 懐かし 슬 쓸쓸 그리 حزين حنين עצוב נוגה उदास เศร้า",
}
_BY_NAME = {mood.name: mood for mood in MOODS}


def named_mood(words: str) -> Mood | None:
    """The mood that the words name first; None where no word is known."""
    text = _folded(words)
    found: list[tuple[int, int, str]] = []
    for name, stems in _WORDS.items():
        for stem in stems.split():
            at = _place(text, _folded(stem))
            if at >= 0:
                found.append((at, -len(stem), name))
    return _BY_NAME[min(found)[2]] if found else None


def mood_of(words: str, minor: bool, beats_per_minute: float, beat_is_dotted: bool) -> Mood:
    """The mood that the words name first; without a known word, the one that key and tempo suggest."""
    if (named := named_mood(words)) is not None:
        return named
    speed = beats_per_minute * (1.25 if beat_is_dotted else 1.0)
    if minor:
        return SOLEMN if speed < 66 else DRAMATIC if speed > 132 else WISTFUL
    return DREAMY if speed < 66 else CHEERFUL if speed > 104 else CALM


def _folded(text: str) -> str:
    """Without case and accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in parts if unicodedata.category(char) != "Mn")


def _place(text: str, stem: str) -> int:
    """Where a word of the text begins with the stem, or, in scripts without blanks, holds it; -1 if nowhere."""
    at = text.find(stem)
    if stem[0] > "\u0e00":
        return at
    while at > 0 and text[at - 1].isalpha():
        at = text.find(stem, at + 1)
    return at
