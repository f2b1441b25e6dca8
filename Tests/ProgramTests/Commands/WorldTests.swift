// SPDX-License-Identifier: GPL-3.0-or-later
//
// The world clock as its users meet it: `belfry world`, the agent's status and its method
// SearchCities, with the table of cities as it is shipped.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct WorldTests {
  /// What `belfry world --json` has of a clock, and `status --json` too.
  private struct Clock: Decodable, Equatable {
    var label: String?
    var city: String?
    var country: String?
    var timezone: String?
    var at: String?
    var offset: Int?
    var day: String?
    var sunrise: String?
    var sunset: String?
    var sun: String?
    var korean: String?
    var name: String?
    var population: Int?
  }

  private static let clocks = """
    [agent]
    clock = "24h"

    [[clock]]
    city = "서울"
    label = "Home"

    [[clock]]
    city = "Kathmandu"

    [[clock]]
    timezone = "America/St_Johns"

    [[clock]]
    city = "London, Canada"

    """

  private func decoded(_ json: String) throws -> [Clock] {
    try JSONDecoder().decode([Clock].self, from: Data(json.utf8))
  }

  @Test func `clocks are told in the order of the config, with offset and day`() throws {
    let desk = try Desk(Lab())
    #expect(
      try desk.belfry("world").output == "No clock is set. Set one with belfry world add Seoul.\n")
    try desk.saveText(Self.clocks)
    let list = try desk.belfry("world", environment: ["TZ": "Asia/Kathmandu"])
    #expect(list.status == 0 && list.errors == "")
    let lines = list.output.split(separator: "\n").map(String.init)
    try #require(lines.count == 4)
    let time = #/\d\d:\d\d/#
    #expect(lines[0].contains(#/^Home              \d\d:\d\d  \w+ +\+3 h 15 min  /#))
    #expect(
      lines[1].contains(#/^Kathmandu         \d\d:\d\d  today +same time     sun \d\d:\d\d to /#))
    #expect(lines[2].contains(#/^America\/St_Johns  \d\d:\d\d  \w+ +-\d+ h 15 min/#))
    #expect(lines[3].hasPrefix("London, Canada    "))
    #expect(lines.allSatisfy { $0.contains(time) })
    #expect(try desk.belfry("world list", environment: ["TZ": "Asia/Kathmandu"]).status == 0)
  }

  @Test func `their JSON has the time there, and the sun where the place is known`() throws {
    let desk = try Desk(Lab())
    try desk.saveText(Self.clocks)
    let clocks = try decoded(try desk.belfry("world --json").output)
    #expect(clocks.map(\.city) == ["서울", "Kathmandu", nil, "London, Canada"])
    #expect(clocks.map(\.label) == ["Home", "", "", ""])
    #expect(clocks.map(\.country) == ["South Korea", "Nepal", nil, "Canada"])
    #expect(
      clocks.map(\.timezone) == [
        "Asia/Seoul", "Asia/Kathmandu", "America/St_Johns", "America/Toronto",
      ])
    #expect(clocks[0].offset == 32_400 && clocks[1].offset == 20_700)
    #expect(clocks[0].at?.hasSuffix("+09:00") == true && clocks[1].at?.hasSuffix("+05:45") == true)
    #expect(clocks[0].sunrise?.hasSuffix("+09:00") == true && clocks[0].sunset != nil)
    #expect(clocks[2].sunrise == nil && clocks[2].sun == nil)
    let parser = ISO8601DateFormatter()
    for clock in clocks {
      let at = try #require(clock.at.flatMap(parser.date))
      #expect(abs(at.timeIntervalSince1970 - Lab.now) < 60)
      #expect(["yesterday", "today", "tomorrow"].contains(clock.day))
    }
  }

  @Test func `twelve hours are told as twelve`() throws {
    let desk = try Desk(Lab())
    try desk.saveText(Self.clocks.replacing("24h", with: "12h"))
    let list = try desk.belfry("world").output
    #expect(list.split(separator: "\n").allSatisfy { $0.contains(#/ \d?\d:\d\d [ap]m /#) })
  }

  @Test func `auto is 12 or 24 hours as the desktop says, and else as the locale does`() throws {
    let desk = try Desk(Lab())
    try desk.saveText("[[clock]]\ntimezone = \"UTC\"\n")
    let settings = desk.lab.home.appendingPathComponent(".config/glib-2.0/settings")
    try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
    let twelve = #/ \d?\d:\d\d [ap]m /#
    for (format, desktop, isTwelve) in [
      ("12h", "GNOME", true), ("12h", "ubuntu:GNOME", true), ("12h", "Budgie:GNOME", true),
      ("24h", "GNOME", false), ("12h", "KDE", false), ("12h", "XFCE", false), ("12h", "", false),
      // The schema of this one is not installed here.
      ("12h", "X-Cinnamon", false),
    ] {
      try "[org/gnome/desktop/interface]\nclock-format='\(format)'\n".write(
        to: settings.appendingPathComponent("keyfile"), atomically: true, encoding: .utf8)
      var environment = ["TZ": "UTC", "XDG_CURRENT_DESKTOP": desktop]
      let told = try desk.belfry("world", environment: environment)
      #expect(told.status == 0 && told.errors == "", "\(desktop)")
      #expect(told.output.contains(twelve) == isTwelve, "\(desktop), \(format): \(told.output)")
      // Without the schema nothing ends the program.
      environment["XDG_DATA_DIRS"] = desk.lab.folder.path
      let bare = try desk.belfry("world", environment: environment)
      #expect(bare.status == 0 && !bare.output.contains(twelve), "\(desktop)")
    }
  }

  @Test
  func `cities are found in every language, and what is printed first is what a config takes`()
    throws
  {
    let desk = try Desk(Lab())
    for (text, first) in [
      ("seoul", "Seoul"), ("ㅅㅇ", "Seoul"), ("ㄴㅇ", "New York"), ("münchen", "Munich"),
      ("東京", "Tokyo"), ("london canada", "London, Canada"), ("네팔", "Kathmandu"),
      ("Asia/Seoul", "Seoul"), ("new york", "New York"),
    ] {
      let found = try desk.belfry("world search \(text)")
      #expect(found.status == 0 && found.errors == "", "\(text)")
      #expect(found.output.hasPrefix(first), "\(text): \(found.output)")
    }
    let json = try desk.belfry("world search kathmandu --count 1 --json")
    let city = try #require(try decoded(json.output).first)
    #expect(city.city == "Kathmandu" && city.name == "Kathmandu" && city.korean == "카트만두")
    #expect(city.timezone == "Asia/Kathmandu" && city.offset == 20_700)
    #expect(try desk.belfry("world search a --count 3").output.split(separator: "\n").count == 3)
  }

  @Test func `a city that is not there is told, with the one that may be meant`() throws {
    let desk = try Desk(Lab())
    let finds = "try a larger city nearby"
    for (line, status, output, errors) in [
      (
        "world search Soeul", 1, "",
        "belfry: no city is called \"Soeul\": did you mean \"Seoul\"?\n"
      ),
      ("world search xyzzyxyzzy", 1, "", "belfry: no city is called \"xyzzyxyzzy\": \(finds)\n"),
      (
        "world search xyzzyxyzzy --json", 1, "[]\n",
        "belfry: no city is called \"xyzzyxyzzy\": \(finds)\n"
      ),
      (
        "world search \u{1B}[31mxyzzy", 1, "",
        "belfry: no city is called \"\\u001B[31mxyzzy\": \(finds)\n"
      ),
    ] as [(String, Int32, String, String)] {
      let done = try desk.belfry(line)
      #expect(done.status == status && done.output == output && done.errors == errors, "\(line)")
    }
    let long = try desk.belfry("world search \(String(repeating: "a", count: 10_000))")
    #expect(long.status == 1 && long.errors.utf8.count < 200)
    for (line, complaint) in [
      ("world search", "Missing expected argument '<text> ...'"),
      ("world search seoul --count 0", "--count takes 1 to 1000, not 0."),
      ("world nonsense", #"There is no command "world nonsense": belfry world --help shows them."#),
    ] {
      let done = try desk.belfry(line)
      #expect(done.status == 64 && done.errors.hasPrefix("Error: \(complaint)\n"), "\(line)")
    }
    try desk.saveText("[[clock]]\ncity = \"Soeul\"\n")
    let check = try desk.belfry("config check")
    #expect(
      check.errors.hasSuffix(
        "config.toml:2:8: error: no city is called \"Soeul\"\nhint: did you mean \"Seoul\"?\n"))
    #expect(check.status == 1)
  }

  @Test func `labels never act on the terminal`() throws {
    let desk = try Desk(Lab())
    try desk.saveText("[[clock]]\ncity = \"Seoul\"\nlabel = \"\\u001B[31mred\\n\"\n")
    #expect(try desk.belfry("world").output.hasPrefix("\\u001B[31mred\\n  "))
  }

  @Test func `without the table the rest of the world still has its time`() throws {
    let desk = try Desk(Lab())
    try FileManager.default.removeItem(
      at: desk.lab.folder.appendingPathComponent("share/belfry/cities.tsv"))
    try desk.saveText("[[clock]]\ntimezone = \"UTC\"\n\n[[clock]]\ncity = \"Seoul\"\n")
    let list = try desk.belfry("world")
    #expect(list.status == 1)
    #expect(list.output.contains(#/^UTC    \d\d:\d\d  today  same time\nSeoul  \?\n$/#))
    #expect(list.errors.hasPrefix("belfry: the table of cities is missing"))
    #expect(try desk.belfry("world search seoul").errors == list.errors)
    #expect(try desk.belfry("config check").status == 0)
  }

  @Test func `the agent tells the clocks, and finds cities`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.clocks)
    try desk.startAgent()
    struct Answer: Decodable { var clocks: [Clock] }
    let status = try JSONDecoder().decode(
      Answer.self, from: Data(try desk.belfry("status --json").output.utf8))
    #expect(status.clocks.map(\.city) == ["서울", "Kathmandu", nil, "London, Canada"])
    #expect(status.clocks[1].timezone == "Asia/Kathmandu" && status.clocks[1].sunset != nil)
    func search(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
      let program = try desk.lab.start(
        "gdbus",
        arguments: [
          "call", "--session", "--dest", Desk.busName, "--object-path", "/org/belfry/Belfry",
          "--method", "org.belfry.Belfry1.SearchCities",
        ] + arguments)
      guard case .status(let status) = try program.waitForExit() else {
        return (-1, "", "")
      }
      return (status, program.output, program.errors)
    }
    let found = try search("ㅅㅇ", "uint32 2")
    #expect(found.output.hasPrefix("([{'city': <'Seoul'>, 'name': <'Seoul'>, 'korean': <'서울'>, "))
    #expect(try search("xyzzyxyzzy", "uint32 2").output == "(@aa{sv} [],)\n")
    #expect(try search("", "uint32 2").output == "(@aa{sv} [],)\n")
    #expect(try search("seoul", "uint32 0").errors.contains("org.belfry.Error.InvalidArgument"))
    #expect(try search("seoul", "uint32 1001").errors.contains("org.belfry.Error.InvalidArgument"))
    #expect(
      try search(String(repeating: "a,", count: 5000), "uint32 9").output == "(@aa{sv} [],)\n")
  }

  @Test func `a save changes the agent's clocks`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("[[clock]]\ncity = \"Seoul\"\n")
    try desk.startAgent()
    struct Answer: Decodable { var clocks: [Clock] }
    func cities() throws -> [String?] {
      try JSONDecoder().decode(
        Answer.self, from: Data(try desk.belfry("status --json").output.utf8)
      ).clocks.map(\.city)
    }
    #expect(try cities() == ["Seoul"])
    let before = Lab.now
    try desk.saveText("[[clock]]\ncity = \"Busan\"\n[[clock]]\ncity = \"Seoul\"\n")
    try desk.lab.busWatch.waitForMessage("the change", since: before) {
      $0.member == "Changed"
    }
    #expect(try cities() == ["Busan", "Seoul"])
  }

  // MARK: - Changing the config

  @Test func `cities are added, moved and removed, and nothing else of the config is touched`()
    throws
  {
    let desk = try Desk(Lab())
    let before = "# Mine.\n[agent]\nclock = \"24h\"   # as at work\n"
    try desk.saveText(before)
    let utc = ["TZ": "UTC"]
    let added = try desk.belfry("world add 서울 --label Home", environment: utc)
    #expect(added.status == 0 && added.errors == "")
    #expect(added.output.contains(#/^Home  \d\d:\d\d  \w+  \+9 h  sun \d\d:\d\d to \d\d:\d\d\n$/#))
    for city in ["new york", "London, Canada", "Asia/Kathmandu"] {
      #expect(try desk.belfry("world add \(city)").status == 0, "\(city)")
    }
    func names() throws -> [String?] {
      try decoded(try desk.belfry("world --json").output).map { clock in
        clock.label == "" ? clock.city ?? clock.timezone : clock.label
      }
    }
    #expect(try names() == ["Home", "New York", "London, Canada", "Asia/Kathmandu"])
    let text = try String(contentsOf: desk.config, encoding: .utf8)
    #expect(text.hasPrefix(before))
    #expect(text.contains("[[clock]]\ncity = \"Seoul\"\nlabel = \"Home\"\n"))
    #expect(text.hasSuffix("[[clock]]\ntimezone = \"Asia/Kathmandu\"\n"))

    let moved = try desk.belfry("world move 뉴욕 1")
    #expect(moved.status == 0 && moved.output.hasPrefix("New York "))
    #expect(moved.output.split(separator: "\n").count == 4)
    #expect(try names() == ["New York", "Home", "London, Canada", "Asia/Kathmandu"])
    #expect(try desk.belfry("world move home 4").status == 0)
    #expect(try names() == ["New York", "London, Canada", "Asia/Kathmandu", "Home"])
    #expect(try desk.belfry("world move Home 4").status == 0)
    try check(
      [
        ("world remove Home", 0, "removed Home\n", ""),
        ("world remove London, Ontario", 0, "removed London, Canada\n", ""),
        (
          "world remove Kathmandu", 1, "",
          "no clock is called \"Kathmandu\": belfry world shows them"
        ),
        ("world add Springfield, Illinois --json", 0, nil, ""),
        ("world remove springfield", 0, "removed Springfield, Illinois, United States\n", ""),
        ("world remove asia/kathmandu", 0, "removed Asia/Kathmandu\n", ""),
        ("world remove nyc", 0, "removed New York\n", ""),
      ], on: desk)
    #expect(try names() == [])
    #expect(try String(contentsOf: desk.config, encoding: .utf8) == before)
  }

  private func check(
    _ cases: [(line: String, status: Int32, output: String?, errors: String)], on desk: Desk
  ) throws {
    for (line, status, output, errors) in cases {
      let done = try desk.belfry(line)
      #expect(done.status == status && done.output == output ?? done.output, "\(line): \(done)")
      #expect(done.errors == (errors.isEmpty ? "" : "belfry: \(errors)\n"), "\(line)")
    }
  }

  @Test func `what cannot be done to the clocks is said, and changes nothing`() throws {
    let desk = try Desk(Lab())
    // A clock with a mistake is none, and its place is not counted.
    let text = """
      [[clock]]
      city = "Soeul"

      [[clock]]
      city = "Seoul"

      [[clock]]
      city = "Busan"
      label = "\\u001B[31m"

      """
    try desk.saveText(text)
    let there = "Seoul is there already: give it a --label"
    let mistake = "\(desk.config.path):2:8: error: no city is called \"Soeul\"\n"
    for (line, complaint) in [
      ("world add seoul", there), ("world add 서울", there),
      ("world add Soeul", "no city is called \"Soeul\": did you mean \"Seoul\"?"),
      ("world add new yor", "no city is called \"new yor\": did you mean \"New York\"?"),
      ("world add Asia/Soul", "no city is called \"Asia/Soul\": belfry world search finds cities"),
      ("world remove Busn", "no clock is called \"Busn\": did you mean \"Busan\"?"),
      ("world remove Paris", "no clock is called \"Paris\": belfry world shows them"),
      ("world move Paris 1", "no clock is called \"Paris\": belfry world shows them"),
      ("world move Seoul 3", "there are only 2 clocks"),
      (
        "world add \u{1B}[31m",
        "no city is called \"\\u001B[31m\": belfry world search finds cities"
      ),
    ] {
      let done = try desk.belfry(line)
      #expect(done.status == 1 && done.output == "", "\(line)")
      #expect(done.errors == "belfry: \(complaint)\n", "\(line): \(done.errors)")
    }
    for line in [
      "world add", "world remove", "world move Seoul", "world move Seoul 0",
      "world move Seoul -1", "world move Seoul first",
    ] {
      #expect(try desk.belfry(line).status == 64, "\(line)")
    }
    #expect(try String(contentsOf: desk.config, encoding: .utf8) == text)
    let moved = try desk.belfry("world move Busan 1")
    #expect(moved.status == 0 && moved.errors.hasPrefix(mistake))
    #expect(moved.output.hasPrefix("\\u001B[31m  ") && moved.output.contains("\nSeoul "))
  }

  @Test func `another program can change the clocks over the bus`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("")
    try desk.startAgent()
    func call(_ method: String, _ arguments: String...) throws -> String {
      let program = try desk.lab.start(
        "gdbus",
        arguments: [
          "call", "--session", "--dest", Desk.busName, "--object-path", "/org/belfry/Belfry",
          "--method", "org.belfry.Belfry1.\(method)",
        ] + arguments)
      _ = try program.waitForExit()
      return program.output + program.errors
    }
    #expect(try call("AddClock", "서울", "") == "('Seoul',)\n")
    #expect(try call("AddClock", "Europe/Berlin", "Office") == "('Europe/Berlin',)\n")
    #expect(try call("MoveClock", "Office", "uint32 1") == "('Europe/Berlin',)\n")
    struct Answer: Decodable { var clocks: [Clock] }
    let status = try JSONDecoder().decode(
      Answer.self, from: Data(try desk.belfry("status --json").output.utf8))
    #expect(status.clocks.map(\.timezone) == ["Europe/Berlin", "Asia/Seoul"])
    for (method, arguments, error) in [
      ("AddClock", ["Seoul", ""], "InvalidArgument"), ("AddClock", ["Soeul", ""], "NotFound"),
      ("AddClock", ["", ""], "NotFound"), ("RemoveClock", ["Paris"], "NotFound"),
      ("RemoveClock", [""], "NotFound"), ("MoveClock", ["Seoul", "uint32 0"], "InvalidArgument"),
      ("MoveClock", ["Seoul", "uint32 3"], "InvalidArgument"),
    ] {
      let answer =
        try arguments.count == 1
        ? call(method, arguments[0]) : call(method, arguments[0], arguments[1])
      #expect(answer.contains("org.belfry.Error.\(error)"), "\(method) \(arguments): \(answer)")
    }
    #expect(try call("RemoveClock", "seoul") == "(['Seoul'],)\n")
  }
}
