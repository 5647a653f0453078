"""The recipe's own words in description.md, in the languages that it has; English in any other.

Keys: what (the film in one sentence), course, picture, size, music, silent, colours. None of them appear in the film.
"""

from __future__ import annotations

_KEYS = ("what", "course", "picture", "size", "music", "silent", "colours")

# One row per language, in the order of the keys, separated by bars.
_TABLE = {
    "en": "A countdown from {start} to {end} for {name}.|What happens when|The picture|Size"
    "|Sound: soft chords, a note at each number that climbs to the finale, a ringing chord at the end."
    "|No sound.|Colours",
    "de": "Ein Countdown von {start} bis {end} für {name}.|Ablauf|Das Bild|Format"
    "|Ton: weiche Akkorde, ein Ton je Zahl, der bis zum Finale steigt, am Ende ein Schlussakkord.|Kein Ton.|Farben",
    "fr": "Un compte à rebours de {start} à {end} pour {name}.|Déroulement|L’image|Format"
    "|Son : accords doux, une note à chaque chiffre qui monte jusqu’au final, un accord pour finir."
    "|Sans son.|Couleurs",
    "es": "Una cuenta atrás de {start} a {end} para {name}.|Desarrollo|La imagen|Formato"
    "|Sonido: acordes suaves, una nota por número que sube hasta el final y un acorde que resuena."
    "|Sin sonido.|Colores",
    "it": "Un conto alla rovescia da {start} a {end} per {name}.|Svolgimento|L’immagine|Formato"
    "|Suono: accordi morbidi, una nota per numero che sale fino al finale, un accordo che risuona."
    "|Senza suono.|Colori",
    "pt": "Uma contagem regressiva de {start} a {end} para {name}.|Sequência|A imagem|Formato"
    "|Som: acordes suaves, uma nota por número que sobe até ao final, um acorde que ressoa.|Sem som.|Cores",
    "nl": "Aftellen van {start} tot {end} voor {name}.|Verloop|Het beeld|Formaat"
    "|Geluid: zachte akkoorden, bij elk getal een hogere noot, een slotakkoord.|Geen geluid.|Kleuren",
    "ru": "Обратный отсчёт от {start} до {end} для {name}.|Ход|Изображение|Формат"
    "|Звук: мягкие аккорды, с каждым числом всё более высокая нота, в конце аккорд.|Без звука.|Цвета",
    "zh": "为{name}从 {start} 倒数到 {end} 的视频。|时间安排|画面|规格"
    "|声音：柔和的和弦，每个数字一个逐步升高的音，结尾是一个回响的和弦。|没有声音。|颜色",
    "zh-hant": "為{name}從 {start} 倒數到 {end} 的影片。|時間安排|畫面|規格"
    "|聲音：柔和的和弦，每個數字一個逐步升高的音，結尾是一個迴響的和弦。|沒有聲音。|顏色",
    "ja": "{name}のための、{start}から{end}までのカウントダウン。|流れ|映像|仕様"
    "|音：柔らかな和音、数字ごとに上がっていく音、最後に響く和音。|音なし。|色",
    "ko": "{name}을(를) 위한 {start}부터 {end}까지의 카운트다운.|순서|화면|규격"
    "|소리: 부드러운 화음, 숫자마다 올라가는 음, 마지막에 울리는 화음.|소리 없음.|색",
    "ar": "عدّ تنازلي من {start} إلى {end} من أجل {name}.|التسلسل|الصورة|المقاس"
    "|الصوت: أنغام هادئة ونغمة تعلو مع كل رقم ثم تآلف ختامي.|بلا صوت.|الألوان",
}  # fmt: skip
_TRADITIONAL = ("hant", "tw", "hk", "mo")


def own_words(language: str) -> dict[str, str]:
    """The words for a BCP 47 tag."""
    parts = language.lower().split("-")
    key = parts[0]
    if key == "zh" and any(part in _TRADITIONAL for part in parts[1:]):
        key = "zh-hant"
    return dict(zip(_KEYS, _TABLE.get(key, _TABLE["en"]).split("|"), strict=True))
