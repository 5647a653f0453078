"""The form: what each section is for, and into which phrases it falls."""

from __future__ import annotations

from dataclasses import dataclass

_ROLES = {
    "intro": "intro introduction prelude opening introduktion einleitung vorspiel prélude ouverture apertura "
    "introducción entrada introduzione introdução inleiding wstęp wstep inledning giriş вступление "
    "вступ интро εισαγωγή 前奏 引子 序 导入 イントロ 序奏 인트로 전주 서주 مقدمة פתיחה परिचय อินโทร",
    "outro": "outro coda ending end finale postlude epilogue schluss ausklang nachspiel fin final conclusion "
    "cierre salida chiusura epílogo slot zakończenie avslutning bitiş son кода заключение конец финал "
    "аутро κόντα τέλος 尾声 尾聲 尾奏 结尾 結尾 结束 結束 终 終 アウトロ コーダ 後奏 終わり 아웃트로 "
    "코다 후주 끝 خاتمة סיום אאוטרו समाप्ति เอาท์โทร จบ",
    "contrast": "bridge middle contrast trio interlude development episode brücke mittelteil zwischenspiel "
    "durchführung pont milieu puente medio ponte mezzo brug łącznik mellanspel köprü бридж середина "
    "интерлюдия γέφυρα 间奏 間奏 中段 桥 橋 展开 展開 对比 ブリッジ 中間 브릿지 간주 중간 جسر גשר मध्य "
    "บริดจ์",
    "theme": "theme main melody verse chorus refrain thema hauptthema strophe thème principal couplet tema "
    "principale estrofa estribillo strofa ritornello temat motyw тема куплет припев θέμα 主题 主題 "
    "主歌 副歌 旋律 テーマ メロディ サビ 주제 테마 멜로디 موضوع לحن נושא विषय ธีม ทำนอง",
}


@dataclass(frozen=True)
class Phrase:
    """Bars that belong together. `cadence`: half, authentic or final; `question` opens, an answer closes."""

    first_bar: int
    bars: int
    section: int
    role: str  # intro, theme, contrast or outro
    cadence: str
    question: bool
    number: int  # within its section
    again: int  # how often a section of this name has been heard before


@dataclass(frozen=True)
class Section:
    """A part of the form as it is composed."""

    name: str
    first_bar: int
    bars: int
    role: str
    again: int


def sections_of(structure: list[tuple[str, int]]) -> list[Section]:
    """What each section is for: by its name in many languages, else by its place."""
    roles = [_role(name) for name, _ in structure]
    plain: list[str] = []
    themes = "theme" in roles
    for index, (name, _) in enumerate(structure):
        if roles[index]:
            continue
        if len(structure) > 2 and index == 0 and structure[0][1] * 2 <= structure[1][1] and _once(structure, 0):
            roles[index] = "intro"
        elif len(structure) > 2 and index == len(structure) - 1 and _once(structure, index) and len(plain) > 1:
            roles[index] = "outro"
        else:
            key = name.casefold()
            if key not in plain:
                plain.append(key)
            roles[index] = "contrast" if (plain.index(key) + themes) % 2 else "theme"
    heard: dict[str, int] = {}
    found, bar = [], 0
    for (name, bars), role in zip(structure, roles, strict=True):
        key = name.casefold()
        found.append(Section(name, bar, bars, role or "theme", heard.get(key, 0)))
        heard[key] = heard.get(key, 0) + 1
        bar += bars
    return found


def _once(structure: list[tuple[str, int]], index: int) -> bool:
    name = structure[index][0].casefold()
    return sum(other.casefold() == name for other, _ in structure) == 1


def _role(name: str) -> str:
    text = name.casefold()
    words = text.replace("-", " ").replace("_", " ").split()
    for role, stems in _ROLES.items():
        for stem in stems.split():
            if stem in words or (stem[0] > "\u0600" and stem in text):
                return role
    return ""


def lengths(bars: int) -> list[int]:
    """Bars of each phrase: fours where they fit, else three to five."""
    if bars <= 5:
        return [bars]
    if bars == 6:
        return [3, 3]
    fours, rest = divmod(bars, 4)
    if rest == 0:
        return [4] * fours
    if rest == 1:
        return [*([4] * (fours - 1)), 5]
    if rest == 2:
        return [*([4] * (fours - 1)), 3, 3]
    return [*([4] * fours), 3]


def phrases_of(sections: list[Section]) -> list[Phrase]:
    """The phrases of all sections in order, each with its cadence."""
    found: list[Phrase] = []
    for index, section in enumerate(sections):
        last_section = index == len(sections) - 1
        bar = section.first_bar
        parts = lengths(section.bars)
        for number, bars in enumerate(parts):
            last = number == len(parts) - 1
            question = not last and number % 2 == 0
            if last and last_section:
                cadence = "final"
            elif section.role == "intro" and last:
                cadence = "half"
            elif section.role == "contrast" and last:
                cadence = "half"  # leads back
            else:
                cadence = "half" if question else "authentic"
            found.append(Phrase(bar, bars, index, section.role, cadence, question, number, section.again))
            bar += bars
    return found
