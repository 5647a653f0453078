"""The sheet's own words in the languages that it has; in any other language symbols and numerals stand alone.

Keys: key, meter, tempo, length, mood, form, bars, section, bar, chords, melody, numbers, legend, major, minor.
"""

from __future__ import annotations

_KEYS = (
    "key", "meter", "tempo", "length", "mood", "form", "bars", "section", "bar", "chords", "melody", "numbers",
    "major", "minor",
)  # fmt: skip

# One row per language, in the order of the keys, separated by bars; {} stands for the tonic.
_TABLE = {
    "en": "Key|Meter|Tempo|Length|Mood|Form|bars|Section|Bar|Chords|Melody|Numbered notation|{} major|{} minor",
    "de": "Tonart|Takt|Tempo|Dauer|Stimmung|Form|Takte|Teil|Takt|Akkorde|Melodie|Ziffernnotation|{}-Dur|{}-Moll",
    "fr": "Tonalité|Mesure|Tempo|Durée|Caractère|Forme|mesures|Partie|Mesure|Accords|Mélodie|Notation chiffrée"
    "|{} majeur|{} mineur",
    "es": "Tonalidad|Compás|Tempo|Duración|Carácter|Forma|compases|Sección|Compás|Acordes|Melodía|Notación numérica"
    "|{} mayor|{} menor",
    "it": "Tonalità|Metro|Tempo|Durata|Carattere|Forma|battute|Sezione|Battuta|Accordi|Melodia|Notazione numerica"
    "|{} maggiore|{} minore",
    "pt": "Tonalidade|Compasso|Andamento|Duração|Caráter|Forma|compassos|Secção|Compasso|Acordes|Melodia"
    "|Notação numérica|{} maior|{} menor",
    "nl": "Toonsoort|Maat|Tempo|Duur|Stemming|Vorm|maten|Deel|Maat|Akkoorden|Melodie|Cijfernotatie|{} majeur|{} mineur",
    "pl": "Tonacja|Metrum|Tempo|Czas|Nastrój|Forma|taktów|Część|Takt|Akordy|Melodia|Notacja cyfrowa|{}-dur|{}-moll",
    "sv": "Tonart|Taktart|Tempo|Längd|Stämning|Form|takter|Del|Takt|Ackord|Melodi|Siffernotation|{}-dur|{}-moll",
    "tr": "Ton|Ölçü|Tempo|Süre|Hava|Biçim|ölçü|Bölüm|Ölçü|Akorlar|Ezgi|Sayılı nota|{} majör|{} minör",
    "ru": "Тональность|Размер|Темп|Длительность|Характер|Форма|тактов|Часть|Такт|Аккорды|Мелодия|Цифровая запись"
    "|{} мажор|{} минор",
    "uk": "Тональність|Розмір|Темп|Тривалість|Характер|Форма|тактів|Частина|Такт|Акорди|Мелодія|Цифровий запис"
    "|{} мажор|{} мінор",
    "el": "Τονικότητα|Μέτρο|Τέμπο|Διάρκεια|Διάθεση|Μορφή|μέτρα|Μέρος|Μέτρο|Συγχορδίες|Μελωδία|Αριθμητική γραφή"
    "|{} μείζονα|{} ελάσσονα",
    "zh": "调性|拍号|速度|时长|情绪|曲式|小节|段落|小节|和弦|旋律|简谱|{}大调|{}小调",
    "zh-hant": "調性|拍號|速度|時長|情緒|曲式|小節|段落|小節|和弦|旋律|簡譜|{}大調|{}小調",
    "ja": "調|拍子|テンポ|長さ|雰囲気|形式|小節|部分|小節|コード|メロディ|数字譜|{} major（長調）|{} minor（短調）",
    "ko": "조성|박자|빠르기|길이|분위기|형식|마디|부분|마디|화음|선율|숫자 악보|{} major(장조)|{} minor(단조)",
    "ar": "المقام|الميزان|السرعة|المدة|الطابع|البناء|مازورة|القسم|مازورة|التآلفات|اللحن|التدوين الرقمي"
    "|{} major (كبير)|{} minor (صغير)",
    "he": "סולם|משקל|טמפו|אורך|אווירה|מבנה|תיבות|חלק|תיבה|אקורדים|מנגינה|תווים במספרים"
    "|{} major (מז׳ור)|{} minor (מינור)",
    "hi": "स्केल|ताल|गति|अवधि|भाव|रचना|बार|भाग|बार|कॉर्ड|धुन|अंक स्वरलिपि|{} major|{} minor",
    "th": "คีย์|อัตราจังหวะ|ความเร็ว|ความยาว|อารมณ์|รูปแบบ|ห้อง|ท่อน|ห้อง|คอร์ด|ทำนอง|โน้ตตัวเลข|{} major|{} minor",
}
# How to read the numbered notation, where there is a sentence for it.
_LEGENDS = {
    "en": "1 is the major key's tonic, {do}; a dot above or below is an octave, one line under a figure an eighth, two "
    "a sixteenth, a dash another quarter.",
    "de": "1 ist der Grundton der Durtonart, {do}; ein Punkt über oder unter der Ziffer ist eine Oktave, ein Strich "
    "darunter ein Achtel, zwei ein Sechzehntel, ein Querstrich ein Viertel mehr.",
    "fr": "1 est la tonique majeure, {do} ; un point au-dessus ou au-dessous vaut une octave, un trait dessous une "
    "croche, deux une double croche, un tiret une noire de plus.",
    "es": "1 es la tónica mayor, {do}; un punto arriba o abajo es una octava, una línea debajo una corchea, dos una "
    "semicorchea, un guion una negra más.",
    "zh": "1={do}；数字上下的点表示高低八度，一条下划线为八分音符，两条为十六分音符，每条横线延长一拍（四分音符）。",
    "zh-hant": "1={do}；數字上下的點表示高低八度，一條底線為八分音符，兩條為十六分音符，每條橫線延長一拍（四分音符）。",
    "ja": "1={do}。上下の点は1オクターブ、下線1本は8分音符、2本は16分音符、横線は4分音符1つ分の延長。",
    "ru": "1 — тоника мажора, {do}; точка над или под цифрой — октава, одна черта снизу — восьмая, две — шестнадцатая, "
    "тире — ещё одна четверть.",
}
# Said where no word of the brief's mood is known; {} is the manner in which it is played instead.
_UNKNOWN = {
    "en": "no known mood; key and tempo suggest {}",
    "de": "keine bekannte Stimmung; Tonart und Tempo legen {} nahe",
    "fr": "caractère inconnu ; la tonalité et le tempo suggèrent {}",
    "es": "carácter desconocido; la tonalidad y el tempo sugieren {}",
    "it": "carattere sconosciuto; tonalità e tempo suggeriscono {}",
    "pt": "caráter desconhecido; a tonalidade e o andamento sugerem {}",
    "nl": "onbekende stemming; toonsoort en tempo wijzen op {}",
    "ru": "характер неизвестен; тональность и темп подсказывают {}",
    "zh": "未识别的情绪；按调性与速度取 {}",
    "zh-hant": "未識別的情緒；按調性與速度取 {}",
    "ja": "未知の雰囲気；調とテンポから {}",
    "ko": "알 수 없는 분위기; 조성과 빠르기에 따라 {}",
    "ar": "طابع غير معروف؛ المقام والسرعة يوحيان بـ {}",
    "he": "אווירה לא מוכרת; הסולם והטמפו מציעים {}",
}
_TRADITIONAL = ("hant", "tw", "hk", "mo")
RIGHT_TO_LEFT = frozenset({"ar", "he", "fa", "ur"})


def _row(language: str) -> str:
    parts = language.lower().split("-")
    if parts[0] == "zh" and any(part in _TRADITIONAL for part in parts[1:]):
        return "zh-hant"
    return parts[0]


def own_words(language: str) -> dict[str, str]:
    """The words for a BCP 47 tag; empty where the table has none."""
    row = _TABLE.get(_row(language))
    return dict(zip(_KEYS, row.split("|"), strict=True)) if row else {}


def legend(language: str, do: str) -> str:
    """How to read the numbers; without words, what 1 is."""
    return _LEGENDS.get(_row(language), "1 = {do}").format(do=do)


def unknown_mood(language: str, manner: str) -> str:
    """That the mood's words are not known, and what is played; without words, a sign for it."""
    return _UNKNOWN.get(_row(language), "? → {}").format(manner)
