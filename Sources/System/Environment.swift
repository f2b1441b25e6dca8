// SPDX-License-Identifier: GPL-3.0-or-later
//
// The conditions under which this process was started: variables, folders, arguments and its own
// file. Next: `StandardStreams.swift`, for its input and output.

import CGLib
import CProcess
import Glibc
import Language

public enum Environment {
  /// The value of the variable `name`; nil if the variable is unset or empty.
  public static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value of `HOME` or, if that is unset or not absolute, the folder in the user database.
  public static var home: String {
    if let home = value("HOME"), OutsideText.isAbsolute(home) { return home }
    return getpwuid(getuid())?.pointee.pw_dir.map { String(cString: $0) } ?? "/"
  }

  public static var workingFolder: String? {
    guard let here = g_get_current_dir() else { return nil }
    defer { g_free(here) }
    return String(cString: here)
  }

  /// A path to the file that this process runs. It works even if that file has been replaced or
  /// removed since.
  public static let program = "/proc/self/exe"

  /// The path that this process was started from (proc_pid_exe(5)). After an upgrade, a newer file
  /// is at this path.
  public static var programPath: String? {
    guard let text = SystemFile.link(at: program) else { return nil }
    let mark = " (deleted)"
    return text.hasSuffix(mark) ? String(text.dropLast(mark.count)) : text
  }

  /// Returns the path of `name`, a program that this program starts by itself. In a build, its file
  /// is beside the running program. In an installation, it is in `lib/belfry` beside the folder of
  /// the running program. If there is no such file, returns the path in an installation.
  public static func ownProgram(_ name: String, on disk: Disk) -> String {
    let folder = programPath.map { Path.folder(of: $0) } ?? "."
    let built = Path.join(folder, name)
    return Folder.hasFile(built, on: disk)
      ? built : Path.join(Path.folder(of: folder), "lib/belfry/\(name)")
  }

  /// Whether systemd's user manager is running, so that `systemctl --user` works.
  public static var hasUserManager: Bool {
    value("XDG_RUNTIME_DIR").map { SystemFile.names(in: "\($0)/systemd").contains("private") }
      ?? false
  }

  /// Whether a program called `name` is in `PATH`. Leaves out the home folder, whose disk may hang.
  public static func hasProgram(_ name: String) -> Bool {
    (value("PATH") ?? "").split(separator: ":").contains { folder in
      OutsideText.isAbsolute(folder) && !folder.hasPrefix(home)
        && SystemFile.exists("\(folder)/\(name)")
    }
  }

  /// Gives unused memory back to the system (`malloc_trim`).
  public static func giveBackMemory() { malloc_trim(0) }

  @MainActor private static var trimming: Source?

  /// Gives unused memory back three seconds after the last call of this function, unless `isBusy`
  /// returns true then.
  @MainActor public static func giveBackMemoryLater(unless isBusy: @escaping () -> Bool) {
    trimming = MainLoop.after(.seconds(3)) { if !isBusy() { giveBackMemory() } }
  }

  public static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

  /// Does all further work in a child process, which this process only waits for
  /// (`belfry_work_in_child`). If a disk does not answer, the kernel may keep the child, but this
  /// process returns to the shell. Call this before anything else.
  public static func workInChild() { belfry_work_in_child() }

  /// The arguments, without the program's name; nil if any of them is not UTF-8.
  public static var arguments: [String]? {
    let words = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    let texts = words.dropFirst().map { $0.flatMap { String(validatingCString: $0) } }
    return texts.contains(nil) ? nil : texts.compactMap(\.self)
  }

  public static let isInPlasma =
    value("XDG_CURRENT_DESKTOP")?.split(separator: ":").contains("KDE") ?? false

  public static var processID: Int64 { Int64(getpid()) }

  /// Prepares the process. Call this before anything else but `workInChild`. If a standard stream
  /// was closed, opens /dev/null in its place. Otherwise the next file opened would become that
  /// stream, and output would land in it. Writing to the replacement fails, as writing to the
  /// closed stream did. Also makes writing beyond the limit of file size (`ulimit -f`) an error
  /// instead of the end of the process, and makes all threads share one heap (`mallopt`). Otherwise
  /// each thread would keep about a hundred kilobytes of its own. For the main queue, see
  /// `MainLoop.serveMainQueue`.
  @MainActor public static func prepare() {
    mallopt(M_ARENA_MAX, 1)
    signal(SIGXFSZ, SIG_IGN)
    // `G_DEBUG=fatal-warnings`, which developers set for their own programs, would otherwise end
    // this one when it logs a warning.
    g_log_set_always_fatal(
      GLogLevelFlags(rawValue: G_LOG_FLAG_RECURSION.rawValue | G_LOG_LEVEL_ERROR.rawValue))
    while case let place = open("/dev/null", O_RDONLY), place >= 0 {
      guard place > STDERR_FILENO else { continue }
      close(place)
      break
    }
    MainLoop.serveMainQueue()
  }
}
