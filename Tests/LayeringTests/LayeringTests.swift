// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks which module each target imports, and which words no source may contain. The compiler
// keeps a target from importing a module that the package does not list for it. But it does not
// prevent a new entry in that list, an import of Foundation, or concurrency that GLib's main loop
// never runs.

import Foundation
import Testing

/// For each folder of Sources, the modules that its Swift files import. The test also fails if a
/// module is listed and not imported, so this list stays exact.
private let house: [String: Set<String>] = [
  // These targets are the functional core.
  "Scheduling": [],
  "Cities": ["Scheduling"],
  "Language": [],
  "Values": ["Scheduling", "Language"],
  "TOML": ["CToml", "Language", "Scheduling", "Values"],
  "Configuration": ["Scheduling", "Cities", "TOML", "Language"],
  "ICalendar": ["Scheduling", "Language"],
  "Persistence": ["Scheduling", "Cities", "TOML", "Configuration", "Language", "Values"],
  // These targets are the imperative shell. Only System uses the operating system directly.
  "System": [
    "Scheduling", "Language", "Values", "CGLib", "CProcess", "Glibc",
    "Synchronization",
  ],
  "Bus": ["System", "Scheduling", "Language", "CGLib", "Glibc", "Synchronization"],
  "Notifications": [
    "Bus", "System", "Scheduling", "Language", "CGLib", "CNotify", "Glibc", "Synchronization",
  ],
  "Sound": ["System", "Scheduling", "Values", "CGLib", "Glibc", "Synchronization"],
  "Player": [
    "Sound", "System", "Scheduling", "Values", "CGLib", "CALSA", "CPulse", "CSndfile", "Glibc",
    "Synchronization",
  ],
  // The agent and the command share these targets.
  "Files": [
    "Scheduling", "Cities", "Language", "TOML", "Configuration", "Persistence", "System", "Sound",
    "ICalendar",
  ],
  "Import": [
    "Scheduling", "Cities", "Language", "TOML", "Configuration", "Values", "Files", "System",
    "ICalendar",
  ],
  "Presentation": [
    "Scheduling", "Cities", "Language", "Configuration", "Persistence", "Values", "Files", "System",
    "Bus",
  ],
  "Doctor": [
    "Scheduling", "Language", "Configuration", "Values", "Files", "Presentation", "System", "Bus",
    "Notifications", "Sound",
  ],
  // These targets are the programs and their parts.
  "Agent": [
    "Scheduling", "Cities", "Language", "TOML", "Configuration", "Persistence", "Values", "Files",
    "Presentation", "Doctor", "System", "Bus", "Notifications", "Sound", "Synchronization",
  ],
  "Screen": [
    "Scheduling", "Language", "Configuration", "Values", "Presentation", "System",
  ],
  "belfryd": ["Agent"],
  "belfry-sound": ["Player"],
  "belfry": [
    "Doctor", "Screen", "Import", "Files", "Presentation", "Scheduling", "Cities", "Language",
    "TOML",
    "Configuration", "Persistence", "Values", "System", "Bus", "Sound", "ArgumentParser",
  ],
  // These targets make C libraries available to Swift.
  "CGLib": [], "CNotify": [], "CALSA": [], "CPulse": [], "CSndfile": [],
  "CToml": [], "CProcess": [],
  // This program is written in C.
  "belfry-wake": [],
]

struct LayeringTests {
  @Test func `every folder of Sources is in the list, and the list has no other folder`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      at: Self.repository.appendingPathComponent("Sources"),
      includingPropertiesForKeys: [.isDirectoryKey]
    ).filter(\.hasDirectoryPath).map(\.lastPathComponent)
    #expect(Set(folders) == Set(house.keys))
  }

  @Test(arguments: house.keys.sorted())
  func `a target imports exactly what the list allows`(target: String) throws {
    let importing = /: \s*(?:@\w+(?:\([^)]*\))?\s+)*(?:p\w+\s+)?import\s+(?:[a-z]+\s+)?(\w+)/
    let imported = try Self.code(in: "Sources/\(target)")
      .compactMap { $0.firstMatch(of: importing).map { String($0.1) } }
    #expect(Set(imported) == house[target])
  }

  /// In Swift 6.3, the main actor's executor passes every job to libdispatch's main queue, and
  /// never calls the runtime's hook for programs with a loop of their own.
  /// `MainLoop.serveMainQueue` runs these jobs, but only the ends of objects are meant to come that
  /// way: each `await` of an answer would go through a thread of libdispatch and back, so the agent
  /// would have two more threads.
  @Test(arguments: ["async", "await", "Task", "actor", "DispatchQueue"])
  func `no source uses concurrency that the main loop does not run`(word: String) throws {
    let whole = try Regex("\\b\(word)\\b")
    let used = try Self.code(in: "Sources").filter { $0.contains(whole) }
    #expect(used == [])
  }

  /// A function that may wait for a disk takes a `Disk`, and the main loop has none. Only
  /// `Disk.here` makes a `Disk`, so this test forbids `Disk.here` in the code that the agent runs.
  @Test(arguments: [
    "Agent", "belfryd", "Bus", "Files", "Notifications", "Player", "belfry-sound", "Presentation",
    "Sound", "System",
  ])
  func `no source of the agent waits for a disk on the main loop`(target: String) throws {
    // The exceptions are, in this order: the threads of workers, libnotify's own thread, the start
    // of the program, and files of the system itself (`SystemFile`).
    let allowed = [
      "Worker.swift", "NotificationThread.swift", "AgentProgram.swift", "Folder.swift",
    ]
    let waiting = try Self.code(in: "Sources/\(target)").filter { $0.contains("Disk.here") }
      .filter { line in !allowed.contains { line.contains("/\($0):") } }
    #expect(waiting == [])
  }

  /// The parts of the agent are given values, and return what is to be done.
  @Test func `only the program holds the agent`() throws {
    let holding = /\b(let|var) \w+: Agent\b/
    let used = try Self.code(in: "Sources/Agent").filter { $0.contains(holding) }
    #expect(used.map { $0.prefix { $0 != ":" } } == ["Sources/Agent/AgentProgram.swift"])
  }

  /// What threads share is in a `Mutex` or an `Atomic`, and what one queue uses is `Confined` to
  /// it.
  @Test func `no source asks the compiler not to check who uses a class`() throws {
    let unchecked = try Self.code(in: "Sources").filter { $0.contains("@unchecked") }
    #expect(unchecked == [])
  }

  /// A `Character` can consist of a letter and a character that a shell or a path gives a meaning
  /// to, and its methods judge only the first of the two.
  @Test func `text for a shell, a path or a protocol is not judged by its characters`() throws {
    let judging = [
      "Language/OutsideText.swift", "Language/Text.swift", "Language/TerminalText.swift",
      "Configuration/CallerPolicy.swift", "Configuration/Identity.swift", "TOML/TOMLWriting.swift",
      "Files/Locations.swift", "Files/SoundLibrary.swift", "System/Files/Descriptor.swift",
      "System/Files/WatchedWay.swift", "System/Command.swift", "System/Variant.swift",
      "System/Zones.swift", "Notifications/DoNotDisturb.swift", "belfry/Completions.swift",
    ]
    let methods =
      /\b(is(Letter|Number|WholeNumber|Whitespace|Newline|Punctuation|Symbol)|: Character)\b/
    let code = try Self.code(in: "Sources")
    let used =
      code
      .filter { line in judging.contains { line.contains("Sources/\($0):") } }
      .filter { $0.contains(methods) }
    #expect(used == [])
    // These functions see no slash in a name that begins with a combining mark.
    let slash = /(contains|has(Pre|Suf)fix|split|(first|last)Index)\((of: |separator: )?"\/"/
    let ofDates = ["Typed/MonthDayText", "ICalendar/EventDays"]
    let judged = code.filter { $0.contains(slash) }
    #expect(judged.filter { line in !ofDates.contains { line.contains($0) } } == [])
  }

  /// With regular expressions, the released agent would be a tenth larger, so Belfry's own code
  /// uses the functions in `Language/Text.swift` instead. The released command contains the code
  /// for them anyway, because ArgumentParser uses Foundation. The programs tested here load Swift's
  /// libraries, so symbols of that code are in a program only if the program's own code uses it.
  @Test(arguments: ["belfry", "belfryd", "belfry-sound"])
  func `no program's own code uses regular expressions`(program: String) throws {
    let built = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let bytes = try Data(contentsOf: built.appendingPathComponent(program))
    #expect(bytes.range(of: Data("17_StringProcessing".utf8)) == nil)
  }

  @Test(arguments: ["Sources", "Tests"])
  func `every source file begins with its licence`(folder: String) throws {
    let first = /(\/\/|\/\*) SPDX-License-Identifier: GPL-3.0-or-later/
    let silent = try Self.files(in: folder, ["swift", "c", "cpp", "h"])
      .filter { $0.lines[0].wholeMatch(of: first) == nil }.map(\.path)
    #expect(silent == [])
  }

  // MARK: - Reading the sources

  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the files below `folder` whose names end in one of `extensions`, sorted by path. Their
  /// paths are relative to the repository.
  private static func files(
    in folder: String, _ extensions: Set<String>
  ) throws -> [(path: String, lines: [Substring])] {
    let below = repository.appendingPathComponent(folder)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: below.path)
    return try paths.sorted().filter { extensions.contains(($0 as NSString).pathExtension) }.map {
      let text = try String(contentsOf: below.appendingPathComponent($0), encoding: .utf8)
      return ("\(folder)/\($0)", text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }

  /// Returns each line of the Swift files below `folder` as `file:line: text`, without the comment
  /// at the end of the line.
  private static func code(in folder: String) throws -> [String] {
    try files(in: folder, ["swift"]).flatMap { path, lines in
      lines.enumerated().map { number, line in
        let end = line.firstRange(of: "//")?.lowerBound ?? line.endIndex
        return "\(path):\(number + 1): \(line[..<end])"
      }
    }
  }
}
