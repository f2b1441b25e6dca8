// SPDX-License-Identifier: GPL-3.0-or-later
//
// The house as drawn, read from its sources: who may import whom, and what nobody uses. The
// compiler keeps a target from what it does not depend on; it keeps nobody from adding a
// dependency, from Foundation, or from concurrency that GLib's main loop never runs.

import Foundation
import Testing

/// What the Swift files of each folder import: no more, and no less, so that this stays a map.
private let house: [String: Set<String>] = [
  // The functional core.
  "Scheduling": [],
  "Cities": ["Scheduling"],
  "Language": [],
  "TOML": ["CToml", "Language", "Scheduling"],
  "Configuration": ["Scheduling", "TOML", "Language"],
  "Persistence": ["Scheduling", "TOML", "Configuration", "Language"],
  // The imperative shell. Whoever needs the operating system goes through System.
  "System": ["Scheduling", "Language", "CGLib", "CMainExecutor", "Glibc", "Synchronization"],
  "Bus": ["System", "Scheduling", "Language", "CGLib", "Glibc"],
  "Notifications": ["Bus", "System", "Scheduling", "CGLib", "CNotify"],
  "Sound": ["System", "Scheduling", "CGLib", "Glibc", "Synchronization"],
  "Player": [
    "Sound", "System", "Scheduling", "CGLib", "CALSA", "CPulse", "CSndfile", "Glibc",
    "Synchronization",
  ],
  // What both programs share.
  "Files": [
    "Scheduling", "Cities", "Language", "TOML", "Configuration", "Persistence", "System", "CIcal",
    "Synchronization",
  ],
  "Import": [
    "Scheduling", "Language", "TOML", "Configuration", "Persistence", "Files", "System",
  ],
  "Presentation": [
    "Scheduling", "Language", "Configuration", "Persistence", "Files", "System", "Bus",
  ],
  "Doctor": [
    "Scheduling", "Language", "Configuration", "Files", "Presentation", "System", "Bus",
    "Notifications", "Sound",
  ],
  // The programs.
  "Agent": [
    "Scheduling", "Language", "TOML", "Configuration", "Persistence", "Files", "Presentation",
    "Doctor", "System", "Bus", "Notifications", "Sound",
  ],
  "Screen": [
    "Scheduling", "Language", "Configuration", "Persistence", "Presentation", "System",
  ],
  "belfryd": ["Agent"],
  "belfry-sound": ["Player"],
  "belfry": [
    "Doctor", "Screen", "Import", "Files", "Presentation", "Scheduling", "Language", "TOML",
    "Configuration", "Persistence", "System", "Bus", "Sound", "ArgumentParser",
  ],
  // C behind a Swift name.
  "CGLib": [], "CIcal": [], "CNotify": [], "CALSA": [], "CPulse": [], "CSndfile": [],
  "CToml": [], "CMainExecutor": [],
]

struct LayeringTests {
  @Test func `every folder of Sources is in the drawing of the house, and nothing else is`() throws
  {
    let folders = try FileManager.default.contentsOfDirectory(
      at: Self.repository.appendingPathComponent("Sources"),
      includingPropertiesForKeys: [.isDirectoryKey]
    ).filter(\.hasDirectoryPath).map(\.lastPathComponent)
    #expect(Set(folders) == Set(house.keys))
  }

  @Test(arguments: house.keys.sorted())
  func `a target imports exactly what the house allows it`(target: String) throws {
    let importing = /: \s*(?:@\w+(?:\([^)]*\))?\s+)*(?:p\w+\s+)?import\s+(?:[a-z]+\s+)?(\w+)/
    let imported = try Self.code(in: "Sources/\(target)")
      .compactMap { $0.firstMatch(of: importing).map { String($0.1) } }
    #expect(Set(imported) == house[target])
  }

  /// Under `g_main_loop_run` nothing runs a Task, and nothing warns.
  @Test(arguments: ["async", "await", "Task", "actor", "DispatchQueue"])
  func `no source uses a word of concurrency that the main loop does not run`(word: String) throws {
    let whole = try Regex("\\b\(word)\\b")
    // One marks what may wait for a disk, and never runs.
    let used = try Self.code(in: "Sources").filter { $0.contains(whole) }
      .filter { !$0.hasPrefix("Sources/System/Blocking.swift") }
    #expect(used == [])
  }

  /// What may wait for a disk is kept off the main loop by the compiler; this is the way around it.
  @Test(arguments: ["Agent", "Bus", "Presentation", "Notifications", "Sound", "Player"])
  func `no source of the agent waits for a disk on the main loop`(target: String) throws {
    // libnotify's own thread; a file of the session's runtime folder; the start of the program; a
    // command's view of the files; a setting of Plasma's, for the doctor.
    let allowed = [
      "NotificationLoop.swift", "NotificationMemory.swift", "AgentProgram.swift", "FilesView.swift",
      "DoNotDisturb.swift",
    ]
    let waiting = try Self.code(in: "Sources/\(target)").filter { $0.contains("Blocking.here") }
      .filter { line in !allowed.contains { line.contains($0) } }
    #expect(waiting == [])
  }

  /// They are a tenth of the agent; `Language/Text.swift` has what stands for them. The command has
  /// them all the same, from Foundation, which comes with ArgumentParser.
  @Test(arguments: ["belfry", "belfryd", "belfry-sound"])
  func `no code of a program asks for regular expressions`(program: String) throws {
    let built = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let bytes = try Data(contentsOf: built.appendingPathComponent(program))
    #expect(bytes.range(of: Data("17_StringProcessing".utf8)) == nil)
  }

  @Test(arguments: ["Sources", "Tests"])
  func `every source file says its licence first`(folder: String) throws {
    let first = /(\/\/|\/\*) SPDX-License-Identifier: GPL-3.0-or-later/
    let silent = try Self.files(in: folder, ["swift", "c", "cpp", "h"])
      .filter { $0.lines[0].wholeMatch(of: first) == nil }.map(\.path)
    #expect(silent == [])
  }

  // MARK: - Reading the sources

  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The files below a folder whose names end in one of `extensions`, by path from the top.
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

  /// Each line of Swift below a folder as `file:line: text`, without the comment at its end.
  private static func code(in folder: String) throws -> [String] {
    try files(in: folder, ["swift"]).flatMap { path, lines in
      lines.enumerated().map { number, line in
        let end = line.firstRange(of: "//")?.lowerBound ?? line.endIndex
        return "\(path):\(number + 1): \(line[..<end])"
      }
    }
  }
}
