// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests whether a writer notices that its folder is not the one whose lock this process keeps. The
// folder is renamed, as if its disk were unmounted. `StateFolderTests.swift` in ProgramTests
// unmounts a real disk.

import Foundation
import Testing

@testable import System

@Suite struct FileLockTests {
  @Test func `a writer uses only the folder whose lock this process keeps`() throws {
    let scratch = try Scratch()
    let (folder, away) = (scratch["state"], scratch["away"])
    let (lock, path) = (folder + "/agent", folder + "/state.toml")
    let file = try Disk.here { disk throws(FileError) in
      try FileLock.acquire(lock, waits: false, on: disk)
    }
    try Disk.here { disk throws(FileError) in try file?.write("pid 1\n", on: disk) }
    file?.keep()
    let writer = DurableWriter { disk throws(FileError) in try FileLock.requireInPlace(on: disk) }
    func save(_ content: String) -> Result<Void, FileError>? {
      var result: Result<Void, FileError>?
      writer.write(Array(content.utf8), to: path) { result = $0 }
      wait { result != nil }
      return result
    }
    func succeeds(_ content: String) -> Bool {
      if case .success = save(content) { true } else { false }
    }
    func problem(_ content: String) -> FileError? {
      if case .failure(let error) = save(content) { error } else { nil }
    }
    let manager = FileManager.default
    #expect(succeeds("1"))

    // Nothing is at the path, or another folder, or the folder of another agent.
    try manager.moveItem(atPath: folder, toPath: away)
    #expect(problem("2") == .replaced(path: folder))
    #expect(try scratch.names == ["away"])
    try manager.createDirectory(atPath: folder, withIntermediateDirectories: false)
    #expect(problem("3") == .replaced(path: folder))
    try write("pid 2\n", to: lock)
    #expect(problem("4") == .replaced(path: folder))
    #expect(try manager.contentsOfDirectory(atPath: folder) == ["agent"])

    // The folder is back.
    try manager.removeItem(atPath: folder)
    try manager.moveItem(atPath: away, toPath: folder)
    #expect(succeeds("5"))
    #expect(try text(of: path) == "5")

    // It is on a disk that was mounted again, and has other numbers. It is locked again.
    try manager.copyItem(atPath: folder, toPath: away)
    try manager.moveItem(atPath: folder, toPath: scratch["unmounted"])
    try manager.moveItem(atPath: away, toPath: folder)
    #expect(succeeds("6"))
    try manager.removeItem(atPath: scratch["unmounted"])
    #expect(succeeds("7"))

    // It was removed for good, so it is made again.
    try manager.removeItem(atPath: folder)
    #expect(succeeds("8"))
    #expect(try text(of: path) == "8" && text(of: lock) == "pid 1\n")
  }
}
