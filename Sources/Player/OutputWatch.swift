// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reports which output of the sound server plays this process's stream, or why no one hears the
// stream. Watches from the beginning of a sound to its end, because people mute, change and unplug
// outputs meanwhile. Changes nothing. `SoundSupervisor.swift` in the agent decides what to do if no
// one hears the stream.

import Glibc
import Scheduling
import Sound
import Synchronization
import System

/// Follows the stream of this process on another thread, until `end` is called.
final class OutputWatch: Sendable {
  private struct State {
    var isOver = false
    // While the server is stored here, another thread may call its `wake`.
    nonisolated(unsafe) var server: SoundServer?
  }

  private let state = Mutex(State())
  private let onChange: @MainActor (Output) -> Void

  /// How long to wait for the stream to appear at the sound server. If it does not appear, the
  /// device does not lead to the server.
  private static let patience = Duration.milliseconds(500)

  /// Watches the sound on `device`, whose ALSA control is `control`. If the device is on no card,
  /// `control` equals `device`. Calls `onChange` on the main loop, first when the output is known
  /// or `patience` has passed, and then at each change.
  init(device: String, control: String, onChange: @escaping @MainActor (Output) -> Void) {
    self.onChange = onChange
    let output = Output(control: control)
    if control == device {
      Worker(name: "sound server").perform { _ in self.watch(otherwise: output) }
    } else {
      report(output)  // The device belongs to a card, so no sound server is involved.
    }
  }

  func end() {
    state.withLock {
      $0.isOver = true
      $0.server?.wake()
    }
  }

  private var isOver: Bool { state.withLock { $0.isOver } }

  private func report(_ output: Output) {
    Worker.onMain { if !self.isOver { self.onChange(output) } }
  }

  private func watch(otherwise other: Output) {
    var reported: Output?
    do throws(ALSAFailure) {
      let server = try SoundServer()
      state.withLock { $0.server = server }
      defer { state.withLock { $0.server = nil } }
      try server.subscribe()
      try watch(server, &reported, otherwise: other)
    } catch {
      Log.debug("the sound server: \(error.call): \(error.text)")
      if reported == nil { report(other) }
    }
  }

  private func watch(
    _ server: SoundServer, _ reported: inout Output?, otherwise other: Output
  ) throws(ALSAFailure) {
    let deadline = ContinuousClock.now + Self.patience
    while !isOver {
      let left = ContinuousClock.now.duration(to: deadline)
      let output = try Self.output(server) ?? (left <= .zero && reported == nil ? other : nil)
      if let output, output != reported {
        reported = output
        report(output)
      }
      try server.waitForChange(within: reported == nil ? left : nil) { isOver }
    }
  }

  /// The output that the sound on `device` goes to now; nil if its stream has not appeared yet.
  static func output(of device: String, control: String) -> Output? {
    guard control == device, let server = try? SoundServer() else {
      return Output(control: control)
    }
    return try? output(server)
  }

  private static func output(_ server: SoundServer) throws(ALSAFailure) -> Output? {
    let plays = try server.ownPlays()
    let sinks = try server.sinks()
    for play in plays {
      guard let sink = sinks.first(where: { $0.index == play.sink }) else { continue }
      return Output(
        control: sink.control,
        stream: OutputStream(
          index: play.index, channels: play.hasVolume ? play.level.volumes.count : nil),
        silence: sink.isDummy
          ? .dummy
          : play.level.isSilent
            ? .streamMuted : sink.level.isSilent ? .muted(sink.description) : nil)
    }
    return nil
  }
}
