"""What a mood means for the music, and which words in which languages name it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True)
class Mood:
    """A way to play: figures of the left hand, register, loudness, how lively, how much colour."""

    name: str
    figures: tuple[str, ...]  # of the left hand, for the theme; the second is for contrast
    lowest: int  # pitch near which the melody's range begins
    bass: tuple[int, int]  # range of the bass
    loud: int  # velocity of a mezzo-forte melody
    arch: int  # by how much a phrase swells
    lively: float  # share of the lively rhythms, 0..1
    tempo: float  # where in the brief's range, 0..1
    colour: float  # how often sevenths and borrowed chords stand in for plain ones, 0..1
    detached: float  # how long a short note sounds, of its value
    full_pedal: bool  # whether the pedal is held through a harmony
    doubled: bool  # whether the right hand adds thirds and sixths
    ending: str  # "authentic" or "plagal"
    slowing: float  # tempo of the last beat before the end, of the whole


CALM = Mood("calm", ("tenths", "waltz"), 64, (40, 53), 66, 9, 0.12, 0.4, 0.2, 1.0, True, False, "plagal", 0.74)
CHEERFUL = Mood(
    "cheerful", ("alberti", "waltz"), 67, (41, 53), 76, 7, 0.75, 0.62, 0.1, 0.8, False, True, "authentic", 0.84
)
SOLEMN = Mood("solemn", ("chords", "tenths"), 60, (36, 48), 68, 10, 0.0, 0.3, 0.15, 1.0, True, True, "plagal", 0.7)
DREAMY = Mood("dreamy", ("waves", "tenths"), 67, (38, 50), 60, 10, 0.2, 0.35, 0.65, 1.0, True, False, "plagal", 0.7)
DRAMATIC = Mood(
    "dramatic", ("drive", "chords"), 62, (36, 48), 84, 14, 0.55, 0.7, 0.3, 0.95, True, True, "authentic", 0.72
)
WISTFUL = Mood("wistful", ("waltz", "tenths"), 64, (40, 52), 66, 10, 0.2, 0.4, 0.3, 1.0, True, False, "authentic", 0.74)

MOODS = (CALM, CHEERFUL, SOLEMN, DREAMY, DRAMATIC, WISTFUL)

# Beginnings of words (Latin, Cyrillic, Greek, Hebrew, Arabic) or words within (Chinese, Japanese, Korean, Thai).
_WORDS = {
    "dreamy": "dream ether float mystic magic moonl nocturn night ambient hazy star träum traum rêv reve noct "
    "soñ sueñ sogn sonh droom marzy мечт сновид ноч ονειρ 梦 夢 幻 夜 月 星 朦胧 朦朧 空灵 空靈 꿈 "
    "몽환 夢見 حالم ليل חלו ליל सपन ฝัน",
    "calm": "calm gentle peace quiet tranq relax soft sooth lullab still medit warm tender ruhig sanft fried "
    "zart calme doux douce paisib tranquil sereno seren suave dulce apacib calmo dolce quieto rustig "
    "kalm spokoj cich lugn sakin huzur спокой тих нежн мир ήρεμ γαλήν 平静 平靜 宁静 寧靜 安静 安靜 "
    "温柔 溫柔 舒缓 舒緩 柔和 静 穏 优しい 落ち着 癒 잔잔 고요 평온 차분 부드 هاد سلام رقيق רגוע שק "
    "שלו शांत สงบ",
    "cheerful": "cheer happy joy bright play light fun merry upbeat sunny dance danc spring lively frolic fröhl "
    "froh heiter lustig munter joyeu gai gaie enjou allegr feliz alegr content vivac gioios blij "
    "vrolijk wesoł radosn glad neşe mutlu весел радост бодр χαρούμ εύθυμ 欢 歡 快 乐 樂 喜 明朗 活泼 "
    "活潑 轻快 輕快 楽し 明る 陽気 嬉し 즐거 밝 경쾌 기쁜 مرح سعيد فرح שמח עליז खुश ร่าเริง สนุก",
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


def mood_of(words: str, minor: bool, beats_per_minute: float, beat_is_dotted: bool) -> Mood:
    """The mood that the words name first; without a known word, the one that key and tempo suggest."""
    text = _folded(words)
    found: list[tuple[int, int, str]] = []
    for name, stems in _WORDS.items():
        for stem in stems.split():
            at = _place(text, _folded(stem))
            if at >= 0:
                found.append((at, -len(stem), name))
    if found:
        return _BY_NAME[min(found)[2]]
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
