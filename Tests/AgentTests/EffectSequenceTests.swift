// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests in which order a sequence carries out its effects, how long it waits until the state has
// been saved, and when it reports its end. `OrderTests.swift` in SchedulingTests tests the order
// that the core gives.

import Scheduling
import System
import Testing

@testable import Agent

@MainActor struct EffectSequenceTests {
  /// The steps of a sequence so far: an effect that was carried out, `persist` for a save that was
  /// begun, `end` or, after an error, `failure`.
  private final class Log {
    var steps: [String] = []
    /// The saves that have not ended. Each is called with its error, or with nil.
    var saves: [(FileError?) -> Void] = []
  }

  private let log = Log()

  private func sequence(_ effects: Effect...) -> EffectSequence {
    EffectSequence(
      effects, carryOut: { [log] in log.steps.append("\($0)") },
      save: { [log] in
        log.steps.append("persist")
        log.saves.append($0)
      },
      then: { [log] in log.steps.append($1 == nil ? "end" : "failure") })
  }

  private func endSave(_ problem: FileError? = nil) { log.saves.removeFirst()(problem) }

  /// Runs the main loop until the sequence has done `count` steps, or for five seconds at most.
  private func wait(forSteps count: Int) {
    let deadline = ContinuousClock.now + .seconds(5)
    while log.steps.count < count, ContinuousClock.now < deadline {
      let tick = MainLoop.after(.milliseconds(5)) { MainLoop.quit() }
      MainLoop.run()
      withExtendedLifetime(tick) {}
    }
  }

  @Test func `effects after a save wait until the state is on the disk`() {
    sequence(.sound, .persist, .tray, .persist, .changed).goOn()
    #expect(log.steps == ["sound", "persist"])
    endSave()
    #expect(log.steps == ["sound", "persist", "tray", "persist"])
    endSave()
    #expect(log.steps == ["sound", "persist", "tray", "persist", "changed", "end"])
  }

  @Test func `without a save, the sequence ends at once`() {
    sequence(.sound, .tray).goOn()
    #expect(log.steps == ["sound", "tray", "end"])
  }

  @Test func `if saving fails, the effects are carried out, and the end reports the error`() {
    sequence(.persist, .sound).goOn()
    endSave(.noAnswer(path: "state.toml"))
    #expect(log.steps == ["persist", "sound", "failure"])
  }

  @Test func `on a slow disk, the effects do not wait, and the end comes after the last save`() {
    sequence(.persist, .sound, .persist, .tray).goOn()
    wait(forSteps: 4)
    #expect(log.steps == ["persist", "sound", "persist", "tray"])
    endSave()
    #expect(log.steps.count == 4)
    endSave()
    #expect(log.steps == ["persist", "sound", "persist", "tray", "end"])
  }

  @Test func `at the end of the program, the remaining effects are carried out at once`() {
    let waiting = sequence(.persist, .sound, .tray)
    waiting.goOn()
    waiting.finish()
    #expect(log.steps == ["persist", "sound", "tray"])
  }
}
