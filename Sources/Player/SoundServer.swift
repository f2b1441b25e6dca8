// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks the session's sound server (PulseAudio, or PipeWire with PulseAudio's protocol) for facts
// that ALSA does not know: which output plays this process's stream, and what is muted. Makes no
// decisions. Use this on a thread of a `Worker`, because each call waits up to two seconds for its
// answer. Next: `OutputWatch.swift` and `VolumeLift.swift`, which use it.

import CPulse
import Glibc
import Scheduling
import Sound
import System

/// A connection to the sound server (`pa_context`), with an event loop of its own. The connection
/// is closed when this object is released.
final class SoundServer {
  /// An output, with the volume that a desktop shows (`pa_sink_info`).
  struct Sink {
    var index: UInt32
    var name: String
    var description: String
    /// The name of the port that is in use, such as "analog-output-speaker"; nil if the output has
    /// no ports.
    var port: String?
    var level: ALSAMixer.Level
    /// Whether the output is always as loud as its loudest stream.
    var isFlat: Bool

    var control: String { Output.control(sink: name, port: port) }

    /// Whether this is the output that `control` names. A control that was saved before ports were
    /// known has none, and names the output with any port.
    func matches(_ control: String) -> Bool {
      [self.control, Output.control(sink: name, port: nil)].contains(control)
    }

    /// Whether this is the stand-in that a server makes if there is no output: it consumes sound,
    /// but no one hears it. PulseAudio and PipeWire use the same name for it.
    var isDummy: Bool { name == "auto_null" || name.hasPrefix("auto_null.") }
  }

  /// A stream that a program plays (`pa_sink_input_info`).
  struct Play {
    var index: UInt32
    var sink: UInt32
    var level: ALSAMixer.Level
    var hasVolume: Bool
  }

  /// The property that marks the streams of this process; its value is the process id. See
  /// `introduce`.
  private static let mark = "belfry.process"

  private static let patience = Duration.seconds(2)

  private let loop: OpaquePointer
  private let context: OpaquePointer
  private let events = Gathered<Void>()

  /// Connects to the running sound server. Does not start a server.
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
    // If a call below throws, `deinit` closes the connection.
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

  /// Sets the environment variables by which libpulse and PipeWire's ALSA plug-in introduce this
  /// process to the server. Call this before a second thread exists and before a device is opened.
  /// No other program has the role "alarm". Servers remember mutes by role, so a mute of other
  /// sounds does not mute an alarm.
  static func introduce() {
    let properties = [
      ("application.name", "Belfry"), ("application.id", "org.belfry.Belfry"),
      ("application.icon_name", "org.belfry.Belfry"), ("media.role", "alarm"),
      ("media.name", "Alarm"), (mark, String(getpid())),
    ]
    setenv(
      "PULSE_PROP_OVERRIDE", properties.map { "\($0)='\($1)'" }.joined(separator: " "), 1)
    let more = [("application.icon-name", "org.belfry.Belfry"), ("node.name", "belfryd")]
    let words = (properties + more).map { "\($0) = \"\($1)\"" }
    setenv("PIPEWIRE_ALSA", "{ \(words.joined(separator: " ")) }", 1)
  }

  // MARK: - Reading outputs and streams

  func sinks() throws(ALSAFailure) -> [Sink] {
    try list("pa_context_get_sink_info_list") {
      pulse.pa_context_get_sink_info_list(
        context, { _, info, _, data in gather(info, data) { Sink($0) } }, $0)
    }
  }

  /// The streams of this process.
  func ownPlays() throws(ALSAFailure) -> [Play] {
    try list("pa_context_get_sink_input_info_list") {
      pulse.pa_context_get_sink_input_info_list(
        context,
        { _, info, _, data in
          gather(info, data) {
            property(SoundServer.mark, $0.proplist) == String(getpid()) ? Play($0) : nil
          }
        }, $0)
    }
  }

  /// Whether someone is in a call or is being recorded. That is so if a stream has the role of a
  /// call, or if a stream reads a microphone. Volume meters do not count, because they read the
  /// sound of an output.
  func isCallOn() throws(ALSAFailure) -> Bool {
    let calls: [Bool] = try list("pa_context_get_sink_input_info_list") {
      pulse.pa_context_get_sink_input_info_list(
        context,
        { _, info, _, data in
          gather(info, data) { $0.corked == 0 && isCall($0.proplist) }
        }, $0)
    }
    if calls.contains(true) { return true }
    let recorded: [UInt32] = try list("pa_context_get_source_output_info_list") {
      pulse.pa_context_get_source_output_info_list(
        context,
        { _, info, _, data in
          gather(info, data) { $0.corked == 0 ? $0.source : nil }
        }, $0)
    }
    let microphones: [UInt32] = try list("pa_context_get_source_info_list") {
      pulse.pa_context_get_source_info_list(
        context,
        { _, info, _, data in
          // UInt32.max is PA_INVALID_INDEX: the source belongs to no output.
          gather(info, data) { $0.monitor_of_sink == UInt32.max ? $0.index : nil }
        }, $0)
    }
    return recorded.contains(where: microphones.contains)
  }

  // MARK: - Changing volumes and mutes

  func set(_ level: ALSAMixer.Level, sink name: String) throws(ALSAFailure) {
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

  /// Unmutes the stream `index`. If `count` is given, also sets the volumes of its `count` channels
  /// to 100 percent.
  func unmute(_ index: UInt32, volumes count: Int?) throws(ALSAFailure) {
    try perform("pa_context_set_sink_input_mute") {
      pulse.pa_context_set_sink_input_mute(context, index, 0, $0, $1)
    }
    guard let count else { return }
    var volumes = pa_cvolume([Int](repeating: Int(PA_VOLUME_NORM), count: count))
    try perform("pa_context_set_sink_input_volume") {
      pulse.pa_context_set_sink_input_volume(context, index, &volumes, $0, $1)
    }
  }

  // MARK: - Waiting for changes

  /// After this call, `waitForChange` returns when an output or a stream appears, changes or
  /// disappears.
  func subscribe() throws(ALSAFailure) {
    let kinds = PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue
    pulse.pa_context_set_subscribe_callback(
      context,
      { _, _, _, data in
        guard let data else { return }
        Gathered.from(data).values.append(())
      }, Unmanaged.passUnretained(events).toOpaque())
    try perform("pa_context_subscribe") {
      pulse.pa_context_subscribe(context, pa_subscription_mask_t(rawValue: kinds), $0, $1)
    }
  }

  /// Waits until something has changed since the last call, `wake` is called, or `limit` has
  /// passed; nil waits forever. May also return without a change. Does not wait if `isOver` returns
  /// true.
  func waitForChange(within limit: Duration?, unless isOver: () -> Bool) throws(ALSAFailure) {
    let microseconds = limit.map { Int32(clamping: max(0, $0.wholeMicroseconds)) } ?? -1
    if events.values.isEmpty { try turn("pa_context_subscribe", microseconds, unless: isOver) }
    events.values = []
  }

  /// Ends `waitForChange`. Any thread may call this.
  func wake() { pulse.pa_mainloop_wakeup(loop) }

  // MARK: - Waiting for answers

  /// Returns the elements of a list that libpulse passes to a callback one by one. The closure
  /// `ask` makes the call to libpulse. It gets a pointer, and hands it to libpulse as the
  /// callback's data.
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
    // A cancelled operation no longer calls back.
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

  /// Runs the loop once and waits at most `microseconds`; -1 waits forever. Does not wait if
  /// `isOver` returns true, because an earlier run may have consumed the wake-up that `wake` sent.
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

/// The values that the callbacks of one call have passed on.
private final class Gathered<Value> {
  var values: [Value] = []

  static func from(_ data: UnsafeMutableRawPointer) -> Gathered<Value> {
    Unmanaged<Gathered<Value>>.fromOpaque(data).takeUnretainedValue()
  }
}

/// Adds the result of `value` for one list element to the `Gathered` in `data`. Adds nothing if the
/// result is nil, or if libpulse reports the end of the list: `info` is nil then.
private func gather<Info, Value>(
  _ info: UnsafePointer<Info>?, _ data: UnsafeMutableRawPointer?, _ value: (Info) -> Value?
) {
  guard let info, let data, let value = value(info.pointee) else { return }
  Gathered.from(data).values.append(value)
}
