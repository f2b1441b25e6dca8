// SPDX-License-Identifier: GPL-3.0-or-later
//
// The session's sound server, PulseAudio or PipeWire's own, asked by PulseAudio's protocol what
// ALSA does not tell: through which output a stream of ours is heard, whether that is one, and who
// is muted. It decides nothing. For a worker: each answer is waited for, and none for longer than
// two seconds. Next: `OutputWatch.swift` and `VolumeLift.swift`, which ask.

import CPulse
import Glibc
import Scheduling
import Sound
import System

/// A connection (`pa_context`) on a loop of its own, closed when released.
nonisolated final class SoundServer {
  /// Where streams go, and the volume that a desktop shows (`pa_sink_info`).
  struct Sink: Equatable {
    var index: UInt32
    var name: String
    var description: String
    var level: Mixer.Level
    /// Its volume is that of its loudest stream.
    var isFlat: Bool

    /// What a server makes where there is no output at all: it takes what it is given, and nobody
    /// hears it. Both call it so.
    var isDummy: Bool { name == "auto_null" || name.hasPrefix("auto_null.") }
  }

  /// What a program plays (`pa_sink_input_info`).
  struct Play: Equatable {
    var index: UInt32
    var sink: UInt32
    var level: Mixer.Level
    /// Whether its volume can be set.
    var hasVolume: Bool
  }

  /// By what the streams of this process are known to be its own, as long as `introduce` was
  /// called.
  private static let mark = "belfry.process"

  private static let patience = Duration.seconds(2)

  /// May be woken from any thread.
  private let loop: OpaquePointer
  private let context: OpaquePointer
  private let events = Gathered<Void>()

  /// Connects to the server that is there, and starts none.
  init() throws(ALSAFailure) {
    guard pulse != nil else {
      throw ALSAFailure(call: "dlopen", code: -ELIBACC, text: Library.pulse.trouble ?? "")
    }
    guard let loop = pulse.pa_mainloop_new() else { throw ALSAFailure("pa_mainloop_new", -ENOMEM) }
    guard let context = pulse.pa_context_new(pulse.pa_mainloop_get_api(loop), "Belfry") else {
      pulse.pa_mainloop_free(loop)
      throw ALSAFailure("pa_context_new", -ENOMEM)
    }
    (self.loop, self.context) = (loop, context)
    // From here on `deinit` closes it, whatever is thrown.
    guard pulse.pa_context_connect(context, nil, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else {
      throw failure("pa_context_connect")
    }
    try iterate("pa_context_connect") { pulse.pa_context_get_state(context) == PA_CONTEXT_READY }
  }

  deinit {
    pulse.pa_context_set_subscribe_callback(context, nil, nil)
    pulse.pa_context_disconnect(context)
    pulse.pa_context_unref(context)
    pulse.pa_mainloop_free(loop)
  }

  /// Names this process to sound servers, before it opens a device and while it has one thread: by
  /// the variables that libpulse and PipeWire's plug-in for ALSA read. The role is nobody else's:
  /// what a person mutes is remembered for all of one role.
  static func introduce() {
    let number = String(getpid())
    let said = [
      ("application.name", "Belfry"), ("application.id", "org.belfry.Belfry"),
      ("application.icon_name", "org.belfry.Belfry"), ("media.role", "alarm"),
      ("media.name", "Alarm"), (mark, number),
    ]
    setenv(
      "PULSE_PROP_OVERRIDE", said.map { "\($0)='\($1)'" }.joined(separator: " "), 1)
    let more = [("application.icon-name", "org.belfry.Belfry"), ("node.name", "belfryd")]
    let words = (said + more).map { "\($0) = \"\($1)\"" }
    setenv("PIPEWIRE_ALSA", "{ \(words.joined(separator: " ")) }", 1)
  }

  // MARK: - What there is

  func sinks() throws(ALSAFailure) -> [Sink] {
    try list("pa_context_get_sink_info_list") { data in
      pulse.pa_context_get_sink_info_list(
        context,
        { _, info, _, data in
          guard let info = info?.pointee, let data else { return }
          Gathered<Sink>.from(data).values.append(Sink(info))
        }, data)
    }
  }

  /// What this process plays, if it does.
  func ownPlays() throws(ALSAFailure) -> [Play] {
    try list("pa_context_get_sink_input_info_list") { data in
      pulse.pa_context_get_sink_input_info_list(
        context,
        { _, info, _, data in
          guard let info = info?.pointee, let data, let list = info.proplist,
            let owner = pulse.pa_proplist_gets(list, SoundServer.mark),
            String(cString: owner) == String(getpid())
          else { return }
          Gathered<Play>.from(data).values.append(Play(info))
        }, data)
    }
  }

  /// Whether somebody talks or is recorded: a stream that says that it is a call's, or one that
  /// listens to a microphone. What listens to an output, as the meters of mixers do, hears no
  /// person.
  func isCallOn() throws(ALSAFailure) -> Bool {
    let calls: [Bool] = try list("pa_context_get_sink_input_info_list") { data in
      pulse.pa_context_get_sink_input_info_list(
        context,
        { _, info, _, data in
          guard let info = info?.pointee, let data else { return }
          Gathered<Bool>.from(data).values.append(info.corked == 0 && info.proplist.isOfCall)
        }, data)
    }
    if calls.contains(true) { return true }
    return try !listeners().isDisjoint(with: microphones())
  }

  /// The sources that streams listen to which are not paused.
  private func listeners() throws(ALSAFailure) -> Set<UInt32> {
    Set(
      try list("pa_context_get_source_output_info_list") { data in
        pulse.pa_context_get_source_output_info_list(
          context,
          { _, info, _, data in
            guard let info = info?.pointee, let data, info.corked == 0 else { return }
            Gathered<UInt32>.from(data).values.append(info.source)
          }, data)
      })
  }

  private func microphones() throws(ALSAFailure) -> Set<UInt32> {
    Set(
      try list("pa_context_get_source_info_list") { data in
        pulse.pa_context_get_source_info_list(
          context,
          { _, info, _, data in
            guard let info = info?.pointee, let data, info.monitor_of_sink == UInt32.max else {
              return  // PA_INVALID_INDEX
            }
            Gathered<UInt32>.from(data).values.append(info.index)
          }, data)
      })
  }

  // MARK: - What is changed

  func set(_ level: Mixer.Level, sink name: String) throws(ALSAFailure) {
    if !level.volumes.isEmpty {
      var volumes = pa_cvolume(level.volumes)
      try perform("pa_context_set_sink_volume_by_name") {
        pulse.pa_context_set_sink_volume_by_name(context, name, &volumes, $0, $1)
      }
    }
    guard let isOn = level.switches.first else { return }
    try perform("pa_context_set_sink_mute_by_name") {
      pulse.pa_context_set_sink_mute_by_name(context, name, isOn ? 0 : 1, $0, $1)
    }
  }

  /// Unmutes what is played, and lets it have all of its output's volume.
  func putRight(_ index: UInt32, volumes count: Int?) throws(ALSAFailure) {
    try perform("pa_context_set_sink_input_mute") {
      pulse.pa_context_set_sink_input_mute(context, index, 0, $0, $1)
    }
    guard let count else { return }
    var volumes = pa_cvolume([Int](repeating: Int(PA_VOLUME_NORM), count: count))
    try perform("pa_context_set_sink_input_volume") {
      pulse.pa_context_set_sink_input_volume(context, index, &volumes, $0, $1)
    }
  }

  // MARK: - What changes

  /// From now on `waitForChange` returns when an output or a stream changes, comes or goes.
  func subscribe() throws(ALSAFailure) {
    let kinds = PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue
    pulse.pa_context_set_subscribe_callback(
      context,
      { _, _, _, data in
        guard let data else { return }
        Gathered<Void>.from(data).values.append(())
      }, Unmanaged.passUnretained(events).toOpaque())
    try perform("pa_context_subscribe") {
      pulse.pa_context_subscribe(context, pa_subscription_mask_t(rawValue: kinds), $0, $1)
    }
  }

  /// Waits until something has changed, at most `limit`, or until `wake`; says whether it has.
  func waitForChange(
    within limit: Duration?, unless isOver: () -> Bool
  ) throws(ALSAFailure) -> Bool {
    let microseconds = limit.map { Int32(clamping: max(0, $0.wholeMicroseconds)) } ?? -1
    if events.values.isEmpty { try turn("pa_context_subscribe", microseconds, unless: isOver) }
    defer { events.values = [] }
    return !events.values.isEmpty
  }

  /// May be called from any thread, as long as this is there.
  func wake() { pulse.pa_mainloop_wakeup(loop) }

  // MARK: - Asking

  /// The answer to what `ask` asks, an element for each call of its callback.
  private func list<Value>(
    _ call: String, _ ask: (UnsafeMutableRawPointer) -> OpaquePointer?
  ) throws(ALSAFailure) -> [Value] {
    let answer = Gathered<Value>()
    try finish(call, ask(Unmanaged.passUnretained(answer).toOpaque()))
    return withExtendedLifetime(answer) { answer.values }
  }

  private func perform(
    _ call: String,
    _ order: (pa_context_success_cb_t?, UnsafeMutableRawPointer?) -> OpaquePointer?
  ) throws(ALSAFailure) {
    let answer = Gathered<Bool>()
    let data = Unmanaged.passUnretained(answer).toOpaque()
    try finish(
      call,
      order(
        { _, isDone, data in
          guard let data else { return }
          Gathered<Bool>.from(data).values.append(isDone != 0)
        }, data))
    let isDone = withExtendedLifetime(answer) { answer.values.last ?? false }
    if !isDone { throw failure(call) }
  }

  private func finish(_ call: String, _ operation: OpaquePointer?) throws(ALSAFailure) {
    guard let operation else { throw failure(call) }
    // Cancelled, it calls nobody back.
    defer {
      pulse.pa_operation_cancel(operation)
      pulse.pa_operation_unref(operation)
    }
    try iterate(call) { pulse.pa_operation_get_state(operation) != PA_OPERATION_RUNNING }
  }

  private func iterate(_ call: String, until isDone: () -> Bool) throws(ALSAFailure) {
    let deadline = ContinuousClock.now + Self.patience
    while !isDone() {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { throw ALSAFailure(call, -ETIMEDOUT) }
      try turn(call, Int32(clamping: left.wholeMicroseconds))
    }
  }

  /// One turn of the loop, which waits for so many microseconds at most; -1: for ever. Not where it
  /// `isOver`: an earlier turn may have used up the wake-up that came with that.
  private func turn(
    _ call: String, _ microseconds: Int32, unless isOver: () -> Bool = { false }
  ) throws(ALSAFailure) {
    guard pulse.pa_mainloop_prepare(loop, microseconds) >= 0 else { throw ALSAFailure(call, -EIO) }
    if isOver() { wake() }
    guard pulse.pa_mainloop_poll(loop) >= 0, pulse.pa_mainloop_dispatch(loop) >= 0 else {
      throw ALSAFailure(call, -EIO)
    }
    let state = pulse.pa_context_get_state(context)
    if state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED { throw failure(call) }
  }

  private func failure(_ call: String) -> ALSAFailure {
    let text = pulse.pa_strerror(pulse.pa_context_errno(context))
    return ALSAFailure(call: call, code: -EIO, text: text.map { String(cString: $0) } ?? "")
  }
}

/// What callbacks have gathered.
private nonisolated final class Gathered<Value> {
  var values: [Value] = []

  static func from(_ data: UnsafeMutableRawPointer) -> Gathered<Value> {
    Unmanaged<Gathered<Value>>.fromOpaque(data).takeUnretainedValue()
  }
}
