// SPDX-License-Identifier: GPL-3.0-or-later
//
// A file that others save while it is edited, with real editors and real processes: nobody's save
// is lost, whatever it comes between. What an edit keeps of the file is in `SharedFileTests.swift`.

import Foundation
import Lab
import Testing

@testable import System

extension SharedFileTests {
  /// What strace(1) makes slow, or refuses, of an edit; what it sees of it then, and what somebody
  /// else does in that half second.
  nonisolated struct Moment {
    var fault: String
    var steps: [(seen: String, act: @MainActor (_ path: String) throws -> Void)]

    static let all = [
      "deleted before the exchange, and made anew after it": Moment(
        fault: "rename,renameat,renameat2:delay_enter=500000",
        steps: [("EXCHANGE", remove), ("ENOENT", { try write("saved", to: $0) })]),
      "replaced before the exchange": Moment(
        fault: "renameat2:delay_enter=500000", steps: [("EXCHANGE", replace)]),
      "replaced where the disk cannot exchange two files": Moment(
        fault: "renameat2:error=EINVAL:delay_exit=500000", steps: [("EINVAL", replace)]),
    ]

    private static let remove: @MainActor (String) -> Void = { unlink($0) }
    private static let replace: @MainActor (String) throws -> Void = {
      try write("saved", to: $0 + "~")
      rename($0 + "~", $0)
    }
  }

  @Test(arguments: Moment.all.keys.sorted())
  func `a save that comes between any two steps of an edit stays`(name: String) throws {
    let moment = try #require(Moment.all[name])
    try write("old", to: path)
    let lab = try Lab()
    let edit = try lab.start(
      "strace",
      arguments: [
        "-qq", "-e", "trace=rename,renameat,renameat2", "-e", "inject=\(moment.fault)",
        Lab.products.appendingPathComponent("rewriter").path, path, "extend", "1",
      ])
    for (seen, act) in moment.steps {
      try edit.waitForErrors(seen)
      try act(path)
    }
    #expect(try edit.waitForExit() == .status(0), "\(edit.errors)")
    #expect(try text(of: path) == "savedx", "\(edit.errors)")
    #expect(try scratch.names == ["config.toml"])
  }

  /// Each saves the file over and over, in its way, and looks after each save whether it is there:
  /// for a moment an edit of what was there before may stand in its place.
  private nonisolated static let editors = [
    "in place": "open(path, 'w').write(text)",
    "in place, slowly":
      "f = open(path, 'w'); f.write(text[:4]); f.flush(); time.sleep(.002); f.write(text[4:]); f.close()",
    "by renaming": "open(path + '~', 'w').write(text); os.replace(path + '~', path)",
    "by removing": "os.unlink(path); open(path, 'w').write(text)",
  ]

  @Test(arguments: editors.keys.sorted())
  func `of many saves and edits at once, no save is lost`(editor: String) throws {
    try write("save 0\n", to: path)
    let lab = try Lab()
    let program = """
      import os, sys, time
      path = sys.argv[1]
      for i in range(1, 301):
        text = 'save %d\\n' % i
        \(Self.editors[editor] ?? "")
        deadline = time.monotonic() + 2
        while not open(path).read().startswith(text):
          if time.monotonic() > deadline: sys.exit('%r became %r' % (text, open(path).read()))
      """
    let process = try lab.start("python3", arguments: ["-c", program, path])
    var edits = 0
    while process.isRunning {
      // What it keeps writing is busy.
      if (try? append("+", to: path)) != nil { edits += 1 }
    }
    #expect(process.errors == "" && edits > 0)
    #expect(try text(of: path).hasPrefix("save 300\n"))
    #expect(try scratch.names.filter { $0.hasPrefix(".") } == [])
  }

  @Test func `of many edits at once, none is lost`() throws {
    let lab = try Lab()
    let processes = try (0..<6).map { _ in
      try lab.start("rewriter", arguments: [path, "extend", "20"])
    }
    for process in processes { #expect(try process.waitForExit(within: 60) == .status(0)) }
    #expect(try text(of: path) == String(repeating: "x", count: 120))
    #expect(try scratch.names == ["config.toml"])
  }
}
