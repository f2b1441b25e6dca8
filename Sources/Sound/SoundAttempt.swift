// SPDX-License-Identifier: GPL-3.0-or-later
//
// One request on its way to being heard: on which device it is tried now and next, and what is
// known about whether someone hears it. `SoundSupervisor.swift` decides what is done about that.

nonisolated struct SoundAttempt: Equatable {
  struct Play: Equatable {
    /// The reading of the boot clock when it was asked for.
    var asked: Duration
    /// How long it had been ringing by then.
    var fadedFor: Duration
  }

  /// Why nobody hears what plays.
  private struct Silence: Equatable {
    /// As of the last look, and how many looks in a row it has been so.
    var seen: Output.Silence?
    var looks = 0
    /// As it was reported.
    var told: Output.Silence?
  }

  let request: SoundRequest
  /// nil while it is only made ready.
  var play: Play?
  /// How many processes crashed over it.
  var crashes = 0
  /// The process has opened a device.
  var isOpen = false
  /// The output that the process plays to.
  var output: Output?
  /// The process cannot be started.
  var isUnstartable = false

  /// The place of the device in its round, and how many rounds of devices have failed since it was
  /// last heard.
  private var index = 0
  private var round = 0
  /// A device has played since the process was started.
  private var isHeard = false
  /// The troubles that have been reported since it was last heard.
  private var told: [SoundTrouble] = []
  /// That it began again, to be reported when the device has been seen to move.
  private var began: SoundReport?
  /// How many looks ago it was last heard.
  private var silentLooks = 0
  private var silence = Silence()
  /// An output that is heard has been seen: whoever mutes it after that is a person who is up.
  private var hasHadOutput = false

  /// After so many rounds ALSA's own devices are tried, too, one in each round.
  private static let roundsWithoutSpares = 2
  /// A silence that lasts for so many looks is reported: a second.
  private static let silencePatience = 2

  init(_ request: SoundRequest) { self.request = request }

  var isToBeHeard: Bool { play != nil && request.isToBeHeard }

  /// What to tell the process. After two crashes it is the tone: a decoder may be what crashes.
  var command: SoundCommand {
    var request = request
    if crashes >= 2 { request.files = [] }
    guard let play else { return .prime(request, device) }
    return .play(request, device, asked: play.asked, fadedFor: play.fadedFor)
  }

  var device: SoundDevice {
    index < request.devices.count
      ? .named(request.devices[index]) : .spare(round - Self.roundsWithoutSpares)
  }

  /// Takes the next device; returns whether all have failed by now, one after another.
  mutating func goOn() -> Bool {
    let wasHeard = isHeard
    close()
    index += 1
    let count = request.devices.count + (round >= Self.roundsWithoutSpares ? 1 : 0)
    guard index >= count else { return false }
    (index, round) = (0, wasHeard ? 0 : round + 1)
    return !wasHeard || !request.loops
  }

  /// The process is gone.
  mutating func close() {
    (isOpen, isHeard, output, began) = (false, false, nil, nil)
    silence.looks = 0
  }

  /// Whether `trouble` is to be reported. A device that nobody asked for is nobody's trouble.
  mutating func isNews(_ trouble: SoundTrouble) -> Bool {
    if case .device(let name, _) = trouble, !request.devices.contains(name) { return false }
    guard !told.contains(trouble) else { return false }
    told.append(trouble)
    return true
  }

  /// What it means that the process gives no sign; nil if it is a device that nobody asked for.
  var troubleOfSilence: SoundTrouble? {
    guard case .named(let name) = device else { return nil }
    return isOpen && play != nil ? .stalled(name) : .hung(name)
  }

  /// The process has started the device. Returns whether that is worth a report: after a device
  /// that was started and played nothing, only when it is heard.
  mutating func began(_ report: SoundReport) -> Bool {
    isOpen = true
    guard isOnDummy || told.contains(where: \.isStall) else { return true }
    began = report
    return false
  }

  /// The device moves. Returns what was held back until then.
  mutating func heard() -> SoundReport? {
    guard isOpen, play != nil, !isOnDummy else { return nil }
    (isHeard, isUnstartable, silentLooks, told) = (true, false, 0, [])
    defer { began = nil }
    return began
  }
}

// MARK: - Whether someone hears it

nonisolated extension SoundAttempt {
  /// Half a second has passed. Returns a report if what keeps it from being heard has changed.
  mutating func look() -> SoundReport? {
    silentLooks += 1
    guard let output, isOpen else { return nil }
    if output.silence == nil { hasHadOutput = true }
    silence.looks = output.silence == silence.seen ? silence.looks + 1 : 0
    silence.seen = output.silence
    guard lasts, silence.told != silence.seen else { return nil }
    silence.told = silence.seen
    return .unheard(silence.told)
  }

  private var lasts: Bool { silence.looks >= Self.silencePatience }

  /// A sound server's stand-in for an output takes what is played, and has for a second.
  var needsOtherDevice: Bool { isToBeHeard && output?.silence == .dummy && lasts }

  /// The same was so when it was last known.
  private var isOnDummy: Bool {
    silence.told == .dummy && output.map { $0.silence == .dummy } ?? true
  }

  var needsBell: Bool {
    guard isToBeHeard else { return false }
    if isUnstartable || silentLooks >= SoundSupervisor.bellPatience { return true }
    return silence.told == .dummy || silence.told != nil && !hasHadOutput
  }
}

nonisolated extension SoundTrouble {
  fileprivate var isStall: Bool { if case .stalled = self { true } else { false } }
}
