// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests, with real files, that files stay whole even if the program that writes them is killed.

import Foundation
import Lab
import Testing

@testable import System

/// A temporary folder, removed when this object is released.
final class Scratch {
  let folder: URL

  init(in parent: URL = FileManager.default.temporaryDirectory) throws {
    folder = parent.appendingPathComponent("belfry-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A path outside the folder, next to it.
  nonisolated var aside: String { folder.path + "-aside" }

  deinit { for path in [folder.path, aside] { try? FileManager.default.removeItem(atPath: path) } }

  subscript(name: String) -> String { folder.appendingPathComponent(name).path }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }
}

func text(of path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

func write(_ text: String, to path: String) throws {
  try Data(text.utf8).write(to: URL(fileURLWithPath: path))
}

func mode(of path: String) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return try #require(attributes[.posixPermissions] as? Int)
}

@Suite struct DurableFileTests {
  let scratch: Scratch
  let lab: Lab

  init() throws {
    scratch = try Scratch()
    lab = try Lab()
  }

  // MARK: - Reading

  @Test func `a file is read up to its limit`() throws {
    let path = scratch["file"]
    try write("12345", to: path)
    #expect(try DurableFile.read(path, limit: 5) == Array("12345".utf8))
    #expect(throws: FileError.tooLarge(path: path, limit: 4)) {
      try DurableFile.read(path, limit: 4)
    }
  }

  @Test func `a pipe, a device and a folder are refused without waiting`() throws {
    let pipe = scratch["pipe"]
    #expect(mkfifo(pipe, 0o600) == 0)
    for (path, isFolder) in [(pipe, false), ("/dev/zero", false), (scratch[""], true)] {
      #expect(throws: FileError.notAFile(path: path, isFolder: isFolder)) {
        try DurableFile.read(path, limit: 1)
      }
      #expect(throws: FileError.notAFile(path: path, isFolder: isFolder)) {
        try DurableFile.replace(path, with: [])
      }
      #expect(throws: FileError.self) { try DurableFile.append("line", to: path) }
    }
    #expect(
      FileError.notAFile(path: "/a", isFolder: false).description
        == "/a is a pipe, a socket or a device, not a file")
  }

  // MARK: - Replacing

  @Test func `only the owner can read a new file and the folders made for it`() throws {
    let path = scratch["a/b/state.toml"]
    try DurableFile.replace(path, with: Array("new".utf8))
    #expect(try text(of: path) == "new")
    #expect(try mode(of: path) == 0o600)
    #expect(try mode(of: scratch["a"]) == 0o700)
    #expect(try mode(of: scratch["a/b"]) == 0o700)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch["a/b"]) == ["state.toml"])
  }

  @Test func `only the owner can read a file that was replaced`() throws {
    let path = scratch["file"]
    try write("old", to: path)
    chmod(path, 0o640)
    try DurableFile.replace(path, with: Array("new".utf8))
    #expect(try text(of: path) == "new")
    #expect(try mode(of: path) == 0o600)
  }

  @Test func `symbolic links stay, and their target is replaced`() throws {
    try FileManager.default.createDirectory(
      atPath: scratch["dotfiles"], withIntermediateDirectories: false)
    try write("old", to: scratch["dotfiles/config"])
    symlink("dotfiles/config", scratch["second"])
    symlink(scratch["second"], scratch["first"])
    try DurableFile.replace(scratch["first"], with: Array("new".utf8))
    #expect(try text(of: scratch["dotfiles/config"]) == "new")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: scratch["second"])
        == "dotfiles/config")
    #expect(try scratch.names == ["dotfiles", "first", "second"])
  }

  @Test func `objects of the main loop end, also if the thread that writes releases them last`()
    throws
  {
    let done = try lab.run("rewriter", scratch["file"], "release", "1000")
    #expect(done.output == "" && done.errors == "")
  }

  @Test func `a failure leaves the old content and no temporary file`() throws {
    let path = scratch["file"]
    try write("old", to: path)
    let errors = try lab.run("rewriter", path, "replace", "1000").output
    #expect(errors == "write \(path): File too large\n")
    #expect(try text(of: path) == "old")
    #expect(try scratch.names == ["file"])
  }

  @Test func `a folder that other users may look into becomes private, but no folder is made`()
    throws
  {
    let folder = scratch["state"]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    for (before, after) in [(0o755, 0o700), (0o2777, 0o2700), (0o500, 0o500), (0o700, 0o700)] {
      chmod(folder, mode_t(before))
      try DurableFile.closeFolder(folder)
      #expect(try mode(of: folder) == after)
    }
    try DurableFile.closeFolder(scratch["nothing"])
    #expect(try scratch.names == ["state"])
  }

  // MARK: - Appending

  @Test func `lines are appended to a file that only its owner can read`() throws {
    let path = scratch["state/history.jsonl"]
    try DurableFile.append("one", to: path)
    try DurableFile.append("two", to: path)
    #expect(try text(of: path) == "one\ntwo\n")
    #expect(try mode(of: path) == 0o600)
  }

  @Test func `an appended line does not continue a line that was cut short earlier`() throws {
    try write("one\ntw", to: scratch["history"])
    try DurableFile.append("three", to: scratch["history"])
    #expect(try text(of: scratch["history"]) == "one\ntw\nthree\n")
  }

  // MARK: - A writer that is killed

  @Test func `a writer that is killed leaves either the old content or the new`() throws {
    let path = scratch["state"]
    for round in 0..<40 {
      let child = try lab.start("rewriter", arguments: [path])
      // Wait until the writer has begun, then a little longer in each round, so that the kill comes
      // at a different moment of the work.
      #expect(wait { FileManager.default.fileExists(atPath: path) })
      usleep(useconds_t(round * 137))
      child.kill()
      try child.waitForExit()
      let bytes = try DurableFile.read(path, limit: 1 << 20)
      #expect(bytes.count == 100_000 && Set(bytes).count == 1, "round \(round)")
    }
    #expect(try Set(scratch.names).isSubset(of: ["state", ".state.new"]))
  }
}

// MARK: - Limits of size

extension DurableFileTests {
  @Test func `a file that reaches its limit loses the older half of its lines`() throws {
    let path = scratch["history"]
    for number in 0..<1000 { try DurableFile.append("line \(number)", to: path, limit: 1000) }
    let lines = try text(of: path).split(separator: "\n")
    #expect(lines == (1000 - lines.count..<1000).map { "line \($0)" }.map { $0[...] })
    #expect((50...100).contains(lines.count))
    #expect(try mode(of: path) == 0o600)
    chmod(path, 0o644)
    try DurableFile.append("line", to: path)
    #expect(try mode(of: path) == 0o600)
    #expect(try scratch.names == ["history"])
  }

  @Test(
    "a file that another program made too large is shortened as well",
    arguments: [
      String(repeating: "x", count: 5000), String(repeating: "\0\n", count: 5000),
      String(repeating: "x", count: 5000) + "\nlast",
    ])
  func foreign(content: String) throws {
    let path = scratch["history"]
    try write(content, to: path)
    try DurableFile.append("line", to: path, limit: 1000)
    let text = try text(of: path)
    #expect(text.utf8.count <= 500 && text.hasSuffix("line\n"))
  }

  @Test func `a file of many gigabytes is not read`() throws {
    let path = scratch["history"]
    try write("one\n", to: path)
    #expect(truncate(path, 1 << 40) == 0)
    try DurableFile.append("two", to: path, limit: 1 << 20)
    #expect(try text(of: path) == "two\n")
  }

  @Test func `the tail of a file consists of its last whole lines`() throws {
    let path = scratch["file"]
    try write("one\ntwo\nthree", to: path)
    for (limit, tail) in [
      (100, "one\ntwo\nthree"), (13, "one\ntwo\nthree"), (12, "two\nthree"),
      (9, "two\nthree"), (8, "three"), (5, "three"), (4, ""), (0, ""),
    ] {
      #expect(try DurableFile.tail(path, atMost: limit) == Array(tail.utf8), "\(limit)")
    }
    #expect(throws: FileError.notAFile(path: scratch.folder.path, isFolder: true)) {
      try DurableFile.tail(scratch.folder.path, atMost: 5)
    }
  }
}

// MARK: - The writer

@Suite struct DurableWriterTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test
  func `if several contents are written to one path, the newest stays, and each write completes`()
    throws
  {
    let writer = DurableWriter()
    var told: [Int] = []
    for number in 0..<100 {
      writer.write(Array("\(number)".utf8), to: scratch["file"]) { result in
        #expect((try? result.get()) != nil)
        told.append(number)
      }
    }
    #expect(told.isEmpty)
    #expect(wait { told.count == 100 })
    #expect(told == Array(0..<100))
    #expect(try text(of: scratch["file"]) == "99")
  }

  @Test func `when the program ends, all pending writes are made without the main loop`()
    throws
  {
    let writer = DurableWriter()
    for number in 0..<10 { writer.write(Array("\(number)".utf8), to: scratch["file"]) }
    writer.append("line", to: scratch["history"])
    #expect(writer.finish(within: .seconds(10)))
    #expect(try text(of: scratch["file"]) == "9")
    #expect(try text(of: scratch["history"]) == "line\n")
  }
}
