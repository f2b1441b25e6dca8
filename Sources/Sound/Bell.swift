// SPDX-License-Identifier: GPL-3.0-or-later
//
// The last resort if no sound device plays: beeps with the PC speaker, which the kernel offers as
// an input device, and on the terminal that the program was started from. Both may be missing or
// forbidden. Next: `SoundProcess.swift`, which rings the bell.

import CGLib
import Glibc
import Scheduling
import System

/// Four beeps and a rest, repeated until `stop` is called.
@MainActor final class Bell {
  private let speakers: String
  private let terminals: [String]
  private var beepers: [Beeper] = []
  private var next: Source?

  /// - Parameters:
  ///   - speakers: The folder in which udev names the input devices. The name of the PC speaker
  ///     (`pcspkr`) ends in `-event-spkr`.
  ///   - terminals: Paths of terminals. The first terminal that can be opened is used.
  init(
    speakers: String = "/dev/input/by-path",
    terminals: [String] = ["/dev/tty"] + (StandardError.isTerminal ? ["/proc/self/fd/2"] : [])
  ) {
    (self.speakers, self.terminals) = (speakers, terminals)
  }

  /// Begins to beep, unless the bell is already ringing.
  func ring() {
    guard next == nil else { return }
    beepers = SystemFile.names(in: speakers).filter { $0.hasSuffix("-event-spkr") }.compactMap {
      Beeper(Path.join(speakers, $0), on: Self.tone(1000), off: Self.tone(0))
    }
    // A terminal beeps when it receives the character BEL.
    if let terminal = terminals.lazy.compactMap({ Beeper($0, on: [0x07], off: []) }).first {
      beepers.append(terminal)
    }
    Log.warning(
      "nothing is heard; "
        + (beepers.isEmpty ? "there is no bell either" : "ringing \(beepers.map(\.path))"))
    beep(0)
  }

  func stop() {
    if next != nil { for beeper in beepers { beeper.sound(false) } }
    (next, beepers) = (nil, [])
  }

  /// Even steps beep. Odd steps are pauses, and the last pause is longer.
  private func beep(_ step: Int) {
    for beeper in beepers { beeper.sound(step.isMultiple(of: 2)) }
    let pause = Duration.milliseconds(step == 7 ? 700 : 150)
    next = MainLoop.after(pause) { [weak self] in self?.beep((step + 1) % 8) }
  }

  /// Returns the message that starts a tone of the PC speaker; 0 hertz ends the tone. The message
  /// is a `struct input_event` of linux/input.h with time 0, `EV_SND` and `SND_TONE` (see
  /// linux/input-event-codes.h).
  private static func tone(_ hertz: Int32) -> [UInt8] {
    var event = [UInt8](repeating: 0, count: MemoryLayout<timeval>.size)
    for word in [UInt16(0x12), 0x02] { withUnsafeBytes(of: word) { event += $0 } }
    withUnsafeBytes(of: hertz) { event += $0 }
    return event
  }
}

/// A device that beeps. Writing to the device never waits, because Ctrl-S may have stopped the
/// output of a terminal.
@MainActor private struct Beeper {
  let path: String
  private let descriptor: OpenDescriptor
  private let on: [UInt8]
  private let off: [UInt8]

  init?(_ path: String, on: [UInt8], off: [UInt8]) {
    do throws(SystemError) {
      descriptor = try SystemFile.open(path, O_WRONLY | O_NONBLOCK)
    } catch {
      Log.debug("\(error)")
      return nil
    }
    (self.path, self.on, self.off) = (path, on, off)
  }

  func sound(_ sounds: Bool) { try? descriptor.write(sounds ? on : off) }  // Ignore a failure.
}
