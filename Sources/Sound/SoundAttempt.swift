// SPDX-License-Identifier: GPL-3.0-or-later
//
// Follows one request to play a sound: which device to try now and next, and whether anyone hears
// the sound. `SoundSupervisor.swift` decides what to do if no one does.

struct SoundAttempt: Equatable {
  struct Play: Equatable {
    /// The boot clock's reading when the agent ordered the sound.
    var asked: Duration
    /// How long the alarm had been ringing when the sound was ordered.
    var fadedFor: Duration
  }

  /// Why no one hears the sound that is playing.
  private struct Silence: Equatable {
    /// The reason that the last check found (see `look`); nil if the sound could be heard.
    var seen: Output.Silence?
    /// How many half-second checks in a row have confirmed `seen`. The check that found it first
    /// does not count.
    var checks = 0
    var reported: Output.Silence?
    /// Whether `reported` has been reported, even if it is nil: the sound can be heard.
    var isReported = false
  }

  let request: SoundRequest
  /// When the sound was ordered to play; nil while it is only prepared.
  var play: Play?
  /// How many processes have crashed while working on this request.
  var crashes = 0
  /// Whether the process has been sent the request.
  private var isPrimed = false
  var isOpen = false
  /// The output that the process plays to.
  var output: Output?
  /// Whether `belfry-sound` could not be started.
  var isUnstartable = false

  /// The position of the device in the current round. A round tries each device once.
  private var index = 0
  /// How many rounds through the devices have failed since the sound was last heard.
  private var round = 0
  /// Whether a device has played since the process was started.
  private var isHeard = false
  /// The troubles that have been reported since the sound was last heard.
  private var reported: [SoundTrouble] = []
  /// The report that the sound has begun again. It is held back until the device actually plays.
  private var held: SoundReport?
  /// How many checks ago the sound was last heard. A check takes place every half second.
  private var silentLooks = 0
  private var silence = Silence()
  /// Whether the sound has gone to an output that can be heard. If someone mutes that output
  /// afterwards, the bell need not ring: that person is awake.
  private var hasHadOutput = false

  /// After all devices of the request have failed this many times, ALSA's own devices are tried as
  /// well, one of them in each further round through the devices.
  private static let roundsWithoutSpares = 2
  /// A silence is reported once it has lasted for this many half-second checks.
  private static let silencePatience = 2

  init(_ request: SoundRequest) { self.request = request }

  /// Returns the commands that the process has not been sent yet. After two crashes they ask for
  /// the built-in tone, because the decoder of a file may be the cause.
  mutating func nextCommands() -> [SoundCommand] {
    var request = request
    if crashes >= 2 { request.files = [] }
    let primes = isPrimed ? [] : [SoundCommand.prime(request, device)]
    isPrimed = true
    return primes + (play.map { [.play(asked: $0.asked, fadedFor: $0.fadedFor)] } ?? [])
  }

  var device: SoundDevice {
    index < request.devices.count
      ? .named(request.devices[index]) : .spare(round - Self.roundsWithoutSpares)
  }

  /// Moves on to the next device. Returns true if all devices of the round have been tried, so that
  /// a pause or the end follows. Returns false if the last device has just played a looping sound:
  /// then the next round begins without a pause.
  mutating func goOn() -> Bool {
    let wasHeard = isHeard
    close()
    index += 1
    let count = request.devices.count + (round >= Self.roundsWithoutSpares ? 1 : 0)
    guard index >= count else { return false }
    (index, round) = (0, wasHeard ? 0 : round + 1)
    return !wasHeard || !request.loops
  }

  /// Forgets the state of the sound process that is gone.
  mutating func close() {
    (isPrimed, isOpen, isHeard, output, held) = (false, false, false, nil, nil)
    silence.checks = 0
  }

  /// Returns whether to report `trouble`. Each trouble is reported only once, and never for a
  /// device that the user did not name.
  mutating func isNews(_ trouble: SoundTrouble) -> Bool {
    if case .device(let name, _) = trouble, !request.devices.contains(name) { return false }
    guard !reported.contains(trouble) else { return false }
    reported.append(trouble)
    return true
  }

  /// The trouble to report if the process gives no sign of life; nil for a device that the user did
  /// not name.
  var troubleOfSilence: SoundTrouble? {
    guard case .named(let name) = device else { return nil }
    return isOpen && play != nil ? .stalled(name) : .hung(name)
  }

  /// Records that the process has started the device. Returns whether to report that now. If a
  /// device was started earlier and played nothing, the report waits for `heard`.
  mutating func began(_ report: SoundReport) -> Bool {
    isOpen = true
    guard isOnDummy || reported.contains(where: \.isStall) else { return true }
    held = report
    return false
  }

  /// Records that the device is playing. Returns the report that was held back until now.
  mutating func heard() -> SoundReport? {
    guard isOpen, play != nil, !isOnDummy else { return nil }
    (isHeard, isUnstartable, silentLooks, reported) = (true, false, 0, [])
    defer { held = nil }
    return held
  }
}

// MARK: - Whether someone hears the sound

extension SoundAttempt {
  /// Checks whether the sound can be heard; to be called every half second. Returns a report once a
  /// result has lasted for a second, if it is the first or differs from the last reported one.
  /// Until the device has played, there is no report that the sound can be heard.
  mutating func check() -> SoundReport? {
    silentLooks += 1
    guard let output, isOpen else { return nil }
    if output.silence == nil { hasHadOutput = true }
    silence.checks = output.silence == silence.seen ? silence.checks + 1 : 0
    silence.seen = output.silence
    guard lasts, silence.seen != nil || isHeard,
      !silence.isReported || silence.reported != silence.seen
    else { return nil }
    (silence.reported, silence.isReported) = (silence.seen, true)
    return .unheard(silence.reported)
  }

  private var lasts: Bool { silence.checks >= Self.silencePatience }

  private var isToBeHeard: Bool { play != nil && request.loops && request.volume > 0 }

  /// Whether the sound server has no output, and has sent the sound to a stand-in (a dummy output)
  /// for at least a second. No one hears that sound.
  var needsOtherDevice: Bool { isToBeHeard && output?.silence == .dummy && lasts }

  /// Whether, as far as is known, the sound goes to the stand-in that a sound server makes if it
  /// has no output.
  private var isOnDummy: Bool {
    silence.reported == .dummy && output.map { $0.silence == .dummy } ?? true
  }

  var needsBell: Bool {
    guard isToBeHeard else { return false }
    if isUnstartable || silentLooks >= SoundSupervisor.bellPatience { return true }
    return silence.reported == .dummy || silence.reported != nil && !hasHadOutput
  }
}

extension SoundTrouble {
  fileprivate var isStall: Bool { if case .stalled = self { true } else { false } }
}
