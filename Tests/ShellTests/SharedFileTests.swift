// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests edits of a real file that other programs save too: which properties of the file an edit
// keeps, and when an edit waits. Next: `SharedFileRaceTests.swift`, in which other programs save
// the file during an edit.

import CGLib
import Foundation
import Lab
import Testing

@testable import System

@Suite struct SharedFileTests {
  let scratch: Scratch
  let path: String

  init() throws {
    scratch = try Scratch()
    path = scratch["config.toml"]
  }

  private struct Unwanted: Error, Equatable {}

  /// Appends `more` to the file by `revise`. Returns the old contents to which `revise` wanted
  /// `more` to be appended: several if other programs saved the file meanwhile. A missing file
  /// counts as empty.
  @discardableResult
  func append(_ more: String, to path: String) throws -> [String] {
    var contents: [String] = []
    try SharedFile.revise(path, limit: 1000) { bytes in
      contents.append(String(decoding: bytes ?? [], as: UTF8.self))
      return (bytes ?? []) + more.utf8
    }
    return contents
  }

  @Test func `a new file follows the umask, and only the owner can read its new folders`() throws {
    let new = scratch["a/b/config.toml"]
    #expect(try append("new", to: new) == [""])
    #expect(try text(of: new) == "new")
    // Do not ask by umask(2), which would set it for all tests that run at this moment.
    let umask = try text(of: "/proc/self/status").firstMatch(of: /Umask:\s*([0-7]+)/)?.1
    let mask = try #require(umask.flatMap { Int($0, radix: 8) })
    #expect(try mode(of: new) == 0o666 & ~mask)
    #expect(try mode(of: scratch["a"]) == 0o700)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch["a/b"]) == ["config.toml"])
  }

  @Test func `an edit keeps the mode and symbolic links, and leaves no other file`() throws {
    try FileManager.default.createDirectory(
      atPath: scratch["dotfiles"], withIntermediateDirectories: false)
    try write("old", to: scratch["dotfiles/config"])
    chmod(scratch["dotfiles/config"], 0o600)
    symlink("dotfiles/config", path)
    #expect(try append(", new", to: path) == ["old"])
    #expect(try text(of: scratch["dotfiles/config"]) == "old, new")
    #expect(try mode(of: scratch["dotfiles/config"]) == 0o600)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "dotfiles/config")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch["dotfiles"]) == ["config"])
    symlink("later/config", scratch["link"])
    try append("new", to: scratch["link"])
    #expect(try text(of: scratch["later/config"]) == "new")
  }

  /// An extended attribute, and an access control list (acl(5)) that lets the owner write and user
  /// 1234 read.
  nonisolated private static let attributes: [(name: String, value: [UInt8])] = [
    ("user.origin", Array("by hand".utf8)),
    (
      "system.posix_acl_access",
      [2, 0, 0, 0] + [1, 0, 6, 0, 255, 255, 255, 255] + [2, 0, 4, 0, 210, 4, 0, 0]
        + [4, 0, 0, 0, 255, 255, 255, 255] + [16, 0, 4, 0, 255, 255, 255, 255]
        + [32, 0, 0, 0, 255, 255, 255, 255]
    ),
  ]

  nonisolated private static func attach(to path: String) -> Bool {
    attributes.allSatisfy { setxattr(path, $0.name, $0.value, $0.value.count, 0) == 0 }
  }

  /// A folder on a disk. The other files may be in memory, where Linux before 6.6 has no extended
  /// attributes.
  nonisolated private static let disk = URL(fileURLWithPath: "/var/tmp")

  /// Whether the disk has extended attributes, which some file systems lack.
  nonisolated private static var diskHasAttributes: Bool {
    let path = disk.appendingPathComponent("\(UUID())").path
    defer { unlink(path) }
    return FileManager.default.createFile(atPath: path, contents: nil) && attach(to: path)
  }

  @Test(.enabled(if: diskHasAttributes))
  func `an edit keeps access control lists and other extended attributes`() throws {
    let scratch = try Scratch(in: Self.disk)
    let path = scratch["config.toml"]
    try write("old", to: path)
    try #require(Self.attach(to: path))
    try append(", new", to: path)
    for (name, value) in Self.attributes {
      var bytes = [UInt8](repeating: 0, count: 1000)
      let size = getxattr(path, name, &bytes, bytes.count)
      #expect(Array(bytes.prefix(max(0, size))) == value)
    }
    #expect(try text(of: path) == "old, new")
  }

  @Test func `an edit that is refused or changes nothing does not replace the file`() throws {
    try write("old", to: path)
    let before = try status(of: path)
    #expect {
      try SharedFile.revise(path, limit: 10) { _ throws(Unwanted) in throw Unwanted() }
    } throws: {
      if case .refused(Unwanted())? = $0 as? SharedFile.Failure<Unwanted> { true } else { false }
    }
    try append("", to: path)
    #expect(try status(of: path).isUnchanged(since: before))
    #expect(try scratch.names == ["config.toml"])
  }

  @Test(.enabled(if: getuid() != 0, "root may write everything"))
  func `a file whose mode is read-only is not replaced`() throws {
    try write("old", to: path)
    chmod(path, 0o400)
    #expect(throws: SharedFile.Failure<Never>.self) { try append("new", to: path) }
    #expect(try text(of: path) == "old")
  }

  // MARK: - Other programs

  @Test(arguments: ["os.unlink(path)", "open(path, 'w').close()"])
  func `an edit waits for a program that deletes or empties the file to save it`(away: String)
    throws
  {
    try write("old", to: path)
    let lab = try Lab()
    let saver = try lab.start(
      "python3",
      arguments: [
        "-c",
        """
        import os, sys, time
        path = sys.argv[1]
        \(away)
        # Date the change a second later than it is. An edit waits until the date is two seconds
        # past, so it now has at least a second to notice the save.
        changed = path if os.path.exists(path) else os.path.dirname(path)
        os.utime(changed, (time.time() + 1,) * 2)
        print('gone', flush=True)
        time.sleep(.8)
        open(path, 'x' if not os.path.exists(path) else 'w').write('saved')
        """, path,
      ])
    try saver.waitForOutput("gone")
    // If the program writes while the edit reads, the edit reads the file again.
    let contents = try append(", new", to: path)
    #expect(Set(contents) == ["saved"], "\(contents)")
    #expect(try saver.waitForExit() == .status(0), "\(saver.errors)")
    #expect(try text(of: path) == "saved, new")
  }

  @Test func `a file that has been empty or missing for a while is edited at once`() throws {
    for isThere in [true, false] {
      if isThere {
        try write("", to: path)
      } else {
        try FileManager.default.removeItem(atPath: path)
      }
      try setAge(of: isThere ? path : scratch[""], 5)
      let before = ContinuousClock.now
      // If another test starts a process meanwhile, that process inherits the lock of the folder
      // until it runs its program. Then `revise` calls the closure again.
      #expect(try Set(append("new", to: path)) == [""])
      #expect(ContinuousClock.now - before < .seconds(1))
      #expect(try text(of: path) == "new")
    }
  }

  @Test func `a file of any date is edited`() throws {
    for seconds in [Int.min, Int.max] {
      try write("", to: path)
      let date = timespec(tv_sec: seconds, tv_nsec: 0)
      #expect(utimensat(AT_FDCWD, path, [date, date], 0) == 0)
      #expect(try Set(append("new", to: path)) == [""])
    }
  }

  private func setAge(of path: String, _ seconds: Int) throws {
    let date = Date(timeIntervalSinceNow: -Double(seconds))
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
  }
}
