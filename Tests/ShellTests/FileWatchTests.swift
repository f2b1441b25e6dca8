// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that every way of saving a file is reported: in time, and only when the save is complete.

import Foundation
import Testing

@testable import System

/// Collects the reports of a file watch: the content of the file at each call of `onChange`, or nil
/// if there was no file.
final class Reports {
  private(set) var contents: [String?] = []
  private var watch: FileWatch?

  /// Begins to watch `path`, and waits until the watch is in place.
  init(_ path: String) throws {
    watch = try FileWatch(path: path) { [weak self] in
      let bytes = try? DurableFile.read(path, limit: 1 << 20)
      self?.contents.append(bytes.map { String(decoding: $0, as: UTF8.self) })
    }
    try #require(wait { watch?.isWatching == true })
  }

  var descriptor: OpenDescriptor? { watch?.inotify.descriptor }
}

/// The longest time until a save must be reported. An idle machine needs 200 ms; a second is the
/// first delay that a user notices.
private let promise = Duration.seconds(1)

@Suite struct FileWatchTests {
  let scratch: Scratch
  let path: String

  init() throws {
    scratch = try Scratch()
    path = scratch["config.toml"]
  }

  /// A way in which a program can replace the content "old" of the watched file by "new".
  nonisolated struct Save: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @MainActor @Sendable (Scratch) throws -> Void

    init(_ name: String, _ run: @escaping @MainActor @Sendable (Scratch) throws -> Void) {
      (testDescription, self.run) = (name, run)
    }

    static let all = [
      Save("in place") { try write("new", to: $0["config.toml"], with: O_TRUNC) },
      Save("by renaming over") {
        try write("new", to: $0["temporary"], with: O_CREAT)
        rename($0["temporary"], $0["config.toml"])
      },
      Save("as vim does: the old one moved away, a new one made, the old one deleted") {
        rename($0["config.toml"], $0["config.toml~"])
        try write("new", to: $0["config.toml"], with: O_CREAT)
        unlink($0["config.toml~"])
      },
      Save("by deleting and creating") {
        unlink($0["config.toml"])
        try write("new", to: $0["config.toml"], with: O_CREAT)
      },
      Save("through another hard link") {
        link($0["config.toml"], $0["other"])
        try write("new", to: $0["other"], with: O_TRUNC)
      },
      Save("by a symbolic link in its place") {
        try write("new", to: $0["other"], with: O_CREAT)
        unlink($0["config.toml"])
        symlink("other", $0["config.toml"])
      },
      Save("by a folder in the place of its folder") { scratch in
        try folder(scratch["away"])
        try write("new", to: scratch["away/config.toml"], with: O_CREAT)
        rename(scratch[""], scratch.aside)
        rename(scratch.aside + "/away", scratch[""])
      },
    ]
  }

  @Test(arguments: Save.all)
  func `a save is reported once, in time and whole`(_ save: Save) throws {
    try write("old", to: path, with: O_CREAT)
    let log = try Reports(path)
    try save.run(scratch)
    #expect(wait(within: promise) { log.contents.last == "new" })
    expectNothingMore(log, "new")
    #expect(log.contents == ["new"])
  }

  @Test func `a file is not reported while it is being written`() throws {
    try write("old", to: path, with: O_CREAT)
    let log = try Reports(path)
    let file = open(path, O_WRONLY | O_TRUNC)
    var (last, longest) = (ContinuousClock.now, Duration.zero)
    func pause() {
      wait(within: .milliseconds(150)) { !log.contents.isEmpty }
      longest = max(longest, ContinuousClock.now - last)
      last = .now
    }
    pause()
    for _ in 0..<3 {
      Glibc.write(file, "new", 3)
      fchmod(file, 0o640)
      pause()
    }
    // A file counts as complete after a second without writes; see the next test.
    let mayBeReported = longest > .milliseconds(900)
    #expect(mayBeReported || log.contents == [], "\(longest)")
    close(file)
    #expect(wait(within: promise) { log.contents.last == "newnewnew" })
    #expect(mayBeReported || log.contents.count == 1)
  }

  @Test func `a file that is never closed is reported a second after the last write`() throws {
    try write("old", to: path, with: O_CREAT)
    let log = try Reports(path)
    let file = open(path, O_WRONLY | O_APPEND)
    defer { close(file) }
    let start = ContinuousClock.now
    Glibc.write(file, "new", 3)
    #expect(wait { log.contents == ["oldnew"] })
    #expect(ContinuousClock.now - start > .milliseconds(900))
  }

  @Test func `a file that changes all the time is reported as well`() throws {
    let log = try Reports(path)
    var round = 0
    let deadline = ContinuousClock.now + promise
    while log.contents.isEmpty, ContinuousClock.now < deadline {
      round += 1
      try DurableFile.replace(path, with: Array("\(round)".utf8))
      MainLoop.iterate(mayBlock: false)
    }
    #expect(!log.contents.isEmpty)
  }

  @Test func `opening or reading a file, or changing its neighbours, is not reported`() throws {
    try write("old", to: path, with: O_CREAT)
    let log = try Reports(path)
    close(open(path, O_WRONLY))
    _ = try text(of: path)
    try write("new", to: scratch["neighbour"], with: O_CREAT)
    rename(scratch["neighbour"], scratch["neighbour2"])
    unlink(scratch["neighbour2"])
    expectNothingMore(log, nil)
    #expect(log.contents == [])
  }

  @Test(arguments: [true, false])
  func `a write to a neighbour wakes a watch only if its own file is written`(isWritten: Bool)
    throws
  {
    try write("", to: path, with: O_CREAT)
    let watch = try FileWatch(path: scratch["socket"], isWritten: isWritten) {}
    try #require(wait { watch.isWatching })
    var events = 0
    let handle = watch.inotify.onEvents
    watch.inotify.onEvents = {
      events += $0.count
      handle?($0)
    }
    try write("one", to: path, with: 0)
    #expect(wait(within: .milliseconds(300)) { events > 0 } == isWritten)
    try write("", to: scratch["socket"], with: O_CREAT)
    #expect(wait { events > (isWritten ? 1 : 0) })
  }

  @Test func `a change of mode is reported`() throws {
    try write("old", to: path, with: O_CREAT)
    let log = try Reports(path)
    chmod(path, 0)
    #expect(wait(within: promise) { log.contents.count == 1 })
    chmod(path, 0o600)
    #expect(wait(within: promise) { log.contents.count == 2 && log.contents.last == "old" })
  }

  @Test func `folders that are missing are watched as soon as they are made`() throws {
    let path = scratch["a/b/c/config.toml"]
    let log = try Reports(path)
    for name in ["a", "a/b", "a/b/c"] {
      try folder(scratch[name])
      MainLoop.iterate(mayBlock: false)
    }
    try write("new", to: path, with: O_CREAT)
    #expect(wait(within: promise) { log.contents == ["new"] })
  }

  @Test func `a file is reported if its folders are made at the same time`() throws {
    let path = scratch["a/b/c/config.toml"]
    let log = try Reports(path)
    try FileManager.default.createDirectory(
      atPath: scratch["a/b/c"], withIntermediateDirectories: true)
    try write("new", to: path, with: O_CREAT)
    #expect(wait(within: promise) { log.contents == ["new"] })
    expectNothingMore(log, "new")
  }

  @Test func `a folder is reported when it is moved in with its file, away, and in again`() throws {
    let path = scratch["in/config.toml"]
    let log = try Reports(path)
    try folder(scratch["away"])
    try write("new", to: scratch["away/config.toml"], with: O_CREAT)
    rename(scratch["away"], scratch["in"])
    #expect(wait(within: promise) { log.contents == ["new"] })
    rename(scratch["in"], scratch["away"])
    #expect(wait(within: promise) { log.contents == ["new", nil] })
    try write("newer", to: scratch["away/config.toml"], with: O_TRUNC)
    rename(scratch["away"], scratch["in"])
    #expect(wait(within: promise) { log.contents == ["new", nil, "newer"] })
  }

  @Test func `symbolic links in the path are followed, even after they change`() throws {
    for name in ["one", "two"] {
      try folder(scratch[name])
      try write(name, to: scratch["\(name)/real.toml"], with: O_CREAT)
      symlink("real.toml", scratch["\(name)/config.toml"])
    }
    symlink("one", scratch["folder"])
    symlink(scratch["folder"], scratch["absolute"])
    let log = try Reports(scratch["absolute/../folder/./config.toml"])

    try write("one, edited", to: scratch["one/real.toml"], with: O_TRUNC)
    #expect(wait(within: promise) { log.contents == ["one, edited"] })

    symlink("two", scratch["turned"])
    rename(scratch["turned"], scratch["folder"])
    #expect(wait(within: promise) { log.contents.last == "two" })

    try write("another", to: scratch["two/other.toml"], with: O_CREAT)
    unlink(scratch["two/config.toml"])
    symlink("other.toml", scratch["two/config.toml"])
    #expect(wait(within: promise) { log.contents.last == "another" })

    try write("edited", to: scratch["two/other.toml"], with: O_TRUNC)
    #expect(wait(within: promise) { log.contents.last == "edited" })
    #expect(log.contents.count == 4)
  }

  @Test func `no change is lost when the kernel's queue of events overflows`() throws {
    let log = try Reports(path)
    let limit = try #require(
      Int(text(of: "/proc/sys/fs/inotify/max_queued_events").dropLast()))
    for round in 0...limit {
      symlink("\(round)", path)
      unlink(path)
    }
    try write("new", to: path, with: O_CREAT)
    #expect(wait { log.contents.last == "new" })
  }

  @Test func `a released watch reports nothing more and leaves no descriptor`() throws {
    var log: Reports? = try Reports(path)
    weak let descriptor = log?.descriptor
    #expect(descriptor != nil)
    try write("new", to: path, with: O_CREAT)
    log = nil
    // The watch's other thread still holds the descriptor for a moment while it examines the path.
    #expect(wait { descriptor == nil })
  }

  /// Expects no further report for 150 ms, which is longer than a watch takes to report a normal
  /// save.
  private func expectNothingMore(_ log: Reports, _ last: String?) {
    let count = log.contents.count
    #expect(!wait(within: .milliseconds(150)) { log.contents.count > count })
    if count > 0 { #expect(log.contents.last == last) }
  }
}

private func folder(_ path: String) throws {
  try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
}

private func write(_ text: String, to path: String, with flags: Int32) throws {
  let file = open(path, O_WRONLY | flags, 0o600)
  try #require(file >= 0)
  defer { close(file) }
  try #require(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
}
