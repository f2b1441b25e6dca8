// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starts the parts of the benchmark, and has the functions that they share: for configs, waiting
// and repetition. The script `run` builds and starts the benchmark. No test checks its output.
// Next: `Command.swift`.

import Foundation
import Lab

struct Benchmark {
  static let both = [("floor", "org.belfry.Floor"), ("belfryd", "org.belfry.Belfry")]
    .map { (file: $0.0, name: $0.1) }

  var table: Table
  /// Whether to check only that the benchmark works, with few runs and without exact figures.
  let isQuick: Bool

  func runs(_ count: Int) -> Int { isQuick ? 2 : count }

  func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

  func pause(_ seconds: Double) { Thread.sleep(forTimeInterval: max(0, seconds)) }

  func end(_ program: Program) throws {
    program.terminate()
    try program.waitForExit(within: 20)
  }

  /// Returns a config with `count` alarms at all times of day. If `due` is given, one more alarm
  /// rings at that time.
  static func config(
    alarms count: Int, due: Epoch? = nil, label: String = "Alarm", volume: Int = 100
  ) -> String {
    var text = "[defaults]\nfade_in = \"0s\"\nupcoming = \"0s\"\nvolume = \(volume)\n"
    let days = [#""weekdays""#, #""daily""#, #"["mon", "thu"]"#]
    // The first alarm is two hours from now, so that none rings during a measurement.
    let hour = Int(Lab.now) / 3600 % 24 + 2
    for i in 0..<count {
      let time = String(format: "%02d:%02d", (hour + i % 20) % 24, i % 60)
      text += "[[alarm]]\nid = \"a\(i)\"\ntime = \(time)\ndays = \(days[i % 3])\n"
      text += "label = \"\(i == count / 2 ? label : "Alarm \(i)")\"\n\n"
    }
    if let due { text += "[[alarm]]\nid = \"due\"\n\(moment(due))\n" }
    return text
  }

  /// Returns the config lines that make an alarm ring at `due`.
  static func moment(_ due: Epoch) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt  // The agent under test runs in this zone too.
    formatter.dateFormat = "'date = 'yyyy-MM-dd'\ntime = 'HH:mm:ss"
    return formatter.string(from: Date(timeIntervalSince1970: due))
  }

  func save(_ lab: Lab, alarms count: Int, due: Epoch? = nil) throws {
    try save(lab, Self.config(alarms: count, due: due))
  }

  /// Saves the config by renaming, as editors do. Returns the time at which the new file was in
  /// place.
  @discardableResult
  func save(_ lab: Lab, _ text: String) throws -> Epoch {
    let file = lab.home.appendingPathComponent(".config/belfry/config.toml")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return Lab.now
  }
}

if CommandLine.arguments.dropFirst().first == "--core" {
  let numbers = CommandLine.arguments.compactMap { Int($0) }
  Core.play(alarms: numbers[0], events: numbers[1])
  exit(0)
}

let last = Lab.repository.appendingPathComponent("Tests/Benchmark/last.tsv")
var arguments = CommandLine.arguments.dropFirst()
let keeps = arguments.contains("--keep")
var benchmark = Benchmark(table: Table(last: last), isQuick: arguments.contains("--quick"))
arguments.removeAll { $0.hasPrefix("--") }
// A number says for how many minutes to soak.
let minutes = arguments.compactMap { Double($0) }.first ?? 60
arguments.removeAll { Double($0) != nil }
let parts: [(String, (inout Benchmark) throws -> Void)] = [
  ("startup", { try $0.startup() }), ("idle", { try $0.idle() }), ("ring", { try $0.ring() }),
  ("busy", { try $0.lateness(isBusy: true) }),
  ("rest", { try $0.rest() }), ("commands", { try $0.commands() }), ("scale", { try $0.scale() }),
  ("timers", { try $0.timers() }), ("history", { try $0.history() }),
  ("instructions", { try $0.instructions() }), ("size", { try $0.size() }),
  ("soak", { try $0.soak(minutes: minutes) }),
]
// Without arguments, everything is measured but the soak, which takes too long.
for (name, part) in parts
where arguments.isEmpty ? name != "soak" : arguments.contains(name) {
  try part(&benchmark)
}
print(benchmark.table.text + "\n\n" + benchmark.table.growth(Benchmark.sizes))
if keeps { try benchmark.table.keep(as: last) }
