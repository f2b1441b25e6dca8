// SPDX-License-Identifier: GPL-3.0-or-later
//
// A terminal taken over whole: its alternate screen, keys and clicks as they come, rows drawn where
// they changed, and everything given back however the program ends. It knows no more of terminals
// than ECMA-48 and the private modes that all in use share, so it needs no terminal database; what
// is on the rows is the caller's.
//
// A curses library was weighed: it redraws by the cell, which asks that it and the terminal agree
// on the width of every letter, and where they do not, as with emoji, what was drawn wrong stays.
// Here a row that changed is drawn from its beginning, and is right again with the next change.

import CGLib
import Glibc

public final class FullScreen {
  /// What was typed, as the terminal sent it.
  public var onInput: (([UInt8]) -> Void)?
  /// The screen has another size or was used by others: it wants to be drawn.
  public var onRedraw: (() -> Void)?
  /// The user wants to leave, by a signal or by closing the terminal.
  public var onLeave: (() -> Void)?

  public private(set) var columns = 80
  public private(set) var rows = 24
  private var shown: [String] = []
  /// What the terminal has not taken yet, and whether it has missed something that was drawn since:
  /// it may be stopped, or read by nobody, and is never waited for.
  private var unsent: [UInt8] = []
  private var isBehind = false
  private var room: Source?
  private var sources: [Source] = []
  private var signals: TerminalSignals?
  private let takeover: Takeover

  /// Whether both ends are a terminal that can do it.
  public static var isPossible: Bool {
    isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0
      && Environment.value("TERM") != "dumb"
  }

  /// Nothing is to be seen yet. To be made before any thread is: they inherit which signals wait
  /// for `TerminalSignals`.
  public init() throws(SystemError) {
    takeover = try Takeover()
    signals = try TerminalSignals { [weak self] in self?.take($0) }
  }

  /// Takes the terminal over.
  public func open() throws(SystemError) {
    measure()
    // From here on a signal does not end it at once, and leaves nobody a terminal without a cursor.
    sources = MainLoop.Signal.allCases.map {
      MainLoop.onSignal($0) { [weak self] in self?.onLeave?() }
    }
    try takeOver()
    sources.append(MainLoop.onReadable(STDIN_FILENO) { [weak self] in self?.readInput() })
  }

  /// Gives the terminal back as it was.
  public func close() {
    giveBack()
    sources = []
    signals = nil
  }

  /// Draws the rows that are other than before. Each is text, escape sequences and all, and the
  /// columns that it takes.
  public func draw(_ lines: [(text: String, width: Int)]) {
    isBehind = !unsent.isEmpty
    if isBehind { return }
    var output = ""
    for (index, line) in lines.prefix(rows).enumerated() {
      guard index >= shown.count || shown[index] != line.text else { continue }
      // At the last column the cursor stands on what was drawn last: nothing is left to erase.
      output += "\u{1B}[\(index + 1);1H\(line.text)" + (line.width < columns ? "\u{1B}[K" : "")
    }
    guard !output.isEmpty else { return }
    shown = lines.prefix(rows).map(\.text)
    // Terminals that know mode 2026 show all of it at once; others do not mind.
    send("\u{1B}[?2026h\(output)\u{1B}[?2026l")
  }

  private func send(_ text: String) {
    unsent += text.utf8
    sendOn()
  }

  /// Writes as much as there is room for, and the rest when there is more.
  private func sendOn() {
    while !unsent.isEmpty {
      let written = unsent.withUnsafeBytes { write(takeover.output, $0.baseAddress, $0.count) }
      if written >= 0 {
        unsent.removeFirst(written)
      } else if errno == EAGAIN {
        room = room ?? MainLoop.onWritable(takeover.output) { [weak self] in self?.sendOn() }
        return
      } else if errno != EINTR {
        // Nobody is there to see it.
        unsent = []
      }
    }
    room = nil
    guard isBehind else { return }
    isBehind = false
    onRedraw?()
  }

  private func takeOver() throws(SystemError) {
    try takeover.begin()
    // Alternate screen, no cursor, no wrapping at the last column; clicks and the wheel (1000),
    // told in numbers (1006).
    send("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[H\u{1B}[2J")
  }

  private func giveBack() {
    (unsent, room, isBehind) = ([], nil, false)
    takeover.end()
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
    if count > 0 {
      onInput?(Array(bytes.prefix(count)))
    } else if count == 0 || errno != EINTR && errno != EAGAIN {
      onLeave?()
    }
  }

  private func take(_ signal: TerminalSignals.Signal) {
    switch signal {
    case .resized: redraw()
    case .leave: onLeave?()
    case .stop:
      giveBack()
      signals?.stopHere()
      resume()
    case .continued: resume()
    }
  }

  private func resume() {
    // Whoever had the terminal in between may have left it in any mode.
    try? takeOver()
    redraw()
  }
}

/// The terminal's modes: ours, and those it had.
private final class Takeover {
  /// Where it is drawn: the terminal opened once more, so that writing to it waits for nobody and
  /// the shell's own descriptor stays as it is. Where it is another user's, as after su(1), there
  /// is only that one.
  let output: Int32
  private var original = termios()

  init() throws(SystemError) {
    guard tcgetattr(STDIN_FILENO, &original) == 0 else { throw SystemError("tcgetattr") }
    let flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let terminal = Glibc.open("/proc/self/fd/\(STDOUT_FILENO)", flags)
    output = terminal >= 0 ? terminal : STDOUT_FILENO
    Rescue.prepare(original, output)
  }

  deinit { if output != STDOUT_FILENO { close(output) } }

  /// Keys come one by one and unseen. Ctrl-C and Ctrl-Z stay signals; Ctrl-S no longer freezes.
  func begin() throws(SystemError) {
    var modes = original
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    modes.c_iflag &= ~tcflag_t(IXON)
    guard tcsetattr(STDIN_FILENO, TCSANOW, &modes) == 0 else { throw SystemError("tcsetattr") }
    Rescue.isNeeded = true
  }

  func end() { Rescue.giveBack() }
}

/// Gives the terminal back, even when a signal ends the program. So it uses nothing but what a
/// signal handler may use.
private nonisolated enum Rescue {
  nonisolated(unsafe) static var isNeeded = false
  nonisolated(unsafe) private static var modes = termios()
  nonisolated(unsafe) private static var output = STDOUT_FILENO
  nonisolated(unsafe) private static let farewell = strdup(
    "\u{1B}[?2026l\u{1B}[0m\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")

  /// `SIG_IGN`, which Swift does not import.
  private static let ignored = 1
  /// Signals that end nobody, that cannot be caught, or that `FullScreen` takes on the main loop.
  private static let harmless: Set<Int32> = [
    SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGTSTP, SIGTTIN, SIGTTOU, SIGHUP, SIGINT,
    SIGTERM, SIGQUIT,
  ]

  static func prepare(_ original: termios, _ terminal: Int32) {
    (modes, output) = (original, terminal)
    _ = farewell
    for signal in Int32(1)...64 where !harmless.contains(signal) {
      var action = sigaction()
      // What is ignored, as by nohup(1), ends nothing.
      guard sigaction(signal, nil, &action) == 0,
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) != ignored
      else { continue }
      action = sigaction()
      action.__sigaction_handler.sa_handler = { signal in
        Rescue.giveBack()
        // The second time it is what it was.
        Glibc.signal(signal, SIG_DFL)
        raise(signal)
      }
      sigaction(signal, &action, nil)
    }
  }

  static func giveBack() {
    guard isNeeded, let farewell else { return }
    isNeeded = false
    if write(output, farewell, strlen(farewell)) < 0, errno == EAGAIN {
      // It is full of what nobody has seen, and nobody is to see any more.
      tcflush(output, TCOFLUSH)
      _ = write(output, farewell, strlen(farewell))
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
  }
}

// MARK: - Signals

/// The signals of a program that has a terminal to itself and that GLib's signal sources do not
/// know, Ctrl-Z and what comes after it among them, on the main loop (`signalfd`).
private final class TerminalSignals {
  nonisolated enum Signal {
    case leave, resized, continued
    /// The user wants the shell back: `stopHere`, once the terminal is given back.
    case stop
  }

  private nonisolated static let meanings: [Int32: Signal] = [
    SIGQUIT: .leave, SIGWINCH: .resized, SIGCONT: .continued, SIGTSTP: .stop,
  ]

  private let descriptor: Int32
  private var source: Source?

  /// Calls `handle` on the main loop. Signals are held back from this thread and from those that it
  /// starts later; one that was started before would still be hit.
  init(_ handle: @escaping (Signal) -> Void) throws(SystemError) {
    var set = Self.set(Self.meanings.keys)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard descriptor >= 0 else { throw SystemError("signalfd") }
    source = MainLoop.onReadable(descriptor) { [descriptor] in
      var information = signalfd_siginfo()
      let size = MemoryLayout<signalfd_siginfo>.size
      while read(descriptor, &information, size) == size {
        if let meaning = Self.meanings[Int32(information.ssi_signo)] { handle(meaning) }
      }
    }
  }

  deinit {
    close(descriptor)
    var set = Self.set(Self.meanings.keys)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Does what Ctrl-Z does where nobody holds it back: stops this process, until it is continued.
  /// The kernel leaves it undone where no shell is there to continue it.
  func stopHere() {
    var set = Self.set([SIGTSTP])
    raise(SIGTSTP)
    // It waits until here.
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  private nonisolated static func set(_ signals: some Sequence<Int32>) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }
}
