"""The studio's own words on a poster, in the languages that it has; in any other language there are none.

Keys: speakers, highlights, when, where, register, until, early, regular, host, sponsors, contact.
"""

from __future__ import annotations

_KEYS = (
    "speakers",
    "highlights",
    "when",
    "where",
    "register",
    "until",
    "early",
    "regular",
    "host",
    "sponsors",
    "contact",
)

# One row per language, in the order of the keys, separated by bars. {} stands for the deadline.
_TABLE = {
    "en": "Speakers|Highlights|When|Where|Register|Register by {}|Early bird|Regular|Hosted by|Sponsors|Contact",
    "de": "Mit|Höhepunkte|Wann|Wo|Anmeldung|Anmeldung bis {}|Frühbucher|Regulär|Veranstalter|Förderer|Kontakt",
    "fr": "Avec|Temps forts|Quand|Où|Inscription|Inscription jusqu’au {}|Tarif réduit|Plein tarif|Organisation"
    "|Partenaires|Contact",
    "es": "Con|Destacados|Cuándo|Dónde|Inscripción|Inscripción hasta {}|Anticipada|General|Organiza|Patrocinan"
    "|Contacto",
    "it": "Con|In evidenza|Quando|Dove|Iscrizione|Iscrizione entro {}|Ridotto|Intero|Organizzazione|Sponsor|Contatti",
    "pt": "Com|Destaques|Quando|Onde|Inscrição|Inscrição até {}|Antecipado|Normal|Organização|Patrocínio|Contacto",
    "nl": "Met|Hoogtepunten|Wanneer|Waar|Aanmelden|Aanmelden vóór {}|Vroegboek|Regulier|Organisatie|Sponsors|Contact",
    "pl": "Goście|W programie|Kiedy|Gdzie|Rejestracja|Rejestracja do {}|Wcześniej|Normalny|Organizator|Partnerzy"
    "|Kontakt",
    "sv": "Medverkande|Höjdpunkter|När|Var|Anmälan|Anmälan senast {}|Tidigt|Ordinarie|Arrangör|Sponsorer|Kontakt",
    "tr": "Konuşmacılar|Öne çıkanlar|Ne zaman|Nerede|Kayıt|Son kayıt: {}|Erken kayıt|Tam|Düzenleyen|Destekleyenler"
    "|İletişim",
    "ru": "Участники|В программе|Когда|Где|Регистрация|Регистрация до {}|Заранее|Полная цена|Организаторы|Партнёры"
    "|Контакты",
    "uk": "Учасники|У програмі|Коли|Де|Реєстрація|Реєстрація до {}|Заздалегідь|Повна ціна|Організатори|Партнери"
    "|Контакти",
    "el": "Ομιλητές|Στο πρόγραμμα|Πότε|Πού|Εγγραφή|Εγγραφή έως {}|Έγκαιρη|Κανονική|Διοργάνωση|Χορηγοί|Επικοινωνία",
    "zh": "嘉宾|亮点|时间|地点|报名|截止 {}|早鸟|标准|主办|赞助|联系",
    "zh-hant": "嘉賓|亮點|時間|地點|報名|截止 {}|早鳥|標準|主辦|贊助|聯絡",
    "ja": "出演|見どころ|日時|会場|申込|申込締切 {}|早割|一般|主催|協賛|お問い合わせ",
    "ko": "연사|주요 프로그램|일시|장소|신청|신청 마감 {}|사전 등록|일반|주최|후원|문의",
    "ar": "المتحدثون|أبرز الفقرات|الموعد|المكان|التسجيل|التسجيل حتى {}|الحجز المبكر|السعر العادي|تنظيم|برعاية|للتواصل",
    "fa": "سخنرانان|برنامه‌ها|زمان|مکان|ثبت‌نام|ثبت‌نام تا {}|زودهنگام|عادی|برگزارکننده|حامیان|تماس",
    "he": "משתתפים|בתוכנית|מתי|איפה|הרשמה|הרשמה עד {}|הרשמה מוקדמת|מחיר רגיל|מארחים|נותני חסות|יצירת קשר",
    "hi": "वक्ता|मुख्य आकर्षण|कब|कहाँ|पंजीकरण|पंजीकरण की अंतिम तिथि: {}|शीघ्र पंजीकरण|सामान्य|आयोजक|प्रायोजक|संपर्क",
    "th": "ผู้ร่วมงาน|ไฮไลต์|วันเวลา|สถานที่|ลงทะเบียน|ลงทะเบียนภายใน {}|ราคาล่วงหน้า|ราคาปกติ|จัดโดย|สนับสนุนโดย|ติดต่อ",
}

RIGHT_TO_LEFT = frozenset({"ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv", "ckb"})
_TRADITIONAL = ("hant", "tw", "hk", "mo")


def own_words(language: str) -> dict[str, str]:
    """The words for a BCP 47 tag; empty where the table has none."""
    parts = language.lower().split("-")
    key = parts[0]
    if key == "zh" and any(part in _TRADITIONAL for part in parts[1:]):
        key = "zh-hant"
    row = _TABLE.get(key)
    return dict(zip(_KEYS, row.split("|"), strict=True)) if row else {}


def is_right_to_left(language: str) -> bool:
    """Whether pages in this language read from right to left."""
    return language.lower().split("-")[0] in RIGHT_TO_LEFT
