// SPDX-License-Identifier: GPL-3.0-or-later
//
// Takes over the whole terminal: uses its alternate screen, passes on each key and click at once,
// and draws only the rows that changed. `close` gives the terminal back as it was, also if a signal
// asks the program to quit. Uses only ECMA-48 and the private modes that all terminals in use
// support, so it needs no terminal database. What the rows contain is up to the caller; see
// `WatchView.swift`.
//
// A curses library was considered. It redraws single cells, so it and the terminal must agree on
// the width of every letter. If they disagree, as with emoji, a wrong cell stays wrong. Here a
// changed row is drawn from its beginning, so the next change makes it right again.

import CGLib
import Glibc

@MainActor public final class FullScreen {
  /// Called with the bytes that the terminal sent for keys and clicks.
  public var onInput: (([UInt8]) -> Void)?
  /// Called when everything must be drawn again: the screen has a new size, or another program has
  /// used the screen.
  public var onRedraw: (() -> Void)?
  /// Called when the user presses Ctrl-C or closes the terminal, or a signal asks the program to
  /// quit.
  public var onLeave: (() -> Void)?

  public private(set) var columns = 80
  public private(set) var rows = 24
  private var shown: [String] = []
  private var sources: [Source] = []
  /// The terminal's modes before the takeover.
  private var original = termios()
  /// The terminal, opened a second time to draw on, so that the shell's own descriptor keeps its
  /// flags. If the terminal cannot be opened, as after su(1), this is standard output.
  private let output: Int32

  /// How long to wait for a terminal that accepts nothing. Meanwhile no signal ends the program.
  private static let patience = Duration.seconds(1)

  /// Whether standard input and output are a terminal that can be taken over.
  public static var isPossible: Bool {
    isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0
      && Environment.value("TERM") != "dumb"
  }

  /// Prepares the takeover, but shows nothing yet.
  public init() throws(SystemError) {
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let terminal = Glibc.open("/proc/self/fd/\(STDOUT_FILENO)", flags)
    output = terminal >= 0 ? terminal : STDOUT_FILENO
    guard tcgetattr(STDIN_FILENO, &original) == 0 else { throw SystemError("tcgetattr") }
  }

  deinit { if output != STDOUT_FILENO { Glibc.close(output) } }

  public func open() throws(SystemError) {
    measure()
    sources =
      MainLoop.onQuit { [weak self] in self?.onLeave?() }
      + [
        MainLoop.onReadable(STDIN_FILENO) { [weak self] in self?.readInput() },
        MainLoop.onSignal(SIGWINCH) { [weak self] in self?.redraw() },
      ]
    try takeOver()
  }

  public func close() {
    giveBack()
    sources = []
  }

  /// Draws the rows whose text has changed. `text` may contain escape sequences. `width` is the
  /// number of columns that `text` takes on the screen.
  public func draw(_ lines: [(text: String, width: Int)]) {
    var output = ""
    for (index, line) in lines.prefix(rows).enumerated() {
      guard index >= shown.count || shown[index] != line.text else { continue }
      // After a full row the cursor stays on the last letter, so erasing from the cursor would
      // remove that letter.
      output += "\u{1B}[\(index + 1);1H\(line.text)" + (line.width < columns ? "\u{1B}[K" : "")
    }
    guard !output.isEmpty else { return }
    // Terminals that support mode 2026 show all rows at once; others ignore the mode.
    let isShown = write("\u{1B}[?2026h\(output)\u{1B}[?2026l")
    shown = isShown ? lines.prefix(rows).map(\.text) : []
  }

  /// Makes the terminal send each key at once, without showing it. Ctrl-C and Ctrl-Z are keys like
  /// others, and Ctrl-S no longer freezes the screen.
  private func takeOver() throws(SystemError) {
    var modes = original
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    modes.c_iflag &= ~tcflag_t(IXON)
    guard tcsetattr(STDIN_FILENO, TCSANOW, &modes) == 0 else { throw SystemError("tcsetattr") }
    // Switches to the alternate screen, without a cursor and without wrapping at the last column.
    // Mode 1000 asks for clicks and the wheel, and mode 1006 for reports of them as numbers.
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[H\u{1B}[2J")
  }

  private func measure() {
    StandardOutput.size.map { (columns, rows) = $0 }
  }

  private func redraw() {
    measure()
    shown = []
    onRedraw?()
  }

  private func readInput() {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else {
      if count == 0 || errno != EINTR && errno != EAGAIN { onLeave?() }
      return
    }
    let (interrupt, suspend, quit): (UInt8, UInt8, UInt8) = (0x03, 0x1A, 0x1C)
    let input = bytes.prefix(count)
    if input.contains(interrupt) || input.contains(quit) {
      onLeave?()
    } else if input.contains(suspend) {
      stop()
    } else {
      onInput?(Array(input))
    }
  }

  /// Gives the terminal back and stops all programs that the shell started together with this one,
  /// as Ctrl-Z does. Returns when the shell continues them.
  private func stop() {
    giveBack()
    kill(0, SIGTSTP)
    // Another program has used the terminal meanwhile and may have left it in any mode.
    try? takeOver()
    redraw()
  }

  private func giveBack() {
    // On a terminal without an alternate screen, the drawing stays, and the shell goes on below it.
    let farewell =
      "\u{1B}[?2026l\u{1B}[0m\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?25h"
      + "\u{1B}[\(rows);1H\n\u{1B}[?1049l"
    if !write(farewell) {
      // The terminal's buffer is full of output that no one has seen. Drop that output, because it
      // is obsolete.
      tcflush(output, TCOFLUSH)
      write(farewell)
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &original)
  }

  /// Returns whether the terminal has accepted `text`.
  @discardableResult
  private func write(_ text: String) -> Bool {
    (try? writeAll(Array(text.utf8), to: output, patience: Self.patience)) != nil
  }
}
