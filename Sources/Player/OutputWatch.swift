// SPDX-License-Identifier: GPL-3.0-or-later
//
// Through which output of the sound server this process is heard, or why it is not, from the
// beginning of a sound to its end: people mute, move and unplug things, and a server remembers what
// was muted once. It changes nothing. The agent's `SoundSupervisor.swift` goes by it.

import Glibc
import Scheduling
import Sound
import Synchronization
import System

/// Follows the stream that this process plays, until `end`, on a thread of its own.
nonisolated final class OutputWatch: Sendable {
  private struct State {
    var isOver = false
    // Woken from the other thread while it is there.
    nonisolated(unsafe) var server: SoundServer?
  }

  private let state = Mutex(State())
  private let onChange: @MainActor (Output) -> Void

  /// A stream that is not there so long after its device was started goes elsewhere.
  private static let patience = Duration.milliseconds(500)

  /// Tells on the main loop where what plays on `device`, whose ALSA control is `control`, is
  /// heard, at once and at each change.
  init(device: String, control: String, onChange: @escaping @MainActor (Output) -> Void) {
    self.onChange = onChange
    let output = Output(control: control)
    if control == device {
      Worker(name: "sound server").perform { self.follow(otherwise: output) }
    } else {
      tell(output)  // A card's own device: no server is between.
    }
  }

  func end() {
    state.withLock {
      $0.isOver = true
      $0.server?.wake()
    }
  }

  private var isOver: Bool { state.withLock { $0.isOver } }

  private func tell(_ output: Output) {
    Worker.onMain { if !self.isOver { self.onChange(output) } }
  }

  private func follow(otherwise other: Output) {
    var told: Output?
    var isSlow = false
    repeat {
      do throws(ALSAFailure) {
        let server = try SoundServer()
        state.withLock { $0.server = server }
        defer { state.withLock { $0.server = nil } }
        try server.subscribe()
        try follow(server, &told, otherwise: other)
      } catch {
        Log.debug("the sound server: \(error.call): \(error.text)")
        // Where it is gone the stream is, too, and the player knows.
        isSlow = error.code == -ETIMEDOUT
        if told == nil {
          told = other
          tell(other)
        }
      }
    } while isSlow && !isOver
  }

  private func follow(
    _ server: SoundServer, _ told: inout Output?, otherwise other: Output
  ) throws(ALSAFailure) {
    let deadline = ContinuousClock.now + Self.patience
    while !isOver {
      let left = ContinuousClock.now.duration(to: deadline)
      let output = try Self.output(server) ?? (left <= .zero && told == nil ? other : nil)
      if let output, output != told {
        told = output
        tell(output)
      }
      _ = try server.waitForChange(within: told == nil ? left : nil) { isOver }
    }
  }

  /// Where what plays on `device` is heard now; nil if its stream is not there yet.
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
        control: Output.sinkPrefix + sink.name,
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
