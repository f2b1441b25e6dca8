// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `Command` with real programs of the system: what a program is given, which events are
// reported, and that none of the program's processes is left running.

import Foundation
import Lab
import TestData
import Testing

@testable import Notifications
@testable import System

@Suite(.serialized, .realServersFirst) final class CommandTests {
  var events: [Command.Event] = []
  var command: Command?

  var lines: [String] {
    events.compactMap { if case .line(let line) = $0 { line } else { nil } }
  }

  func start(
    _ words: [String], _ variables: [String: String] = [:], limit: Duration = .seconds(60),
    dropsErrors: Bool = false
  ) {
    events = []
    let launch = Launch(words, variables: variables, folder: "/usr")
    command = Command(launch, limit: limit, dropsErrors: dropsErrors) { [weak self] in
      self?.events.append($0)
    }
  }

  /// Runs `script` with sh. Only the tests need a shell; Belfry itself uses none.
  func shell(_ script: String, limit: Duration = .seconds(60)) {
    start(["sh", "-c", script], limit: limit)
  }

  var isGone: Bool { events.last == .gone }

  /// Whether the process `pid` exists and is not a zombie.
  func lives(_ pid: String) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else {
      return false
    }
    return !status.contains(") Z ")
  }

  @Test func `a program gets its arguments unchanged, its variables and its folder, and no input`()
  {
    let words = ["two words", "$HOME", "`id`", "*", "", "ümlaut\n\"'"]
    start(
      [
        "sh", "-c",
        #"for w; do printf '%s|' "$w"; done; echo; pwd; echo "$A,$B,$PATH"; cat; echo end"#,
      ]
        + ["sh"] + words,
      ["A": "a = b", "B": "c\td", "PATH": "/usr/bin:/bin:/other"])
    #expect(wait { isGone })
    #expect(
      lines.joined(separator: "\n") == words.map { $0 + "|" }.joined()
        + "\n/usr\na = b,c\td,/usr/bin:/bin:/other\nend")
    #expect(events.last == .gone)
  }

  @Test func `a line of the maximum length is one line, a longer one is several`() {
    for (length, sizes) in [(65_536, [65_536]), (65_537, [65_536, 1])] {
      events = []
      let launch = Launch(["sh", "-c", "printf %\(length)d 0; echo; echo end"])
      command = Command(launch, limit: .seconds(60)) { [weak self] in self?.events.append($0) }
      #expect(wait { isGone })
      #expect(lines.map(\.utf8.count) == sizes + [3])
    }
  }

  @Test func `a program gets three descriptors, no blocked signal and its own process group`()
    throws
  {
    // A started program would normally inherit this descriptor, because it is not close-on-exec.
    let kept = Foundation.open("/dev/null", O_RDONLY)
    defer { close(kept) }
    shell(
      """
      ls -l /proc/self/fd | grep -c -- '->'; grep -E 'Sig(Blk|Ign)' /proc/self/status
      ps -o pid=,pgid= $$
      """)
    #expect(wait { isGone })
    // `ls` lists four descriptors: the three of each program, and the folder that `ls` itself has
    // opened.
    #expect(lines.first == "4")
    // Signals above 31 are not checked, because the C library uses some of them for itself.
    for line in lines where line.hasPrefix("Sig") {
      #expect(UInt64(line.suffix(16), radix: 16).map { $0 & 0x7fff_ffff } == 0, "\(line)")
    }
    let ids = try #require(lines.last).split(separator: " ")
    #expect(ids.count == 2 && ids[0] == ids[1])
  }

  @Test(
    "the way in which a program ends is reported",
    arguments: [
      (["true"], []), (["sh", "-c", "exit 3"], [Command.Event.failed(.status(3))]),
      (["sh", "-c", "kill -SEGV $$"], [.failed(.signal(11))]),
      (["no-such-program"], [.notStarted(SystemError("no-such-program", code: ENOENT))]),
      (["/etc/passwd"], [.notStarted(SystemError("/etc/passwd", code: EACCES))]),
      (["/"], [.notStarted(SystemError("/", code: EACCES))]),
    ] as [([String], [Command.Event])])
  func ends(words: [String], told: [Command.Event]) {
    start(words)
    #expect(wait { isGone })
    #expect(events == told + [.gone])
  }

  @Test func `a command that ends also ends all processes that it started`() throws {
    shell(
      "sleep 1000 & echo $!; (sleep 1000 & echo $!); trap 'echo bye; exit 0' TERM; echo $$; wait")
    #expect(wait { lines.count == 3 })
    let pids = lines
    #expect(pids.allSatisfy(lives))
    let told = Lab.now
    command?.end()
    #expect(wait { isGone })
    #expect(Lab.now - told < 3)
    #expect(lines.last == "bye")
    #expect(!events.contains(.failed(.signal(15))))
    #expect(wait { !pids.contains(where: lives) })
  }

  @Test func `a program that ignores SIGTERM is killed two seconds later`() throws {
    shell(
      """
      trap '' TERM; sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' & echo $$
      while :; do sleep 1; done
      """)
    #expect(wait { lines.count == 2 })
    let pids = lines
    let told = Lab.now
    command?.end()
    #expect(wait { isGone })
    #expect(Lab.now - told > 1.9 && Lab.now - told < 4)
    #expect(wait { !pids.contains(where: lives) })
  }

  @Test func `a process that the program leaves behind in its group is ended too`() throws {
    shell("sleep 1000 >/dev/null 2>&1 </dev/null & echo $!; exit 0")
    #expect(wait { lines.count == 1 })
    let pid = try #require(lines.first)
    wait(within: .milliseconds(300)) { false }
    #expect(lives(pid) && !isGone)
    command?.end()
    #expect(wait { !lives(pid) })
    #expect(wait { isGone })
  }

  @Test func `a command that exceeds its time limit is ended`() throws {
    // The number makes the command line unique on this machine. The limit may pass before `sleep`
    // even starts.
    let number = "1000.\(getpid())"
    shell("sleep \(number); :", limit: .milliseconds(400))
    #expect(wait { isGone })
    #expect(events.contains(.tookTooLong))
    let left = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter {
      // A process may end meanwhile. The command line of a zombie is empty.
      Int($0) != nil
        && (try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8))?.contains(number)
          == true
    }
    #expect(left == [])
  }

  @Test func `a flood of output is cut short and costs almost no time`() throws {
    shell("yes belfry")
    #expect(wait { events.contains(.outputLimitReached) })
    #expect(lines.count == 100)
    // Only the processor time of this thread is measured, because it reads the output.
    let start = processorTime()
    wait(within: .seconds(2)) { false }
    let used = processorTime() - start
    #expect(used < .milliseconds(300), "\(used) of processor time in 2 s")
    #expect(lines.count == 100)
    command?.end()
    #expect(wait { isGone })
    // Dropped errors do not count towards the limit on the output.
    let script = "seq 200 >&2; echo belfry"
    self.start(["sh", "-c", script], dropsErrors: true)
    #expect(wait { isGone })
    #expect(lines == ["belfry"])
    shell(script)
    #expect(wait { isGone })
    #expect(lines.count == 100 && !lines.contains("belfry"))
    // Output without line ends is split into lines and limited as well.
    shell("tr '\\0' x </dev/zero")
    #expect(wait { events.contains(.outputLimitReached) })
    #expect(lines.allSatisfy { $0 == String(repeating: "x", count: 65_536) })
    command?.end()
    #expect(wait { isGone })
  }
}
