# SPDX-License-Identifier: GPL-3.0-or-later
"""Corrections that make.py applies to its sources, and the languages of regions."""

# Two suburbs of Auckland that GeoNames puts into the zone of the Chatham Islands.
CORRECTED = {
    "Windsor Park/NZ": dict(timezone="Pacific/Auckland"),
    "Wairau Valley/NZ": dict(timezone="Pacific/Auckland"),
}
# Today's English names, if GeoNames has another spelling. The keys are its names and countries.
ENGLISH = {
    "New York City/US": "New York", "Köln/DE": "Cologne", "Sevilla/ES": "Seville",
    "Makkah/SA": "Mecca", "Madinah/SA": "Medina", "Ulan Bator/MN": "Ulaanbaatar",
    "Nizhniy Novgorod/RU": "Nizhny Novgorod", "Nay Pyi Taw/MM": "Naypyidaw", "Basrah/IQ": "Basra",
    "Santiago de Querétaro/MX": "Querétaro", "León de los Aldama/MX": "León",
    "Saint John's/AG": "St. John's", "Reykjavík/IS": "Reykjavik", "Washington/US": "Washington",
    "Darhan/MN": "Darkhan", "Bogotá/CO": "Bogotá", "Downtown/IO": "Diego Garcia",
    "Donghae City/KR": "Donghae", "Kwangyang/KR": "Gwangyang",
    "Nangen/KR": "Namwon", "Kyosai/KR": "Geoje", "Eisen/KR": "Yeongcheon", "Kimje/KR": "Gimje",
    "Jungpyong/KR": "Jeungpyeong", "Pubal/KR": "Bubal",
    "Gasteiz / Vitoria/ES": "Vitoria", "Donostia / San Sebastián/ES": "San Sebastián",
}
# Well-known other names. GeoNames has dozens of names for a city, without their languages.
ALSO = {
    "New York City/US": "NYC", "Los Angeles/US": "LA", "Mumbai/IN": "Bombay",
    "Kolkata/IN": "Calcutta", "Chennai/IN": "Madras", "Bengaluru/IN": "Bangalore",
    "Ho Chi Minh City/VN": "Saigon", "Kyiv/UA": "Kiev", "Beijing/CN": "Peking",
    "Guangzhou/CN": "Canton", "Yangon/MM": "Rangoon", "Istanbul/TR": "Constantinople",
    "Washington/US": "Washington DC|Washington D.C.", "Astana/KZ": "Nur-Sultan", "Lviv/UA": "Lvov",
    "Kharkiv/UA": "Kharkov", "Odesa/UA": "Odessa", "Chattogram/BD": "Chittagong",
    "Pune/IN": "Poona", "Hong Kong/HK": "香港", "Singapore/SG": "新加坡",
    "Waitangi/NZ": "Chatham Islands|채텀 제도",
}
# The usual Korean names, if GeoNames has other ones or none.
KOREAN = dict(line.strip().rsplit(" ", 1) for line in """
    New York City/US 뉴욕
    Washington/US 워싱턴
    Kyiv/UA 키이우
    Ulan Bator/MN 울란바토르
    Guatemala City/GT 과테말라시티
    Panama City/PA 파나마시티
    Mexico City/MX 멕시코시티
    Kuwait City/KW 쿠웨이트시티
    Ho Chi Minh City/VN 호찌민
    Kharkiv/UA 하르키우
    Lviv/UA 리비우
    Odesa/UA 오데사
    Zaporizhzhya/UA 자포리자
    Bengaluru/IN 벵갈루루
    Delhi/IN 델리
    İzmir/TR 이즈미르
    Mersin/TR 메르신
    Hyderabad/IN 하이데라바드
    Surat/IN 수라트
    Kanpur/IN 칸푸르
    Thane/IN 타네
    Ludhiana/IN 루디아나
    Faridabad/IN 파리다바드
    Rajkot/IN 라지코트
    Rājkot/IN 라지코트
    Gorakhpur/IN 고라크푸르
    Dhanbad/IN 단바드
    Aurangabad/IN 아우랑가바드
    Prayagraj/IN 프라야그라지
    Gwalior/IN 괄리오르
    Howrah/IN 하우라
    Sholapur/IN 솔라푸르
    Chandigarh/IN 찬디가르
    Bhubaneswar/IN 부바네스와르
    Alīgarh/IN 알리가르
    Morādābād/IN 모라다바드
    Puducherry/IN 푸두체리
    Bikaner/IN 비카네르
    Kochi/IN 코치
    Amravati/IN 암라바티
    Kolhapur/IN 콜하푸르
    Faisalabad/PK 파이살라바드
    Gujranwala/PK 구지란왈라
    Bahawalpur/PK 바하왈푸르
    Muzaffarābād/PK 무자파라바드
    Gazipur/BD 가지푸르
    Rajshahi/BD 라지샤히
    Comilla/BD 코밀라
    Herāt/AF 헤라트
    Giza/EG 기자
    Port Said/EG 포트사이드
    Al Manşūrah/EG 만수라
    Ţanţā/EG 탄타
    Assiut/EG 아시우트
    Fes/MA 페스
    Tangier/MA 탕헤르
    Marrakesh/MA 마라케시
    Meknès/MA 메크네스
    Sale/MA 살레
    Erbil/IQ 아르빌
    Basrah/IQ 바스라
    Sulaymaniyah/IQ 술라이마니야
    Taiz/YE 타이즈
    Al Ḩudaydah/YE 호데이다
    Mukalla/YE 무칼라
    Kermanshah/IR 케르만샤
    Orūmīyeh/IR 우르미아
    Al Ahmadi/KW 아마디
    Al Muharraq/BH 무하라크
    Bukavu/CD 부카부
    Mbuji-Mayi/CD 음부지마이
    Kolwezi/CD 콜웨지
    Matola/MZ 마톨라
    Pikine/SN 피킨
    Arusha/TZ 아루샤
    Benguela/AO 벵겔라
    Cabinda/AO 카빈다
    Khartoum North/SD 북하르툼
    Serekunda/GM 세레쿤다
    Gitega/BI 기테가
    Ciudad de la Paz/GQ 시우다드데라파스
    Haiphong/VN 하이퐁
    Cần Thơ/VN 껀터
    Biên Hòa/VN 비엔호아
    Depok/ID 데폭
    South Tangerang/ID 남탕에랑
    Banjarmasin/ID 반자르마신
    Jambi City/ID 잠비
    Serang/ID 세랑
    Malacca/MY 믈라카
    Quezon City/PH 케손시티
    Taguig/PH 타기그
    Antipolo/PH 안티폴로
    Pasig City/PH 파시그
    New Territories/HK 신계
    Hong Kong Island/HK 홍콩섬
    Banqiao/TW 반차오
    Astana/KZ 아스타나
    Ulaangom/MN 울란곰
    Nizhniy Novgorod/RU 니즈니노브고로드
    Stavropol/RU 스타브로폴
    Arkhangel'sk/RU 아르한겔스크
    Nizhny Tagil/RU 니즈니타길
    Santa Cruz de la Sierra/BO 산타크루스데라시에라
    León de los Aldama/MX 레온
    Zapopan/MX 사포판
    Ecatepec de Morelos/MX 에카테펙
    Culiacán/MX 쿨리아칸
    Torreón/MX 토레온
    Guarulhos/BR 과룰류스
    Natal/BR 나타우
    São Bernardo do Campo/BR 상베르나르두두캄푸
    Osasco/BR 오자스쿠
    Santo André/BR 산투안드레
    Palmas/BR 파우마스
    Puente Alto/CL 푸엔테알토
    Coyhaique/CL 코이아이케
    San José/CR 산호세
    Villa Nueva/GT 비야누에바
    Chaguanas/TT 차과나스
    Puerto Ayora/EC 푸에르토아요라
    Queens/US 퀸스
    The Bronx/US 브롱크스
    Staten Island/US 스태튼아일랜드
    Tulsa/US 털사
    Lexington-Fayette/US 렉싱턴
    St. Petersburg/US 세인트피터즈버그
    Arlington/US 알링턴
    Aurora/US 오로라
    Newport News/US 뉴포트뉴스
    Kansas City/US 캔자스시티
    Laval/CA 라발
    Markham/CA 마컴
    Nottingham/GB 노팅엄
    Reading/GB 레딩
    Kingston upon Hull/GB 헐
    City of Westminster/GB 웨스트민스터
    Gold Coast/AU 골드코스트
    Sunshine Coast/AU 선샤인코스트
    Dunedin/NZ 더니든
    Waitangi/NZ 와이탕이
    Nantes/FR 낭트
    Brest/FR 브레스트
    Nancy/FR 낭시
    Freiburg/DE 프라이부르크
    Ingolstadt/DE 잉골슈타트
    Catania/IT 카타니아
    Brescia/IT 브레시아
    Parma/IT 파르마
    Modena/IT 모데나
    Rimini/IT 리미니
    Salerno/IT 살레르노
    Perugia/IT 페루자
    Pisa/IT 피사
    Murcia/ES 무르시아
    Las Palmas de Gran Canaria/ES 라스팔마스
    Gasteiz / Vitoria/ES 비토리아
    Donostia / San Sebastián/ES 산세바스티안
    Salamanca/ES 살라망카
    Schaan/LI 샨
    Downtown/IO 디에고가르시아
    Nukunonu/TK 누쿠노누
    Seogwipo/KR 서귀포
    Hwado/KR 화도
    Donghae City/KR 동해
    Muan/KR 무안
    Kwangyang/KR 광양
    Ungsang/KR 웅상
    Sinhyeon/KR 신현
    Nangen/KR 남원
    Naeso/KR 내서
    Kyosai/KR 거제
    Hwawon/KR 화원
    Pubal/KR 부발
    Eisen/KR 영천
    Ido-dong/KR 이도동
    Ara-dong/KR 아라동
    Kimje/KR 김제
    Munsan/KR 문산
    Jungpyong/KR 증평
""".strip().splitlines())
COUNTRIES = {
    "HK": ("Hong Kong", "홍콩"), "MO": ("Macao", "마카오"), "PS": ("Palestine", "팔레스타인"),
    "MM": ("Myanmar", "미얀마"), "CD": ("DR Congo", "콩고민주공화국"),
    "CG": ("Congo", "콩고 공화국"),
}
COUNTRY_ALSO = {
    "KR": "한국|남한|Korea|Republic of Korea", "KP": "조선|North Korea|DPRK", "US": "USA|America",
    "GB": "UK|Great Britain|Britain|England", "NL": "Holland", "CZ": "Czech Republic",
    "TR": "Turkey", "AE": "UAE|Emirates", "MM": "Burma", "CD": "Congo - Kinshasa",
    "CI": "Ivory Coast", "SZ": "Swaziland", "MK": "Macedonia", "TW": "타이완", "RU": "Russian Federation",
    "VA": "바티칸", "TL": "East Timor", "MO": "Macau", "CN": "PRC", "JP": "Nippon",
}
# The names of capitals among the cities of GeoNames, if they differ from those among its countries.
CAPITALS = {
    "AG": "Saint John's", "CM": "Yaoundé", "EH": "Laayoune", "GD": "Saint George's",
    "GG": "Saint Peter Port", "IO": "Downtown", "KZ": "Astana", "MO": "Macau", "PW": "Koror",
    "TK": "Nukunonu", "TO": "Nuku'alofa", "VU": "Port-Vila", "WF": "Mata-Utu", "BQ": "Kralendijk",
    "CW": "Willemstad", "MN": "Ulan Bator",
}
# Countries and dependencies that have no inhabited capital or no longer exist.
NO_CITY = {"AQ", "BV", "HM", "UM", "CS", "AN"}

# The language of a region, if it differs from the language of the country.
REGION_LANGUAGES = {
    ("IN", "Tamil Nadu"): "ta", ("IN", "Kerala"): "ml", ("IN", "Karnataka"): "kn",
    ("IN", "Telangana"): "te", ("IN", "Andhra Pradesh"): "te", ("IN", "Maharashtra"): "mr",
    ("IN", "Gujarat"): "gu", ("IN", "West Bengal"): "bn", ("IN", "Punjab"): "pa",
    ("IN", "Odisha"): "or", ("IN", "Assam"): "as", ("ES", "Catalonia"): "ca", ("CA", "Quebec"): "fr",
}
SCRIPTS = {
    "ru": "CYRILLIC", "uk": "CYRILLIC", "be": "CYRILLIC", "bg": "CYRILLIC", "mk": "CYRILLIC",
    "sr": "CYRILLIC", "kk": "CYRILLIC", "ky": "CYRILLIC", "mn": "CYRILLIC", "tg": "CYRILLIC",
    "el": "GREEK", "ar": "ARABIC", "fa": "ARABIC", "ur": "ARABIC", "ps": "ARABIC", "he": "HEBREW",
    "hi": "DEVANAGARI", "mr": "DEVANAGARI", "ne": "DEVANAGARI", "bn": "BENGALI", "ta": "TAMIL",
    "te": "TELUGU", "kn": "KANNADA", "ml": "MALAYALAM", "gu": "GUJARATI", "pa": "GURMUKHI",
    "or": "ORIYA", "si": "SINHALA", "th": "THAI", "lo": "LAO", "my": "MYANMAR", "km": "KHMER",
    "ka": "GEORGIAN", "hy": "ARMENIAN", "am": "ETHIOPIC", "ti": "ETHIOPIC", "dz": "TIBETAN",
    "zh": "CJK", "ja": "CJK", "ko": "HANGUL",
}
