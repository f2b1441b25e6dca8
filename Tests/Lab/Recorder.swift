// SPDX-License-Identifier: GPL-3.0-or-later
//
// Records which sound the Lab's null sink plays, and when. Measures how loud the sound is and which
// pitch it has. Next: `Recording.swift` for how samples get their times.

import Foundation

/// Keeps every sample that the sink played, with its time.
public final class Recorder: Sendable {
  private let recording = Guarded(Recording())
  private let parec: Program

  /// - Parameter rendersAhead: whether the sink is PulseAudio's. Before a program asks for a short
  ///   latency, that sink has already rendered the next 2 s. This would make all recorded times
  ///   wrong, so the sink is suspended and resumed: it then starts again at the present moment.
  init(lab: Lab, sink: String, rendersAhead: Bool) throws {
    parec = try lab.start(
      "parec",
      arguments: [
        "--verbose", "--device=\(sink).monitor", "--raw", "--format=s16le",
        "--rate=\(Recording.rate)",
        "--channels=\(Recording.channels)", "--latency-msec=\(Recording.fragment)",
        "--process-time-msec=\(Recording.fragment)",
      ]
    ) { [recording] data, time in recording.update { $0.take(data, at: time) } }
    try parec.waitForErrors("Stream successfully created")
    for state in rendersAhead ? ["1", "0"] : [] {
      try lab.run("pactl", "suspend-sink", sink, state)
    }
    guard recording.wait(within: patience, for: { $0.frameCount > 0 ? true : nil }) != nil else {
      throw LabError.failed("parec", reason: "no samples came. \(parec.errors)")
    }
  }

  /// Returns the time of the first sound at `start` or later; nil if there is none yet.
  ///
  /// - Parameter level: decibels below full scale; softer samples count as silence.
  public func firstSound(after start: Epoch, above level: Double = -60) -> Epoch? {
    recording.read { $0.firstSound(after: start, above: level) }
  }

  /// Returns the time of the last sound before `end`; nil if there is none.
  public func lastSound(before end: Epoch = .infinity, above level: Double = -60) -> Epoch? {
    recording.read { $0.lastSound(before: end, above: level) }
  }

  public func isSilent(from start: Epoch, to end: Epoch, above level: Double = -60) -> Bool {
    guard let sound = firstSound(after: start, above: level) else { return true }
    return sound >= end
  }

  /// Returns the samples that were played between two times, left and right samples in turn. Waits
  /// until that part is recorded. If `end` is infinite, or if that takes longer than `patience`,
  /// returns what has been recorded so far.
  public func samples(from start: Epoch = -.infinity, to end: Epoch = .infinity) -> [Int16] {
    let isEndless = end == .infinity
    return recording.wait(within: patience) {
      isEndless || $0.end >= end ? Array($0.samples(from: start, to: end)) : nil
    } ?? recording.read { Array($0.samples(from: start, to: end)) }
  }

  /// Returns the root mean square of both channels in decibels below full scale; -infinity for
  /// silence, and if nothing was recorded.
  public func rms(from start: Epoch, to end: Epoch) -> Double {
    let samples = samples(from: start, to: end)
    let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return samples.isEmpty ? -.infinity : 10 * log10(energy / Double(samples.count) / 0x1p30)
  }

  /// Returns the frequency in hertz of a sine wave that was played between two times, or 0 in
  /// silence. The function counts the zero crossings in each twentieth of a second that is not
  /// silent, and returns the median of the results. A busy machine leaves gaps in the recording,
  /// but a few gaps do not change the median.
  public func pitch(from start: Epoch, to end: Epoch) -> Double {
    let samples = samples(from: start, to: end)
    // Left and right samples alternate.
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    let rate = Double(left.count) / (end - start)
    let length = max(1, Int(rate / 20))
    let pitches = stride(from: 0, through: left.count - length, by: length).compactMap {
      first -> Double? in
      let crossings = (first + 1..<first + length).filter { (left[$0 - 1] < 0) != (left[$0] < 0) }
      guard crossings.count > 1 else { return nil }
      return Double(crossings.count - 1) / 2 * rate / Double(crossings.last! - crossings[0])
    }
    return pitches.isEmpty ? 0 : pitches.sorted()[pitches.count / 2]
  }

  /// Waits for the first sound at `start` or later, and returns its time.
  @discardableResult
  public func waitForSound(
    after start: Epoch = Lab.now, above level: Double = -60, within seconds: Double = patience
  ) throws(LabError) -> Epoch {
    let found = recording.wait(within: seconds) { $0.firstSound(after: start, above: level) }
    guard let found else {
      throw .deadline("sound above \(level) dB", seconds: seconds, seen: "silence")
    }
    return found
  }

  /// Waits until `lasting` seconds without sound, at `start` or later, have been recorded. Returns
  /// the time of the last sound before them, or `start` if there was none. Use this if the silence
  /// ends by itself: `waitForSilence` would miss it if this thread looked too late.
  @discardableResult
  public func waitForGap(
    after start: Epoch, lasting: Double = 0.3, above level: Double = -60,
    within seconds: Double = patience
  ) throws(LabError) -> Epoch {
    let found = recording.wait(within: seconds) {
      $0.gap(after: start, lasting: lasting, above: level)
    }
    guard let found else {
      throw .deadline("a gap of \(lasting) s", seconds: seconds, seen: "sound above \(level) dB")
    }
    return found
  }

  /// Waits until nothing has been heard for `lasting` seconds, and returns the time of the last
  /// sound, or `start` if there was none after it.
  @discardableResult
  public func waitForSilence(
    after start: Epoch = Lab.now, lasting: Double = 0.3, above level: Double = -60,
    within seconds: Double = patience
  ) throws(LabError) -> Epoch {
    let found = recording.wait(within: seconds) { recording -> Epoch? in
      let last = max(start, recording.lastSound(before: .infinity, above: level) ?? start)
      return recording.end - last >= lasting ? last : nil
    }
    guard let found else {
      throw .deadline("\(lasting) s of silence", seconds: seconds, seen: "sound above \(level) dB")
    }
    return found
  }
}
