// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks `belfry-sound` about devices, files and mixers, for `belfry doctor` and for commands that
// check sounds. Each question gets a process of its own, so a crash or a hang costs only one
// answer. `DoctorSound.swift` judges the answers.

import CGLib
import Glibc
import Scheduling
import System

public enum SoundCheck {
  /// A device that takes longer than this to play a second of silence would wake no one.
  private static let devicePatience = Duration.seconds(5)
  private static let levelPatience = Duration.seconds(3)

  /// Opens `device`, an ALSA PCM name, as for a ring, and plays a second of silence. Returns the
  /// output that the sound goes to.
  public static func device(_ device: String, on disk: Disk) throws(SoundTrouble) -> Output {
    guard case .output(let output) = try ask(.device(device), within: devicePatience, on: disk)
    else {
      throw .hung(device)
    }
    return output
  }

  /// Plays a second of silence on the device that a ring would be played on if none of those in the
  /// config works. Returns its output; nil if there is none.
  public static func spare(on disk: Disk) -> Output? {
    if case .output(let output) = try? ask(.spare, within: devicePatience, on: disk) {
      output
    } else {
      nil
    }
  }

  /// Returns the largest sample, 0...1, of the file at `path`, or of the part that can be decoded
  /// in time.
  public static func peak(
    of path: String, within patience: Duration, on disk: Disk
  ) throws(SoundTrouble) -> Float {
    guard case .peak(let peak) = try ask(.file(path), within: patience, on: disk) else {
      throw .slowFile(path)
    }
    return peak
  }

  /// Throws if the file at `path` cannot be played, or if that is not known in time. Decodes only
  /// the beginning of the file, so it takes a few hundredths of a second.
  public static func requireSound(
    in path: String, within patience: Duration, on disk: Disk
  ) throws(SoundTrouble) {
    guard case .peak = try ask(.beginning(path), within: patience, on: disk) else {
      throw .slowFile(path)
    }
  }

  /// Returns the volume of the output that `control` names (see `Output.control`); nil if the
  /// output has no volume.
  public static func level(of control: String, on disk: Disk) throws(SoundTrouble) -> OutputLevel? {
    guard case .level(let level) = try ask(.level(control), within: levelPatience, on: disk) else {
      throw .hung(control)
    }
    return level
  }

  private static func ask(
    _ question: SoundQuestion, within limit: Duration, on disk: Disk
  ) throws(SoundTrouble) -> SoundReport? {
    let errors = OpenDescriptor(adopting: memfd_create("errors", 1))  // 1 is MFD_CLOEXEC.
    let process: SoundProgram.Process
    do throws(SystemError) {
      process = try SoundProgram().start(record: "", errors: errors.number, on: disk)
    } catch { throw .notStarted("\(error)") }
    let message = SoundMessage(number: 0, body: SoundCommand.answer(question))
    process.socket.send(message.bytes)
    let answer = process.socket.receive(within: limit)
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
      let end = ProcessEnd(waitStatus: status)
      if case .signal = end { throw .crashed }
      throw .notStarted(words(errors) ?? "\(end)")
    }
  }

  /// Returns the first line that the process has written to its standard error.
  private static func words(_ errors: OpenDescriptor) -> String? {
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = pread(errors.number, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return String(String(decoding: bytes.prefix(count), as: UTF8.self).prefix { $0 != "\n" })
  }
}
