// SPDX-License-Identifier: GPL-3.0-or-later
//
// Answers the doctor's questions: whether a device plays, how loud a file is, and at what volume an
// output is. None of this can be heard. `SoundCheck.swift` in Sound asks, and kills this process if
// no answer comes.

import Glibc
import Scheduling
import Sound
import System

nonisolated extension SoundQuestion {
  /// How long a working device may take to play a second of silence.
  private static let stallLimit = Duration.seconds(3)
  /// How long a file is decoded at most. The doctor waits five seconds for the result.
  private static let decodeLimit = Duration.seconds(2)

  @Blocking func answer() -> SoundReport {
    do throws(SoundTrouble) {
      switch self {
      case .device(let name): return .output(try Self.play(name))
      case .file(let path): return .peak(try Self.peak(path))
      case .level(let control): return .level(try Self.level(control))
      }
    } catch {
      return .trouble(error)
    }
  }

  /// Plays a second of silence as a ring would be played.
  @Blocking private static func play(_ device: String) throws(SoundTrouble) -> Output {
    let silence = Stroke(of: Tone.source(loops: true), length: .seconds(1))
    let stream = try Stream(
      device: device, source: silence, gain: Gain(volume: 0, fadeIn: .zero))
    try stream.prefill()
    try stream.start(elapsed: .zero)
    let begin = ContinuousClock.now
    var output: Output?
    while !stream.isOver {
      usleep(UInt32(clamping: stream.refillInterval.wholeMicroseconds))
      try stream.refill()
      output = output ?? OutputWatch.output(of: device, control: stream.control)
      // If there is no output, the sound server makes a stand-in that consumes the samples. That
      // proves nothing about a device.
      if let output, output.silence == .dummy { return output }
      if begin.duration(to: .now) > stallLimit { throw .stalled(device) }
    }
    return output ?? Output(control: stream.control)
  }

  @Blocking private static func peak(_ path: String) throws(SoundTrouble) -> Float {
    do throws(SoundFileError) {
      return try SoundFile.peak(of: path, patience: decodeLimit)
    } catch { throw .file(error) }
  }

  @Blocking private static func level(_ control: String) throws(SoundTrouble) -> OutputLevel? {
    do throws(ALSAFailure) { return try OutputLevel(control: control) } catch {
      throw .mixer(error)
    }
  }
}
