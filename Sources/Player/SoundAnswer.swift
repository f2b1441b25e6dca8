// SPDX-License-Identifier: GPL-3.0-or-later
//
// The answers to what the doctor asks: whether a device plays, how loud a file is, what an output
// is set to. Nothing is heard. `SoundCheck.swift` in Sound asks, and ends this process if the
// answer does not come.

import Glibc
import Scheduling
import Sound
import System

nonisolated extension SoundQuestion {
  /// A second of silence takes no longer on a device that plays.
  private static let stallLimit = Duration.seconds(3)
  /// A file is decoded for so long: the doctor waits five seconds for what was found till then.
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
      device: device, source: silence, gain: Gain(volume: 0, fadeIn: .zero), elapsed: .zero)
    try stream.prefill()
    try stream.start()
    let begin = ContinuousClock.now
    var output: Output?
    while !stream.isOver {
      usleep(UInt32(clamping: stream.refillInterval.wholeMicroseconds))
      try stream.refill()
      output = output ?? OutputWatch.output(of: device, control: stream.control)
      // Whether a stand-in takes the samples says nothing.
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
