"""What random briefs are made of: for each language an evening, people, places and moods that belong together."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class World:
    """Words of one language. A trip is a city with its sights, each (name, latitude, longitude, what to do there)."""

    language: str
    events: tuple[str, ...]
    slogans: tuple[str, ...]
    dates: tuple[str, ...]
    venues: tuple[str, ...]
    people: tuple[str, ...]
    topics: tuple[str, ...]
    companies: tuple[str, ...]
    city: str
    sights: tuple[tuple[str, float, float, str], ...]
    moods: tuple[str, ...]
    finales: tuple[str, ...]
    sections: tuple[str, str, str]


ENGLISH = World(
    "en",
    ("Night of the Open Observatory", "Jazz on the Pier", "The Long Table", "Small Presses Fair", "Repair Café"),
    ("Bring a blanket and a question", "Forty makers, one hall", "Free for everyone under 18"),
    ("Saturday, 12 September 2026", "1–3 May 2026", "Friday, 30 October"),
    ("Hilltop Observatory", "Old Customs House, Quay 4", "Riverside Hall"),
    ("Ada Okonkwo", "Tomás Whitfield", "Priya Raman", "June Castellanos", "Wes O’Hara", "Mei Lindqvist"),
    ("Dark skies over cities", "A keyboard built from driftwood", "Printing with potatoes", "What bridges sing"),
    ("Harbour Trust", "Field & Folio", "Northlight Press"),
    "Edinburgh",
    (
        ("Arthur’s Seat", 55.9441, -3.1618, "Up before breakfast, for the light over the Firth"),
        ("Scottish National Gallery", 55.9509, -3.1957, "Two rooms, not twenty"),
        ("Dean Village", 55.9524, -3.2186, "Along the Water of Leith"),
        ("Calton Hill", 55.9553, -3.1827, "Sunset behind the castle"),
        ("The Shore, Leith", 55.9757, -3.1702, "Fish pie by the water"),
        ("Royal Botanic Garden", 55.9653, -3.2092, "The palm house when it rains"),
        ("Greyfriars Kirkyard", 55.9468, -3.1923, "Names on stones, and a small dog"),
    ),
    ("calm", "cheerful and light", "dramatic, stormy", "dreamy", "solemn"),
    ("Happy Birthday, {name}!", "Welcome home, {name}!", "Go, {name}, go!"),
    ("Intro", "Main Theme", "Outro"),
)

GERMAN = World(
    "de",
    ("Lange Nacht der Museen", "Straßenmusikfest Südstadt", "Tag der offenen Gärten", "Kurzfilmwanderung"),
    ("Zu Fuß durch acht Höfe", "Eintritt frei, Kuchen auch", "Bei jedem Wetter"),
    ("Samstag, 29. August 2026", "Sonntag, 7. Juni", "3. Oktober 2026"),
    ("Alte Feuerwache", "Völkerkundemuseum, Großer Saal", "Schrebergärten am Bahndamm"),
    ("Jürgen Großmann", "Änne Schütz", "Lea Wölfle", "Mehmet Yıldız", "Sofie Brückner"),
    ("Übersehene Überseekoffer", "Wie ein Garten klingt", "Stadtfüchse bei Nacht"),
    ("Kulturamt", "Verein für Höhenluft", "Bäckerei Knöpfle"),
    "Lübeck",
    (
        ("Holstentor", 53.8662, 10.6796, "Hinein, nicht nur davor"),
        ("Marienkirche", 53.8677, 10.6850, "Die Glocken, die liegen blieben"),
        ("Buddenbrookhaus", 53.8682, 10.6864, "Zwanzig Minuten genügen"),
        ("Füchtingshof", 53.8697, 10.6900, "Leise sein: hier wohnen Leute"),
        ("Heiligen-Geist-Hospital", 53.8711, 10.6905, "Die kleinen Kammern"),
        ("Travemünde", 53.9630, 10.8760, "Fähre hinüber zum Priwall"),
    ),
    ("ruhig", "fröhlich", "feierlich", "verträumt"),
    ("Alles Gute, {name}!", "Frohes neues Jahr, {name}!"),
    ("Vorspiel", "Thema", "Ausklang"),
)

CHINESE = World(
    "zh",
    ("城市星空夜", "巷子里的爵士", "春日旧书市集", "江边露天电影周"),
    ("带上毯子和一个问题", "四十位手艺人，一个院子", "风雨无阻"),
    ("2026年9月12日 周六", "5月1日至3日", "10月31日 晚七点"),
    ("青山天文台", "老码头三号仓", "滨江文化馆一楼大厅"),
    ("林知夏", "陈望舒", "欧阳明远", "苏小满", "赵一鸣", "何书言"),
    ("城市上空的暗夜", "用漂流木做一架琴", "桥会唱歌", "给孩子的排版课"),
    ("江南书局", "拾光工作室", "远山基金会"),
    "苏州",
    (
        ("拙政园", 31.3247, 120.6290, "开门就进，先看荷风四面亭"),
        ("平江路", 31.3176, 120.6350, "沿河慢走，喝一碗糖粥"),
        ("苏州博物馆", 31.3230, 120.6277, "看光落在墙上"),
        ("虎丘", 31.3360, 120.5770, "斜塔与剑池"),
        ("寒山寺", 31.3110, 120.5680, "听一次钟"),
        ("金鸡湖", 31.3120, 120.7020, "傍晚绕湖"),
    ),
    ("宁静", "欢快", "庄严", "梦幻", "激昂"),
    ("生日快乐，{name}！", "{name}，新年快乐！"),
    ("引子", "主题", "尾声"),
)

JAPANESE = World(
    "ja",
    ("星を見る夜", "港のジャズ祭", "活版印刷の日曜市", "夏の終わりの短編映画祭"),
    ("毛布をひとつお持ちください", "雨天決行", "入場無料"),
    ("2026年9月12日（土）", "8月29日・30日", "10月3日 午後六時"),
    ("丘の上天文台", "旧倉庫三号館", "川沿い文化ホール"),
    ("佐藤 美月", "高橋 蓮", "ヴァルガ・エリカ", "中村 さくら", "小林 陽翔"),
    ("都会の空の暗さ", "流木でつくる鍵盤", "橋の歌を聴く"),
    ("港町書店", "つきのひかり工房"),
    "京都",
    (
        ("伏見稲荷大社", 34.9671, 135.7727, "朝いちばんに鳥居をくぐる"),
        ("清水寺", 34.9949, 135.7850, "舞台から町を見る"),
        ("錦市場", 35.0050, 135.7649, "だし巻きを一切れ"),
        ("鴨川デルタ", 35.0297, 135.7722, "飛び石を渡る"),
        ("銀閣寺", 35.0270, 135.7982, "砂の庭"),
        ("哲学の道", 35.0215, 135.7945, "水の音を聞きながら"),
    ),
    ("静か", "楽しい", "夢のような"),
    ("{name}、お誕生日おめでとう！",),
    ("序", "主題", "結び"),
)

ARABIC = World(
    "ar",
    ("ليلة الشعر على النهر", "مهرجان العود الصغير", "سوق الكتب القديمة"),
    ("الدخول مجاني للجميع", "أحضر كتابًا وخذ كتابًا"),
    ("السبت ١٢ سبتمبر ٢٠٢٦", "الجمعة ٣٠ أكتوبر"),
    ("دار الأوبرا الصغيرة", "بيت الحكمة، القاعة الكبرى"),
    ("ليلى الحداد", "يوسف منصور", "سلمى الخطيب", "كريم عبد الله"),
    ("سماء المدينة المظلمة", "كيف تغنّي الجسور", "خطوط بلا ورق"),
    ("مؤسسة النيل", "دار الياسمين"),
    "القاهرة",
    (
        ("أهرامات الجيزة", 29.9792, 31.1342, "قبل الحر، من جهة الصحراء"),
        ("المتحف المصري", 30.0478, 31.2336, "قاعة واحدة تكفي"),
        ("خان الخليلي", 30.0477, 31.2623, "شاي بالنعناع"),
        ("جامع ابن طولون", 30.0288, 31.2495, "اصعد المئذنة"),
        ("حديقة الأزهر", 30.0406, 31.2650, "الغروب فوق المدينة"),
    ),
    ("هادئ", "مرح", "حالم"),
    ("عيد ميلاد سعيد يا {name}!",),
    ("مقدمة", "اللحن", "خاتمة"),
)

HEBREW = World(
    "he",
    ("לילה פתוח במצפה הכוכבים", "יריד ספרים ישנים"),
    ("הכניסה חופשית", "להביא שמיכה ושאלה"),
    ("שבת, 12 בספטמבר 2026", "יום שישי, 30 באוקטובר"),
    ("בית הנמל הישן", "אולם הנהר"),
    ("נועה ברק", "יונתן לוי", "תמר אלון"),
    ("שמיים חשוכים מעל ערים", "איך גשרים שרים"),
    ("קרן הגליל", "הוצאת אורן"),
    "חיפה",
    (
        ("הגנים הבהאיים", 32.8143, 34.9872, "מלמעלה למטה"),
        ("המושבה הגרמנית", 32.8189, 34.9897, "ארוחת צהריים"),
        ("ואדי ניסנאס", 32.8159, 34.9966, "קפה ופיתה חמה"),
        ("סטלה מאריס", 32.8270, 34.9700, "הים מן המנזר"),
    ),
    ("רגוע", "עליז"),
    ("יום הולדת שמח, {name}!",),
    ("פתיחה", "נושא", "סיום"),
)

RUSSIAN = World(
    "ru",
    ("Ночь открытой обсерватории", "Джаз на причале", "Ярмарка малых издательств"),
    ("Возьмите плед и вопрос", "Вход свободный"),
    ("Суббота, 12 сентября 2026", "3–5 июля"),
    ("Обсерватория на холме", "Старая таможня, причал 4"),
    ("Анна Ковалёва", "Михаил Щербаков", "Ольга Юрьева", "Тимур Ахметов"),
    ("Тёмное небо над городом", "О чём поют мосты", "Шрифты с вывесок"),
    ("Фонд «Север»", "Типография № 5"),
    "Тбилиси",
    (
        ("Нарикала", 41.6878, 44.8087, "Канатная дорога вверх, пешком вниз"),
        ("Серные бани", 41.6886, 44.8110, "Час в тепле"),
        ("Мост Мира", 41.6931, 44.8086, "Вечером, когда зажгут свет"),
        ("Мтацминда", 41.6950, 44.7860, "Колесо обозрения"),
        ("Сухой мост", 41.7001, 44.8040, "Блошиный рынок"),
    ),
    ("спокойно", "радостно", "торжественно"),
    ("С днём рождения, {name}!",),
    ("Вступление", "Тема", "Кода"),
)

HINDI = World(
    "hi",
    ("खुले आसमान की रात", "पुरानी किताबों का मेला"),
    ("सबके लिए निःशुल्क", "एक सवाल साथ लाइए"),
    ("शनिवार, 12 सितंबर 2026", "30 अक्टूबर"),
    ("पहाड़ी वेधशाला", "नदी किनारे सभागार"),
    ("अनन्या शर्मा", "रोहन मेहता", "कविता राव", "इमरान शेख"),
    ("शहर के ऊपर अँधेरा आकाश", "पुल क्या गाते हैं"),
    ("गंगा न्यास", "उत्तर प्रकाशन"),
    "जयपुर",
    (
        ("हवा महल", 26.9239, 75.8267, "सुबह की रोशनी में"),
        ("आमेर क़िला", 26.9855, 75.8513, "शीश महल देखें"),
        ("जंतर मंतर", 26.9248, 75.8246, "सूर्य घड़ी का समय मिलाएँ"),
        ("नाहरगढ़", 26.9374, 75.8156, "शाम को शहर ऊपर से"),
    ),
    ("शांत", "आनंदमय"),
    ("जन्मदिन मुबारक, {name}!",),
    ("आरंभ", "मुख्य धुन", "समापन"),
)

WORLDS = (ENGLISH, CHINESE, GERMAN, ARABIC, JAPANESE, RUSSIAN, HEBREW, HINDI)
