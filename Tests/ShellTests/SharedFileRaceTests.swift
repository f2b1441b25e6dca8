// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests, with real processes, that no save is lost if another program saves a file at any moment
// while Belfry edits it. `SharedFileTests.swift` tests which properties of the file an edit keeps.

import Foundation
import Lab
import Testing

@testable import System

extension SharedFileTests {
  /// A moment of an edit at which another program changes the file. `fault` lets strace(1) make a
  /// system call slow or fail. Each of `steps` waits for a text in strace's output, then changes
  /// the file as another program would.
  nonisolated struct Moment {
    var fault: String
    var steps: [(seen: String, act: @MainActor (_ path: String) throws -> Void)]

    static let all = [
      "deleted before the exchange, and made again after it": Moment(
        fault: "rename,renameat,renameat2:delay_enter=2000000",
        steps: [("EXCHANGE", remove), ("ENOENT", { try write("saved", to: $0) })]),
      "replaced before the exchange": Moment(
        fault: "renameat2:delay_enter=2000000", steps: [("EXCHANGE", replace)]),
      "replaced where the disk cannot exchange two files": Moment(
        fault: "renameat2:error=EINVAL:delay_exit=2000000", steps: [("EINVAL", replace)]),
    ]

    private static let remove: @MainActor (String) -> Void = { unlink($0) }
    private static let replace: @MainActor (String) throws -> Void = {
      try write("saved", to: $0 + "~")
      rename($0 + "~", $0)
    }
  }

  @Test(arguments: Moment.all.keys.sorted())
  func `a save by another program between any two steps of an edit is not lost`(name: String) throws
  {
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

  /// Ways of saving the file, each as Python code. A program saves the file again and again, and
  /// after each save waits until its text is in the file: for a moment, Belfry's edit of the text
  /// before this save may be there instead.
  private nonisolated static let editors = [
    "in place": "open(path, 'w').write(text)",
    "in place, slowly": "with open(path, 'w') as f: f.write(text[:4]), f.flush(), "
      + "time.sleep(.002), f.write(text[4:])",
    "by renaming": "open(path + '~', 'w').write(text); os.replace(path + '~', path)",
    "by removing": "os.unlink(path); open(path, 'w').write(text)",
  ]

  @Test(arguments: editors.keys.sorted())
  func `many saves and edits at the same time lose no save`(editor: String) throws {
    try write("save 0\n", to: path)
    let lab = try Lab()
    // An edit waits two seconds for a file that is empty or missing, but only 50 ms for the rest of
    // a file that is half written (`saving` and `stillness` in `SharedFile`). A save that took
    // longer may be lost, so it is made again.
    let limit = editor == "in place, slowly" ? 0.04 : 1.9
    let program = """
      import os, sys, time
      path = sys.argv[1]
      for i in range(1, 301):
        text = 'save %d\\n' % i
        deadline = time.monotonic() + 60
        duration = float('inf')
        while duration > \(limit) and time.monotonic() < deadline:
          begin = time.monotonic()
          \(Self.editors[editor] ?? "")
          duration = time.monotonic() - begin
        while not open(path).read().startswith(text):
          if time.monotonic() > deadline: sys.exit('%r became %r' % (text, open(path).read()))
      """
    let process = try lab.start("python3", arguments: ["-c", program, path])
    var edits = 0
    while process.isRunning {
      // An edit may fail with `.busy`, because the Python program saves all the time.
      if (try? append("+", to: path)) != nil { edits += 1 }
    }
    #expect(process.errors == "" && edits > 0)
    #expect(try text(of: path).hasPrefix("save 300\n"))
    #expect(try scratch.names.filter { $0.hasPrefix(".") } == [])
  }

  @Test func `many edits at the same time lose no edit`() throws {
    let lab = try Lab()
    let processes = try (0..<6).map { _ in
      try lab.start("rewriter", arguments: [path, "extend", "20"])
    }
    for process in processes { #expect(try process.waitForExit(within: 120) == .status(0)) }
    #expect(try text(of: path) == String(repeating: "x", count: 120))
    #expect(try scratch.names == ["config.toml"])
  }
}
