// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what the supervisor reports about whether a sound that plays can be heard: the output may
// be muted, or a dummy. `OutputTests.swift` in ProgramTests tests this with real sound servers.

import Testing

@testable import Sound

nonisolated extension SoundSupervisorTests {
  @Test func `if the sound server has only a dummy output, the next device is tried`() {
    var supervisor = Supervisor()
    let dummy = SoundReport.output(Output(control: "sink:auto_null", silence: .dummy))
    expect(
      &supervisor,
      [
        (Self.play, [Self.start]), (.started, commands(.named("one"))),
        (.reported(Self.started, of: 1), [.report(Self.started)]),
        (.reported(dummy, of: 1), [.report(dummy)]), (.check, []), (.reported(.alive, of: 1), []),
        (.check, []), (.check, [.ringBell, .kill, Self.start, .report(.unheard(.dummy))]),
        (.started, commands(.named("two"))),
      ])
  }

  @Test func `a sound counts as heard after a second on an output that is not muted`() {
    var supervisor = Supervisor()
    let muted = SoundReport.output(Output(control: "sink:lab", silence: .muted("Lab")))
    let loud = SoundReport.output(Output(control: "sink:lab"))
    expect(
      &supervisor,
      [
        (Self.play, [Self.start]), (.started, commands(.named("one"))),
        (.reported(Self.started, of: 1), [.report(Self.started)]),
        (.reported(muted, of: 1), [.report(muted)]), (.reported(.alive, of: 1), []),
        (.check, []), (.check, []), (.check, [.ringBell, .report(.unheard(.muted("Lab")))]),
        (.reported(loud, of: 1), [.report(loud)]), (.check, [.stopBell]), (.check, []),
        (.reported(.alive, of: 1), []), (.check, [.report(.unheard(nil))]), (.check, []),
        // A new process reports nothing new as long as the sound is heard.
        (Self.crash, [Self.lost, Self.start, report(.crashed)]),
        (.started, commands(.named("two"))),
        (.reported(Self.started, of: 1), [.report(Self.started)]),
        (.reported(loud, of: 1), [.report(loud)]), (.reported(.alive, of: 1), []),
        (.check, []), (.check, []), (.check, []),
      ])
  }

  @Test func `when a sound is heard, its start is reported before, if that was held back`() {
    var supervisor = Supervisor()
    let heard = SoundReport.heard(delay: .seconds(8))
    expect(
      &supervisor,
      [
        (Self.play, [Self.start]), (.started, commands(.named("one"))),
        (.reported(Self.started, of: 1), [.report(Self.started)]),
        (.check, []), (.check, []), (.check, []),
        (.check, [.kill, Self.start, report(.stalled("one"))]),
        (.started, commands(.named("two"))), (.reported(Self.started, of: 1), []),
        (.reported(heard, of: 1), [.report(Self.started), .report(heard)]),
        (.reported(heard, of: 1), [.report(heard)]),
      ])
  }

  @Test func `a sound that was never silent is reported as heard, but not before it has played`() {
    var supervisor = Supervisor()
    let loud = SoundReport.output(Output(control: "sink:lab"))
    expect(
      &supervisor,
      [
        (Self.play, [Self.start]), (.started, commands(.named("one"))),
        (.reported(Self.started, of: 1), [.report(Self.started)]),
        (.reported(loud, of: 1), [.report(loud)]), (.check, []), (.check, []), (.check, []),
        (.reported(.alive, of: 1), []), (.check, [.report(.unheard(nil))]), (.check, []),
      ])
  }
}
