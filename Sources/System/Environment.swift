// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the process was given: variables, folders, its own place and limits. Next:
// `StandardStreams.swift`.

import CGLib
import Glibc

public nonisolated enum Environment {
  /// A variable's value; nil where it is unset or empty.
  public static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// `HOME` or, without it, what the user database says.
  public static var home: String {
    if let home = value("HOME"), home.hasPrefix("/") { return home }
    return getpwuid(getuid())?.pointee.pw_dir.map { String(cString: $0) } ?? "/"
  }

  /// The folder that relative paths begin at (`g_get_current_dir`).
  public static var workingFolder: String? {
    guard let here = g_get_current_dir() else { return nil }
    defer { g_free(here) }
    return String(cString: here)
  }

  /// The file that this process runs, also where it has been replaced or removed since.
  public static let program = "/proc/self/exe"

  /// The path that this file had when it was started; after an upgrade there is another
  /// (proc_pid_exe(5)).
  public static var programPath: String? {
    guard let text = SystemFile.link(at: program) else { return nil }
    let mark = " (deleted)"
    return text.hasSuffix(mark) ? String(text.dropLast(mark.count)) : text
  }

  /// Ends the program at once (`exit`).
  public static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

  /// The words that the program was started with, but for its name; nil where they are not all
  /// UTF-8.
  public static var arguments: [String]? {
    let words = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    let texts = words.dropFirst().map { $0.flatMap { String(validatingCString: $0) } }
    return texts.contains(nil) ? nil : texts.compactMap(\.self)
  }

  public static var processID: Int64 { Int64(getpid()) }

  /// To be called before anything else. Takes the place of a standard stream that was closed: what
  /// is opened next would be that stream, and be written to; writing to what takes its place fails
  /// as it did. And a file that may not grow (`ulimit -f`) is an error then, and not the end of the
  /// process.
  public static func prepare() {
    signal(SIGXFSZ, SIG_IGN)
    while case let place = open("/dev/null", O_RDONLY), place >= 0 {
      guard place > STDERR_FILENO else { continue }
      close(place)
      return
    }
  }

  /// Makes room for `count` open files, as far as the process may (`setrlimit`, its soft limit).
  /// Returns how many there may be.
  public static func allowOpenFiles(_ count: UInt) -> UInt {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
    guard limit.rlim_cur < count, limit.rlim_max > limit.rlim_cur else { return limit.rlim_cur }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return limit.rlim_cur
  }
}
