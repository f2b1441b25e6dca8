// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks `belfry-sound` what the doctor wants to know of devices, files and mixers. Each question has
// a process of its own, so that what crashes or hangs costs its answer and nothing else. What the
// answers mean is the doctor's: see `DoctorSound.swift`.

import CGLib
import Glibc
import Scheduling
import System

public nonisolated enum SoundCheck {
  /// A device that neither plays a second of silence nor fails within this wakes no one.
  private static let devicePatience = Duration.seconds(5)
  private static let levelPatience = Duration.seconds(3)

  /// Where it is heard if `device`, an ALSA PCM name, plays, as far as devices go; something may be
  /// in the way of the output. It is opened as for a ring and given a second of silence.
  @Blocking public static func device(_ device: String) throws(SoundTrouble) -> Output {
    guard case .output(let output) = try ask(.device(device), within: devicePatience) else {
      throw .hung(device)
    }
    return output
  }

  /// The largest sample of the file at `path`, 0...1, decoded to its end as a ring would, or for as
  /// long as there is `patience`.
  @Blocking public static func peak(
    of path: String, within patience: Duration
  ) throws(SoundTrouble) -> Float {
    guard case .peak(let peak) = try ask(.file(path), within: patience) else {
      throw .slowFile(path)
    }
    return peak
  }

  /// What the output that `control` names is set to, nil if nothing of it can be set; see
  /// `Output.control`.
  @Blocking public static func level(of control: String) throws(SoundTrouble) -> OutputLevel? {
    guard case .level(let level) = try ask(.level(control), within: levelPatience) else {
      throw .hung(control)
    }
    return level
  }

  /// The answer; nil if there is none in time.
  @Blocking private static func ask(
    _ question: SoundQuestion, within limit: Duration
  ) throws(SoundTrouble) -> SoundReport? {
    let errors = OpenDescriptor(adopting: memfd_create("errors", 1))  // MFD_CLOEXEC
    let process: SoundProgram.Process
    do throws(SystemError) {
      process = try SoundProgram().start(record: "", errors: errors.number)
    } catch { throw .notStarted("\(error)") }
    let message = SoundMessage(number: 0, body: SoundCommand.answer(question))
    _ = PacketSocket.send(message.bytes, to: process.socket)
    let answer = PacketSocket.receive(from: process.socket, within: limit)
    kill(process.number, SIGKILL)
    var status: Int32 = 0
    while waitpid(process.number, &status, 0) < 0, errno == EINTR {}
    switch answer {
    case .packet(let bytes):
      guard let message = try? SoundMessage<SoundReport>(bytes) else { throw .crashed }
      if case .trouble(let trouble) = message.body { throw trouble }
      return message.body
    case .nothing: return nil
    case .end:
      if status & 0x7f != 0 { throw .crashed }
      throw .notStarted(words(errors) ?? "status \(status >> 8 & 0xff)")
    }
  }

  /// What the process has written to its standard error, which is what the loader says of a library
  /// that is missing, without its own name.
  private static func words(_ errors: OpenDescriptor) -> String? {
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = pread(errors.number, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    let line = String(text.prefix { $0 != "\n" })
    // "belfry-sound: error while loading shared libraries: libasound.so.2: cannot open …"
    let parts = line.split(separator: ":", maxSplits: 2).map { $0.drop { $0 == " " } }
    return parts.count == 3 && parts[1].hasPrefix("error while loading") ? String(parts[2]) : line
  }
}
