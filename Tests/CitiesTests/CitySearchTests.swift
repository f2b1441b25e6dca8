// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests searches in the table of cities that Belfry ships, each with its expected first result.
// Also tests searches in damaged tables.

import Cities
import Foundation
import Scheduling
import Testing

@Suite("the city search finds the city that the user most likely means")
struct CitySearchTests {
  @Test(
    "the first result of a search is the city that the user means",
    arguments: [
      // English names: a whole name, the beginning of a name, upper case, and a single word of a
      // name.
      ("Seoul", "Seoul"), ("seo", "Seoul"), ("SEOUL", "Seoul"), ("york", "York"),
      ("aires", "Buenos Aires"), ("new y", "New York"), ("new york", "New York"),
      // Accents and apostrophes do not matter, neither in the table nor in the search.
      ("sao paulo", "São Paulo"), ("são paulo", "São Paulo"), ("SÃO", "São Paulo"),
      ("zurich", "Zürich"), ("zürich", "Zürich"), ("xian", "Xi'an"), ("xi'an", "Xi'an"),
      ("xi’an", "Xi'an"), ("izmir", "İzmir"), ("lodz", "Łódź"), ("łódź", "Łódź"),
      ("st johns", "St. John's"), ("saint petersburg", "Saint Petersburg"),
      ("zu\u{308}rich", "Zürich"), ("ｓｅｏｕｌ", "Seoul"), ("can tho", "Cần Thơ"),
      ("port-au-prince", "Port-au-Prince"), ("port au prince", "Port-au-Prince"),
      // Names in the local language and script.
      ("münchen", "Munich"), ("Munchen", "Munich"), ("wien", "Vienna"), ("Köln", "Cologne"),
      ("москва", "Moscow"), ("МОСКВА", "Moscow"), ("Αθήνα", "Athens"), ("αθηνα", "Athens"),
      ("東京", "Tokyo"), ("北京", "Beijing"), ("القاهرة", "Cairo"), ("กรุงเทพ", "Bangkok"),
      ("काठमाडौं", "Kathmandu"), ("תל אביב", "Tel Aviv"), ("Firenze", "Florence"),
      // Former names, and short names such as "nyc".
      ("bombay", "Mumbai"), ("saigon", "Ho Chi Minh City"), ("kiev", "Kyiv"), ("nyc", "New York"),
      ("peking", "Beijing"),
      // Korean names: a whole name, its beginning, and a beginning that ends within a syllable.
      ("서울", "Seoul"), ("서우", "Seoul"), ("뉴욕", "New York"), ("뉴요", "New York"),
      ("도쿄", "Tokyo"), ("런던", "London"), ("파리", "Paris"), ("방콕", "Bangkok"),
      ("카트만두", "Kathmandu"), ("부산", "Busan"), ("붓", "Busan"), ("서울특별시", "Seoul"),
      ("\u{1109}\u{1165}\u{110B}\u{116E}\u{11AF}", "Seoul"), ("베이징", "Beijing"),
      ("상하이", "Shanghai"), ("상해", "Shanghai"), ("시드니", "Sydney"), ("워싱턴", "Washington"),
      // Korean initial consonants, alone or mixed with whole syllables.
      ("ㅅㅇ", "Seoul"), ("ㄴㅇ", "New York"), ("ㅍㄹ", "Paris"), ("ㄹㄷ", "London"),
      ("ㅋㅌㅁㄷ", "Kathmandu"), ("서ㅇ", "Seoul"), ("\u{1109}\u{110B}", "Seoul"),
      ("ㅂㅅ", "Busan"), ("ㅄ", "Busan"),
      // Names of time zones, also incomplete ones.
      ("Asia/Seoul", "Seoul"), ("europe/ber", "Berlin"), ("America/New_York", "New York"),
      ("america/st_johns", "St. John's"),
      // Countries and regions, with a city before them or alone.
      ("london, canada", "London, Canada"), ("london, ontario", "London, Canada"),
      ("london canada", "London, Canada"), ("London,CA", "London, Canada"),
      ("런던, 캐나다", "London, Canada"), ("런던 캐나다", "London, Canada"),
      ("springfield, illinois", "Springfield, Illinois, United States"),
      ("springfield il", "Springfield, Illinois, United States"),
      ("south korea", "Seoul"), ("대한민국", "Seoul"), ("한국", "Seoul"), ("germany", "Berlin"),
      ("deutschland", "Berlin"), ("독일", "Berlin"), ("nepal", "Kathmandu"), ("usa", "New York"),
      ("se", "Seoul"), ("la", "Los Angeles"),
      ("california", "Los Angeles"), ("ㄷㅎㅁㄱ", "Seoul"),
    ] as [(String, String)])
  func first(text: String, expected: String) {
    let found = Table.search(text)
    #expect(found.first?.title == expected, "\(text): \(found.map(\.title))")
  }

  @Test(
    "whole names come before beginnings of names, these before words, and these before countries")
  func ranks() {
    #expect(Table.search("york").map(\.title).prefix(2) == ["York", "New York"])
    #expect(Table.search("india", count: 2).map(\.title) == ["Mumbai", "Delhi"])
    #expect(Table.search("indiana", count: 2).map(\.title) == ["Indianapolis", "Fort Wayne"])
    #expect(Table.search("georgia", count: 2).map(\.title) == ["Tbilisi", "Atlanta"])
  }

  @Test("A city comes before its wards, and before smaller cities of its name")
  func wards() {
    for name in ["Tokyo", "New York"] { #expect(Table.search(name).first?.title == name) }
    #expect(Table.search("london", count: 2).map(\.title) == ["London", "London, Canada"])
    #expect(Table.search("setagaya", count: 1).map(\.title) == ["Setagaya"])
    #expect(Table.search("washington", count: 9).map(\.title).contains("Seattle"))
  }

  @Test("equally good results are sorted by population, and no more come than were asked for")
  func order() {
    for text in ["a", "s", "ㅅ", "서", "new", "germany", "1", "."] {
      for count in [0, 1, 3, 100] {
        #expect(Table.search(text, count: count).count <= count, "\(text)")
      }
    }
    let germany = Table.search("germany", count: 50)
    #expect(germany.count == 50)
    #expect(germany.map(\.population) == germany.map(\.population).sorted(by: >))
    #expect(germany.allSatisfy { $0.countryCode == "DE" && $0.koreanCountry == "독일" })
  }

  @Test("a result of a search has all facts about the city")
  func city() throws {
    let kathmandu = try #require(Table.search("kathmandu").first)
    #expect(kathmandu.name == "Kathmandu" && kathmandu.korean == "카트만두")
    #expect(kathmandu.local == "काठमाडौं" && kathmandu.country == "Nepal")
    #expect(kathmandu.koreanCountry == "네팔" && kathmandu.countryCode == "NP")
    #expect(kathmandu.zone == "Asia/Kathmandu")
    #expect(abs(kathmandu.latitude - 27.7) < 0.1 && abs(kathmandu.longitude - 85.32) < 0.1)
    #expect(kathmandu.population > 1_000_000)
  }

  @Test(
    "a search for a text that no city has finds nothing",
    arguments: [
      "", " ", ",", ", ,", "|", "\t", "\n", "xyzzyx", "ㅎㅎㅎㅎㅎㅎㅎㅎ", "서울울울", "\u{0}", "\u{1B}[31m",
      "seoul, mars", "seoul, germany", "country\tKR", "🕰️", "\u{300}", "'", "----",
      String(repeating: "a", count: 10_000), String(repeating: "서", count: 10_000),
      String(repeating: "a,", count: 5_000), String(repeating: "ㅅ ", count: 5_000),
    ])
  func nothing(text: String) {
    #expect(Table.search(text).map(\.title) == [])
  }

  @Test("a damaged row of the table is left out of the search, and never crashes it")
  func damage() {
    let good =
      "city\tseoul|서울\tㅅㅇ\tKR\tseoul\tSeoul\t서울\t\tSeoul\t37.57\t126.98\t10349312\tAsia/Seoul\t0"
    let bytes = Array(good.utf8)
    for length in bytes.indices {
      let cut = Array(bytes[..<length])
      _ = Table.search("서울", in: cut)
      _ = Table.find(["서울", "Seoul, KR", "Seoul, Seoul"], in: cut)
    }
    for (row, isFound) in [
      (good, true), (good + "\n", true), (good.replacing("37.57", with: "nan"), false),
      (good.replacing("37.57", with: "91"), false), (good.replacing("126.98", with: ""), false),
      (good.replacing("10349312", with: "x"), false),
      ("town" + good.dropFirst(4), false),
    ] {
      #expect(Table.search("seoul", in: Array(row.utf8)).isEmpty != isFound, "\(row)")
    }
    var chance = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var wild = bytes
      for _ in 0..<4 { wild[Int.random(in: wild.indices, using: &chance)] = .random(in: 0...255) }
      _ = Table.search("서울", in: wild)
      _ = Table.search("seoul korea", in: wild)
      _ = Table.find(["서울", "Seoul, KR"], in: wild)
    }
  }
}

@Suite("a city in the config is found by its exact name")
struct CityLookupTests {
  @Test("a name finds the most populous city that has it, unless a country or region is added")
  func names() {
    let wanted = [
      "Seoul": "Seoul", "seoul": "Seoul", "서울": "Seoul", "New York City": "New York",
      "London": "London", "London, Canada": "London, Canada", "London, CA": "London, Canada",
      "London, Ontario": "London, Canada", "London, GB": "London",
      "london,united kingdom": "London",
      "Springfield, US": "Springfield",
      "Springfield, IL": "Springfield, Illinois, United States",
      "Springfield, Illinois, United States": "Springfield, Illinois, United States",
      "Springfield, illinois, usa": "Springfield, Illinois, United States",
      "뉴욕": "New York", "런던, 캐나다": "London, Canada", "München": "Munich", "Munchen": "Munich",
      "東京": "Tokyo", "Sankt-Peterburg": "Saint Petersburg", "Bombay": "Mumbai",
      "St Petersburg": "Saint Petersburg",
    ]
    let found = Table.find(Array(wanted.keys))
    for (name, title) in wanted { #expect(found[name]?.title == title, "\(name)") }
  }

  @Test("a part of a name, or a name with the wrong country, finds no city")
  func none() {
    let names = [
      "", ",", ", KR", "Seo", "ㅅㅇ", "서", "Seoul, Germany", "Seoul, KR, DE", "London, On",
      String(repeating: "Seoul", count: 2000), String(repeating: "Seoul,Mars,", count: 2000),
    ]
    #expect(Table.find(names).isEmpty)
  }

  @Test("the largest cities are available for guesses, in English and Korean")
  func largest() {
    var largest = LargestCities(count: 1000)
    let table = Table.bytes
    largest.read(table.span)
    #expect(largest.names.contains("Seoul") && largest.names.contains("서울"))
    #expect(largest.names.count > 1800 && largest.names.count <= 2000)
  }
}
