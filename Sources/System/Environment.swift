// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the process was given: variables, folders, its own place, the two standard streams.

import CGLib
import Glibc
import Language

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

  /// The words that the program was started with, but for its name; nil where they are not all UTF-8.
  public static var arguments: [String]? {
    let words = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    let texts = words.dropFirst().map { $0.flatMap { String(validatingCString: $0) } }
    return texts.contains(nil) ? nil : texts.compactMap(\.self)
  }

  public static var processID: Int64 { Int64(getpid()) }

  /// To be called before anything else. Takes the place of a standard stream that was closed: what is
  /// opened next would be that stream, and be written to; writing to what takes its place fails as it
  /// did. And a file that may not grow (`ulimit -f`) is an error then, and not the end of the process.
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

/// Standard input, for a program that asks the person who typed it.
public nonisolated enum StandardInput {
  public static var isTerminal: Bool { isatty(STDIN_FILENO) != 0 }
}

/// Standard error, for a program that speaks to the person who typed it.
public nonisolated enum StandardError {
  public static var isTerminal: Bool { isatty(STDERR_FILENO) != 0 }

  public static func write(_ text: String) {
    // There is nowhere else to say so.
    try? writeAll(text, to: STDERR_FILENO)
  }
}

/// Standard output, unbuffered, for a program whose reader waits for each line.
public nonisolated enum StandardOutput {
  public static var isTerminal: Bool { isatty(STDOUT_FILENO) != 0 }

  /// What the terminal has room for (`TIOCGWINSZ`); nil where it is none, or does not know.
  public static var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  public static func write(_ text: String) throws(SystemError) {
    try writeAll(text, to: STDOUT_FILENO)
  }

  /// Has the program end with status 1, and say why, where not all that it printed arrived, as on a
  /// full disk: `exit` itself writes what is left, and ignores what becomes of it.
  public static func answerForAll() {
    atexit {
      let code = belfry_flush_output()
      guard code != 0 else { return }
      if code == EPIPE {
        // Its reader has read enough, which ends any program; GIO has it ignored.
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
      }
      StandardError.write("belfry: \(StandardOutput.loss(SystemError("write", code: code)))\n")
      _exit(1)
    }
  }

  /// That it did not, and why, for people.
  public static func loss(_ error: SystemError) -> String {
    tr("what was printed did not all arrive: \(error.text)")
  }

  /// From now on a reader that went away shows in `write`, and does not end the program.
  public static func outliveReader() { signal(SIGPIPE, SIG_IGN) }

  /// Calls `work` when nobody reads any more; where it is a file or a terminal, never.
  @MainActor public static func onHangUp(_ work: @escaping () -> Void) -> Source {
    MainLoop.onHangUp(STDOUT_FILENO, work)
  }
}

private nonisolated func writeAll(_ text: String, to descriptor: Int32) throws(SystemError) {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if written < 0, errno == EAGAIN {
      // Whoever has it, too, does not want to wait for it.
      var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&writable, 1, -1)
    } else if written < 0, errno != EINTR {
      throw SystemError("write")
    }
    bytes = bytes.dropFirst(max(0, written))
  }
}

public nonisolated enum Folder {
  /// In a folder with more than this nobody has put things by hand.
  private static let mostNames = 10_000

  /// Names of what is in the folder at `path`, sorted, the first few thousand that the disk has; none
  /// where it cannot be read.
  @Blocking public static func names(in path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < mostNames, let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  /// Whether `path` leads to a regular file.
  @Blocking public static func hasFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Why `size` bytes more cannot be kept in the folder at `path`, which need not be there yet; nil
  /// where they can. They are written, to a file that has no name any more.
  @Blocking public static func refusal(toKeep size: Int, in path: String) -> FileError? {
    do throws(FileError) {
      let name = Path.join(path, ".room-\(Environment.processID)")
      let file = try Descriptor(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
      unlink(name)
      try file.write([UInt8](repeating: 0, count: size))
      try file.sync()
      return nil
    } catch {
      let parent = Path.folder(of: path)
      // It will be made. Not a folder, it will not: of a file's name the same is said as of nothing.
      let isThere = (try? Status(of: path)) != nil
      guard error.isMissing, !isThere, parent != path else { return error.at(path) }
      return refusal(toKeep: size, in: parent)
    }
  }
}
