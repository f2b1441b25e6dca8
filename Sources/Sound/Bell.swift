// SPDX-License-Identifier: GPL-3.0-or-later
//
// The last resort: beeps where no sound device plays at all, by the speaker that the kernel offers
// as an input device and by the terminal that the program was started from. Either may be missing
// or not ours to use, and nothing says so. Next: `SoundProcess.swift`, which rings it.

import CGLib
import Glibc
import Scheduling
import System

/// Four beeps and a rest, over and over.
final class Bell {
  private let speakers: String
  private let terminals: [String]
  private var outlets: [Outlet] = []
  private var beat: Source?

  /// `speakers` is a folder of input devices by the names that udev gives them, of which the
  /// kernel's speaker (`pcspkr`, evdev's `EV_SND`) ends in `-event-spkr`. The first of `terminals`
  /// that opens is rung.
  init(
    speakers: String = "/dev/input/by-path",
    terminals: [String] = ["/dev/tty"] + (StandardError.isTerminal ? ["/proc/self/fd/2"] : [])
  ) {
    (self.speakers, self.terminals) = (speakers, terminals)
  }

  /// Beeps until `stop`; does nothing where it does already.
  func ring() {
    guard beat == nil else { return }
    let names = SystemFile.names(in: speakers).filter { $0.hasSuffix("-event-spkr") }
    outlets = names.compactMap { Outlet(speaker: Path.join(speakers, $0)) }
    if let terminal = terminals.lazy.compactMap({ Outlet(terminal: $0) }).first {
      outlets.append(terminal)
    }
    Log.warning(
      "nothing is heard; "
        + (outlets.isEmpty ? "there is no bell either" : "ringing \(outlets.map(\.name))"))
    beep(0)
  }

  func stop() {
    if beat != nil { for outlet in outlets { outlet.sound(false) } }
    (beat, outlets) = (nil, [])
  }

  /// Even steps sound, odd ones are the pauses between them; the last pause is the rest.
  private func beep(_ step: Int) {
    for outlet in outlets { outlet.sound(step.isMultiple(of: 2)) }
    let pause = Duration.milliseconds(step == 7 ? 700 : 150)
    beat = MainLoop.after(pause) { [weak self] in self?.beep((step + 1) % 8) }
  }
}

/// Something that beeps. It is opened so that it never waits: a terminal may be stopped. What
/// cannot be written is lost.
private final class Outlet {
  let name: String
  private let descriptor: OpenDescriptor
  private let message: (_ sounds: Bool) -> [UInt8]

  private init?(_ path: String, _ message: @escaping (Bool) -> [UInt8]) {
    do throws(SystemError) {
      descriptor = try SystemFile.open(path, O_WRONLY | O_NONBLOCK)
    } catch {
      Log.debug("\(error)")
      return nil
    }
    (name, self.message) = (path, message)
  }

  /// Takes a tone in hertz, and 0 for silence: `struct input_event` of linux/input.h, stamped 0,
  /// with `EV_SND` and `SND_TONE` of linux/input-event-codes.h.
  convenience init?(speaker path: String) {
    self.init(path) { sounds in
      var event = [UInt8](repeating: 0, count: MemoryLayout<timeval>.size)
      for word in [UInt16(0x12), 0x02] { withUnsafeBytes(of: word) { event += $0 } }
      withUnsafeBytes(of: Int32(sounds ? 1000 : 0)) { event += $0 }
      return event
    }
  }

  convenience init?(terminal path: String) {
    self.init(path) { sounds in sounds ? [0x07] : [] }
  }

  func sound(_ sounds: Bool) { try? descriptor.write(message(sounds)) }  // Nothing is left to try.
}
