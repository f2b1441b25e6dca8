// SPDX-License-Identifier: GPL-3.0-or-later
//
// Standard input, output and error of a program that a person typed, or whose reader waits for each
// line. What is written is the caller's; a terminal that is taken over is in `FullScreen.swift`.

import CGLib
import Glibc
import Language

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
