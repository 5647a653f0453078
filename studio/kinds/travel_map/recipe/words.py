"""The studio's own words on a map, in the languages that it has; elsewhere symbols and numerals stand in.

Keys: day, all, days, stops, on_foot, tip, leisure, overview, itinerary, map, close, before, after, hours, minutes, km.
"""

from __future__ import annotations

_KEYS = (
    "day",
    "all",
    "days",
    "stops",
    "on_foot",
    "tip",
    "leisure",
    "overview",
    "itinerary",
    "map",
    "close",
    "before",
    "after",
    "hours",
    "minutes",
    "km",
)

# One row per language, in the order of the keys, separated by bars. {} stands for a number or a duration.
_TABLE = {
    "en": "Day {}|All|Days|Stops|about {} on foot|Tip|A day at leisure|Whole trip|Itinerary|Map|Close|Previous|Next"
    "|{} h|{} min|{} km",
    "de": "Tag {}|Alle|Tage|Orte|etwa {} zu Fuß|Tipp|Ein Tag zur freien Verfügung|Ganze Reise|Reiseplan|Karte|Schließen"
    "|Zurück|Weiter|{} Std.|{} Min.|{} km",
    "fr": "Jour {}|Tout|Jours|Étapes|environ {} à pied|Conseil|Journée libre|Tout le voyage|Itinéraire|Carte|Fermer"
    "|Précédent|Suivant|{} h|{} min|{} km",
    "es": "Día {}|Todo|Días|Paradas|unos {} a pie|Consejo|Día libre|Todo el viaje|Itinerario|Mapa|Cerrar|Anterior"
    "|Siguiente|{} h|{} min|{} km",
    "it": "Giorno {}|Tutto|Giorni|Tappe|circa {} a piedi|Consiglio|Giornata libera|Tutto il viaggio|Itinerario|Mappa"
    "|Chiudi|Precedente|Successiva|{} h|{} min|{} km",
    "pt": "Dia {}|Tudo|Dias|Paragens|cerca de {} a pé|Dica|Dia livre|Toda a viagem|Itinerário|Mapa|Fechar|Anterior"
    "|Seguinte|{} h|{} min|{} km",
    "nl": "Dag {}|Alles|Dagen|Stops|ongeveer {} te voet|Tip|Een vrije dag|Hele reis|Reisplan|Kaart|Sluiten|Vorige"
    "|Volgende|{} u|{} min|{} km",
    "pl": "Dzień {}|Wszystko|Dni|Miejsca|około {} pieszo|Wskazówka|Dzień wolny|Cała podróż|Plan podróży|Mapa|Zamknij"
    "|Poprzedni|Następny|{} godz.|{} min|{} km",
    "sv": "Dag {}|Alla|Dagar|Platser|cirka {} till fots|Tips|En ledig dag|Hela resan|Resplan|Karta|Stäng|Föregående"
    "|Nästa|{} tim|{} min|{} km",
    "da": "Dag {}|Alle|Dage|Steder|cirka {} til fods|Tip|En fri dag|Hele rejsen|Rejseplan|Kort|Luk|Forrige|Næste"
    "|{} t|{} min|{} km",
    "tr": "{}. gün|Tümü|Gün|Durak|yaklaşık {} yürüyüş|İpucu|Serbest gün|Tüm gezi|Gezi planı|Harita|Kapat|Önceki|Sonraki"
    "|{} sa|{} dk|{} km",
    "ru": "День {}|Все|Дни|Места|около {} пешком|Совет|Свободный день|Вся поездка|Маршрут|Карта|Закрыть|Назад|Вперёд"
    "|{} ч|{} мин|{} км",
    "uk": "День {}|Усі|Дні|Місця|близько {} пішки|Порада|Вільний день|Уся подорож|Маршрут|Мапа|Закрити|Назад|Далі"
    "|{} год|{} хв|{} км",
    "el": "Ημέρα {}|Όλα|Ημέρες|Στάσεις|περίπου {} με τα πόδια|Συμβουλή|Ελεύθερη ημέρα|Όλο το ταξίδι|Πρόγραμμα|Χάρτης"
    "|Κλείσιμο|Προηγούμενο|Επόμενο|{} ώ.|{} λ.|{} χλμ.",
    "zh": "第{}天|全部|天数|站点|步行约{}|贴士|自由活动|全程|行程|地图|关闭|上一站|下一站|{}小时|{}分钟|{}公里",
    "zh-hant": "第{}天|全部|天數|站點|步行約{}|貼士|自由活動|全程|行程|地圖|關閉|上一站|下一站|{}小時|{}分鐘|{}公里",
    "ja": "{}日目|すべて|日数|スポット|徒歩約{}|ヒント|自由行動|全行程|旅程|地図|閉じる|前へ|次へ|{}時間|{}分|{} km",
    "ko": "{}일차|전체|일수|장소|도보 약 {}|팁|자유 일정|전체 여정|일정|지도|닫기|이전|다음|{}시간|{}분|{} km",
    "ar": "اليوم {}|الكل|الأيام|المحطات|نحو {} سيرًا|نصيحة|يوم حر|الرحلة كلها|البرنامج|الخريطة|إغلاق|السابق|التالي"
    "|{} س|{} د|{} كم",
    "fa": "روز {}|همه|روزها|ایستگاه‌ها|حدود {} پیاده|نکته|روز آزاد|کل سفر|برنامهٔ سفر|نقشه|بستن|قبلی|بعدی"
    "|{} ساعت|{} دقیقه|{} کیلومتر",
    "he": "יום {}|הכול|ימים|תחנות|כ־{} ברגל|טיפ|יום חופשי|כל הטיול|מסלול|מפה|סגירה|הקודם|הבא|{} ש׳|{} ד׳|{} ק״מ",
    "hi": "दिन {}|सभी|दिन|पड़ाव|पैदल लगभग {}|सुझाव|खाली दिन|पूरी यात्रा|यात्रा कार्यक्रम|नक्शा"
    "|बंद करें|पिछला|अगला|{} घं|{} मि|{} किमी",
    "th": "วันที่ {}|ทั้งหมด|วัน|จุดแวะ|เดินราว {}|เคล็ดลับ|วันอิสระ|ทั้งทริป|แผนการเดินทาง|แผนที่|ปิด|ก่อนหน้า|ถัดไป|{} ชม.|{} นาที|{} กม.",
    "vi": "Ngày {}|Tất cả|Ngày|Điểm dừng|đi bộ khoảng {}|Mẹo|Ngày tự do|Cả chuyến đi|Lịch trình|Bản đồ|Đóng|Trước|Sau"
    "|{} giờ|{} phút|{} km",
    "id": "Hari {}|Semua|Hari|Tempat|sekitar {} berjalan kaki|Tips|Hari bebas|Seluruh perjalanan|Rencana perjalanan"
    "|Peta|Tutup|Sebelumnya|Berikutnya|{} jam|{} mnt|{} km",
}
_SYMBOLS = "{}|∗|☀|●|🚶 {}|✦|∅|⤢|☰|🗺|×|‹|›|{} h|{} min|{} km"

RIGHT_TO_LEFT = frozenset({"ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv", "ckb"})
_TRADITIONAL = ("hant", "tw", "hk", "mo")
# Languages that write a decimal comma.
_COMMA = frozenset({"de", "fr", "es", "it", "pt", "nl", "pl", "sv", "da", "tr", "ru", "uk", "el", "vi", "id"})


def key_of(language: str) -> str:
    """The row of the table for a BCP 47 tag."""
    parts = language.lower().split("-")
    if parts[0] == "zh" and any(part in _TRADITIONAL for part in parts[1:]):
        return "zh-hant"
    return parts[0]


class Words:
    """The studio's words in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        row = _TABLE.get(key_of(language), _SYMBOLS)
        self.known = key_of(language) in _TABLE
        self.table = dict(zip(_KEYS, row.split("|"), strict=True))
        self._comma = "," if key_of(language) in _COMMA else "."
        self.right_to_left = language.lower().split("-")[0] in RIGHT_TO_LEFT

    def __getitem__(self, key: str) -> str:
        return self.table[key]

    def day(self, number: int) -> str:
        return self.table["day"].format(number)

    def number(self, km: float) -> str:
        """A distance in km, with one decimal below ten and thousands parted by narrow blanks."""
        if km < 9.95:
            return f"{max(km, 0.1) if km > 0 else 0.0:.1f}".replace(".", self._comma)
        return f"{round(km):,}".replace(",", "\u202f")

    def round_number(self, km: float) -> str:
        """A round distance with no more decimals than it has."""
        return f"{km:g}".replace(".", self._comma) if km < 1000 else self.number(km)

    def distance(self, km: float) -> str:
        return self.table["km"].format(self.number(km))

    def duration(self, minutes: int) -> str:
        """Hours and minutes."""
        hours, rest = divmod(minutes, 60)
        parts = [self.table["hours"].format(hours)] if hours else []
        if rest or not hours:
            parts.append(self.table["minutes"].format(rest))
        return "".join(parts) if key_of(self.language) in ("zh", "zh-hant", "ja") else " ".join(parts)

    def on_foot(self, minutes: int) -> str:
        return self.table["on_foot"].format(self.duration(minutes))
