// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays a sound, once or until told to stop, by any means left: the next file, the built-in tone, the
// next device, the same one again a second later, the bell. It knows no alarm and no mixer. All that may
// block is on a thread of its own, and that thread may hang. Next: `Playback.swift`, what it does.

import Scheduling
import System

/// The sound of the program: at most one request at a time.
public final class Player {
  /// What to play, where, and how loud.
  public nonisolated struct Request: Equatable, Sendable {
    /// Paths tried in order; after them the built-in tone. Of a folder all sounds in it are tried, by
    /// chance.
    public var files: [String]
    /// What was heard before: of a folder it is tried last.
    public var before: String?
    /// ALSA PCM names tried in order; at least one.
    public var devices: [String]
    /// Percent, 0...100, by PulseAudio's cubic law: see `Gain`.
    public var volume: Int
    /// From 40 dB below `volume` up to it, linear in decibels.
    public var fadeIn: Duration
    /// Plays until stopped, by any means; otherwise once.
    public var loops: Bool
    /// Plays so much of it, and fades it out.
    public var length: Duration?
    /// Is not heard where a call is on.
    public var isDiscreet: Bool

    public init(
      files: [String], before: String? = nil, devices: [String] = ["default"], volume: Int = 100,
      fadeIn: Duration = .zero, loops: Bool = true, length: Duration? = nil,
      isDiscreet: Bool = false
    ) {
      (self.files, self.before) = (files, before)
      self.devices = devices.isEmpty ? ["default"] : devices
      (self.volume, self.fadeIn, self.loops) = (volume, fadeIn, loops)
      (self.length, self.isDiscreet) = (length, isDiscreet)
    }
  }

  /// Where the sound thread may be held up.
  public nonisolated enum Place: Hashable, Sendable {
    /// Behind what was asked for earlier.
    case queue
    case device(String)
    case file(String)
  }

  public nonisolated enum Trouble: Error, Equatable, Sendable {
    /// This file will not be heard; the next one, or the tone, takes its place.
    case file(SoundFileError)
    /// The device of this name failed; the next one, or after a second all of them, are tried.
    case device(String, PCMError)
    /// The device of this name consumed nothing for two seconds; it is opened again, or the next.
    case stalled(String)
    /// A call did not return for two seconds; it is left behind, and what else there is is tried.
    case hung(Place)
    /// The process that played is gone; see `SoundProcess`, which starts another.
    case crashed
  }

  public nonisolated enum Report: Equatable, Sendable {
    /// A device is open, and what it begins with is decoded. `file` is nil for the built-in tone.
    case primed(device: String, file: String?)
    /// Sound begins, or begins again after trouble, `delay` after the call of `play`. `control` is
    /// the name of the device's ALSA control, if it has one; see `Mixer`.
    case started(device: String, control: String, file: String?, delay: Duration)
    /// Through which output it is heard, where it is; told at once, and whenever that changes.
    case output(Output)
    /// For a second it plays, and nobody hears it; nil: it is heard again.
    case unheard(Output.Silence?)
    /// Told once, until sound has begun again.
    case trouble(Trouble)
    /// The sound, asked to play once, has been heard to its end.
    case finished
  }

  /// Called on the main loop. What was asked for before the last `stop` reports nothing after it.
  public var onReport: ((Report) -> Void)?

  private var request: Request?
  private var playback: Playback?
  /// Made ahead: where descriptors have run out, none can be made.
  private var worker = Worker(name: "sound")
  private let bell: Bell
  /// When `play` was called, and when the ring began; nil while merely primed.
  private var due: (asked: ContinuousClock.Instant, origin: ContinuousClock.Instant)?
  private var watch: Source?
  /// How many times in a row the watch has found that nothing new was heard, and what it goes by.
  private var silence: (looks: Int, lastHeard: ContinuousClock.Instant?) = (0, nil)
  /// Where each of the threads left behind is held up still.
  private var heldUp: [Place] = []
  private var hasToldOfHang = false
  /// Where it is heard; nil before the first sound.
  private var outputWatch: OutputWatch? {
    didSet { oldValue?.end() }
  }
  private var output: Output?
  private var unheard = Unheard()
  /// The devices to be tried in place of those asked for, since these lead to no output.
  private var detour: [String]?

  /// What stands in the way of what plays.
  private struct Unheard {
    /// As of the last look.
    var seen: Output.Silence?
    var told: Output.Silence?
    /// Since it began it was heard once: who mutes it then is a person who is up.
    var hasBeenHeard = false
  }

  private static let hangLimit = Duration.seconds(2)
  private static let watchInterval = Duration.seconds(1)
  /// How many threads may be left behind. A call that hangs can be neither ended nor forgotten.
  private static let mostHeldUp = 4
  /// For so many seconds a device is waited for before the bell rings.
  private static let patience = 3

  public convenience init() { self.init(bell: Bell()) }

  init(bell: Bell) { self.bell = bell }

  /// To be called in a process that plays, before there is another thread: tells sound servers whose
  /// streams these are.
  public static func introduce() { SoundServer.introduce() }

  deinit {
    playback?.stop()
    outputWatch?.end()
  }

  /// Opens the device for `request` and decodes its beginning, so that `play` only starts it. Ignored
  /// while another request plays. It keeps the device open until `play` or `stop`.
  public func prime(_ request: Request) {
    guard due == nil, request != self.request else { return }
    stop()
    self.request = request
    makePlayback(for: request).prime()
  }

  /// Plays `request` in place of whatever plays, at once, where it has been primed; the same request
  /// again changes nothing. `elapsed` is for how long it has been ringing already, before the
  /// program was started again: the fade goes on from there. `delay` is how long ago it was asked for.
  public func play(
    _ request: Request, asked delay: Duration = .zero, fadedFor elapsed: Duration = .zero
  ) {
    if request == self.request, due != nil { return }
    if request != self.request { stop() }
    self.request = request
    let asked = ContinuousClock.now - delay
    let due = (asked: asked, origin: asked - max(.zero, elapsed))
    self.due = due
    (playback ?? makePlayback(for: request)).play(asked: due.asked, origin: due.origin)
    lookAfterPlayback()
  }

  /// Silent within 100 ms; closes the device and the file.
  public func stop() {
    playback?.stop()
    bell.stop()
    // A thread that is held up would hold up the next request too.
    if let place = playback?.stuck(longerThan: .milliseconds(500)) { leaveBehind(place) }
    (request, playback, due, watch) = (nil, nil, nil, nil)
    (outputWatch, output, unheard, detour) = (nil, nil, Unheard(), nil)
    silence = (0, nil)
  }

  /// Stops, and waits until the device is closed, at most `limit`, for the end of the program.
  public func finish(within limit: Duration) {
    stop()
    _ = worker.finish(within: limit)
  }

  private func makePlayback(for request: Request) -> Playback {
    let playback = Playback(avoiding(request), on: worker) { [weak self] playback, report in
      self?.receive(report, from: playback)
    }
    (self.playback, hasToldOfHang) = (playback, false)
    return playback
  }

  private func receive(_ report: Report, from playback: Playback) {
    guard playback === self.playback else { return }
    if report == .finished { stop() }
    onReport?(report)
    guard case .started(let device, let control, _, _) = report, self.playback === playback else {
      return
    }
    outputWatch = OutputWatch(device: device, control: control) { [weak self] output in
      self?.output = output
      self?.onReport?(.output(output))
    }
  }
}

// MARK: - When it does not sound

extension Player {
  /// While playing, looks each second whether anything was heard, or a call hangs.
  private func lookAfterPlayback() {
    watch = MainLoop.after(Player.watchInterval) { [weak self] in self?.lookAfterPlayback() }
    guard let request, let playback else { return }
    // Looks are counted, not time: that goes by in a suspended machine, too.
    let heard = playback.lastHeard
    let isSilent = heard == nil || heard == silence.lastHeard
    silence = (isSilent ? silence.looks + 1 : 0, heard)
    let isToBeHeard = request.loops && request.volume > 0
    if !isSilent { return lookAtOutput(isToBeHeard) }
    if silence.looks > Player.patience, isToBeHeard { bell.ring() }
    if let place = playback.stuck(longerThan: Player.hangLimit) {
      goOn(without: place)
    } else if avoiding(request) != playback.request {
      beginAnew()  // What hung works again.
    }
  }

  /// The device plays. What is in the way of that for a second is told, and where it is an output that
  /// is none, other devices are tried.
  private func lookAtOutput(_ isToBeHeard: Bool) {
    let now = output?.silence
    defer { unheard.seen = now }
    if now == nil { unheard.hasBeenHeard = unheard.hasBeenHeard || output != nil }
    let lasting = now == unheard.seen ? now : unheard.told
    if lasting != unheard.told {
      unheard.told = lasting
      onReport?(.unheard(lasting))
    }
    guard let lasting, isToBeHeard, lasting == .dummy || !unheard.hasBeenHeard else {
      return bell.stop()
    }
    bell.ring()
    guard lasting == .dummy, detour == nil, let playback else { return }
    // Last, for an output that comes.
    let device = playback.request.devices.first
    detour = playback.request.devices.dropFirst() + PCM.spares + [device].compactMap(\.self)
    beginAnew()
  }

  /// `request` without the devices and files at which a thread hangs.
  private func avoiding(_ request: Request) -> Request {
    var rest = request
    if let detour { rest.devices = detour }
    rest.files.removeAll { heldUp.contains(.file($0)) }
    rest.devices.removeAll { heldUp.contains(.device($0)) }
    return rest
  }

  private func beginAnew() {
    guard let request, let due else { return }
    playback?.stop()
    makePlayback(for: request).play(asked: due.asked, origin: due.origin)
  }

  /// Leaves the thread that hangs at `place` behind, and goes on with what else there is on a new
  /// one. With as many left behind as may be, waiting for it is all there is to do.
  private func goOn(without place: Place) {
    let isNews = !hasToldOfHang
    hasToldOfHang = true
    if leaveBehind(place) { beginAnew() }
    // Last, since whoever hears of it may stop everything.
    if isNews { onReport?(.trouble(.hung(place))) }
  }

  @discardableResult
  private func leaveBehind(_ place: Place) -> Bool {
    guard heldUp.count < Player.mostHeldUp, DescriptorReserve.isAnyLeft else { return false }
    heldUp.append(place)
    worker.perform { [weak self] in
      Worker.onMain { self?.returned(from: place) }
    }
    worker = Worker(name: "sound")
    return true
  }

  private func returned(from place: Place) {
    if let index = heldUp.firstIndex(of: place) { heldUp.remove(at: index) }
  }
}
