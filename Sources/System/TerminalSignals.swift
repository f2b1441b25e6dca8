// SPDX-License-Identifier: GPL-3.0-or-later
//
// The signals of a program that has a terminal to itself and that GLib's signal sources do not know,
// Ctrl-Z and what comes after it among them, on the main loop (`signalfd`).

import CGLib
import Glibc

final class TerminalSignals {
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
