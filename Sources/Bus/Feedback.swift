// SPDX-License-Identifier: GPL-3.0-or-later
//
// The vibration motor and the light of a phone, which the daemon feedbackd controls
// (`org.sigxcpu.Feedback`). If the daemon is not running or fails, nothing happens: a phone's
// session starts it. If Belfry is killed, the daemon ends the feedback itself. See the Event naming
// specification of feedbackd, and its D-Bus interface.

import System

/// Makes the phone vibrate and blink for as long as an alarm or a timer sounds.
public final class Feedback {
  private static let peer = Bus.Peer("org.sigxcpu.Feedback")

  private let bus: Bus
  private let application: String
  private var isWanted = false
  /// The daemon's number of the feedback that runs; nil if none runs, or the daemon has not
  /// answered yet.
  private var number: UInt32?
  private var isAwaited = false

  /// `application` is the desktop entry's name, under which users find Belfry in the settings of
  /// their phone.
  public init(on bus: Bus, application: String) {
    (self.bus, self.application) = (bus, application)
  }

  /// Begins the feedback if `isWanted` is true and ends it otherwise. Does nothing if it is so
  /// already.
  public func update(_ isWanted: Bool) {
    guard isWanted != self.isWanted else { return }
    self.isWanted = isWanted
    adapt()
  }

  private func adapt() {
    if isAwaited { return }
    if isWanted, number == nil {
      isAwaited = true
      // The profile `quiet` is without a sound, because Belfry plays its own. The last argument
      // repeats the feedback until it is ended.
      bus.ask(
        Self.peer, "TriggerFeedback",
        [
          .string(application), .string("alarm-clock-elapsed"),
          .dictionary(["profile": .string("quiet")]), .int32(0),
        ], gives: "u"
      ) { [weak self] answer in self?.triggered(answer.value?.uint32) }
    } else if !isWanted, let number {
      self.number = nil
      bus.ask(Self.peer, "EndFeedback", [.uint32(number)], gives: nil) { _ in }
    }
  }

  /// Handles the answer to `TriggerFeedback`; `number` is nil if there is no daemon.
  private func triggered(_ number: UInt32?) {
    (isAwaited, self.number) = (false, number)
    // If there is no daemon, it is asked again at the next ring.
    if !isWanted { adapt() }
  }
}
