// SPDX-License-Identifier: GPL-3.0-or-later
//
// Standard input, output and error, for a program that someone runs in a terminal or whose reader
// waits for each line. The texts come from the caller. `FullScreen.swift` takes over a whole
// terminal.

import CGLib
import CProcess
import Glibc
import Language

public enum StandardInput {
  public static var isTerminal: Bool { isatty(STDIN_FILENO) != 0 }

  /// Reads standard input to its end, or until it has given more than `limit` bytes.
  public static func read(limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read") }
      if count == 0 { break }
      bytes += chunk.prefix(count)
    }
    return bytes
  }
}

public enum StandardError {
  public static var isTerminal: Bool { isatty(STDERR_FILENO) != 0 }

  public static func write(_ text: String) {
    // If standard error cannot be written, there is nowhere to report that.
    try? writeAll(Array(text.utf8), to: STDERR_FILENO)
  }
}

/// Standard output, unbuffered, for a program whose reader waits for each line.
public enum StandardOutput {
  public static var isTerminal: Bool { isatty(STDOUT_FILENO) != 0 }

  /// The size of the terminal (`TIOCGWINSZ`); nil if output is no terminal, or its size is unknown.
  public static var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  public static func write(_ text: String) throws(SystemError) {
    try writeAll(Array(text.utf8), to: STDOUT_FILENO)
  }

  /// Makes the program end with status 1 and an error message if some of its output was lost, for
  /// example on a full disk. Otherwise `exit` would write the rest of the output and ignore a
  /// failure.
  public static func answerForAll() {
    atexit {
      let code = belfry_flush_output()
      guard code != 0 else { return }
      if code == EPIPE {
        // The reader is gone because it has read enough. Other programs then end by SIGPIPE, but
        // GIO makes this program ignore that signal.
        belfry_leave_by(SIGPIPE)
      }
      StandardError.write("belfry: \(StandardOutput.loss(SystemError("write", code: code)))\n")
      belfry_leave(1)
    }
  }

  /// Returns the message that some of the output was lost, with the reason.
  public static func loss(_ error: SystemError) -> String {
    tr("the output is incomplete: \(error.text)")
  }

  /// After this call, a reader that goes away makes `write` throw; it no longer ends the program.
  public static func outliveReader() { signal(SIGPIPE, SIG_IGN) }

  /// Calls `work` when no one reads the output any more. Never calls it for a file or a terminal.
  @MainActor public static func onHangUp(_ work: @escaping () -> Void) -> Source {
    MainLoop.onHangUp(STDOUT_FILENO, work)
  }
}
