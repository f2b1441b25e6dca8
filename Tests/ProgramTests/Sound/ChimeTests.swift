// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests chimes on real servers. A chime is heard on its second and is short. No chime sounds during
// a call or while "do not disturb" is on. `ChimeTests.swift` in SchedulingTests tests the times at
// which chimes strike.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ChimeTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  private func start(_ alarms: String = "") throws -> Program {
    try desk.saveText(
      Desk.defaults + alarms + "\n[[chime]]\nevery = \"6s\"\nsound = \"~/high.wav\"\n")
    return try desk.startAgent()
  }

  /// Runs the command `line`, and waits until it succeeds.
  private func run(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let program = try desk.lab.start(words[0], arguments: Array(words.dropFirst()))
    #expect(try program.waitForExit() == .status(0), "\(program.errors)")
  }

  @Test
  func `a chime strikes on its second, fades, and leaves no process, notification or history`()
    throws
  {
    let agent = try start()
    let since = Lab.now
    let heard = try desk.lab.recorder.waitForSound(after: since)
    let late = heard.truncatingRemainder(dividingBy: 6)
    #expect(late < 1.5 || late > 5.9, "\(late) s late")
    let silence = try desk.lab.recorder.waitForSilence(after: heard, lasting: 1.5)
    #expect(silence - heard < 2.3 && silence - heard > 0.8)
    #expect(abs(desk.lab.recorder.pitch(from: heard + 0.2, to: heard + 0.8) - 1000) < 30)
    try desk.wait("no sound process") { try desk.soundProcess(of: agent) == nil }
    #expect(desk.lab.busWatch.notifications(since: since).isEmpty)
    let status = try desk.status()
    #expect(status.missed.isEmpty && status.ringing.isEmpty)
    #expect(try desk.belfry("history --json").output == "[]\n")
    let told =
      try JSONSerialization.jsonObject(
        with: Data(desk.belfry("status --json").output.utf8)) as? [String: Any]
    let next = (told?["agent"] as? [String: Any])?["next_chime"] as? String
    #expect(next?.hasPrefix("20") == true)
  }

  @Test
  func `no chime strikes during a call or while a program listens to a microphone`()
    throws
  {
    try run("pactl load-module module-null-source source_name=microphone")
    // Keep the output's monitor, from which the recorder records, as the default source. Otherwise
    // PulseAudio would move the recorder to the new source, which looks like a real microphone.
    try run("pactl set-default-source lab.monitor")
    let listener = try desk.lab.start("parec", arguments: ["--device=microphone", "/dev/null"])
    let agent = try start()
    try agent.waitForErrors("a call is on: no chime")
    let quiet = Lab.now
    #expect(try desk.lab.recorder.waitForSilence(after: quiet, lasting: 2.5) - quiet < 0.2)
    listener.terminate()
    try listener.waitForExit()
    try desk.lab.recorder.waitForSound(after: quiet + 2.5)
    let call = try desk.lab.start(
      "pacat", arguments: ["--playback", "--property=media.role=phone", "/dev/zero"])
    let told = agent.errors.ranges(of: "a call is on").count
    try desk.wait("a call that is on") { agent.errors.ranges(of: "a call is on").count > told }
    call.kill()
  }

  @Test func `no chime strikes in do-not-disturb mode`() throws {
    try run("dunstctl set-paused true")
    let agent = try start()
    try agent.waitForErrors("do not disturb is set: no chime")
    let quiet = Lab.now
    #expect(try desk.lab.recorder.waitForSilence(after: quiet, lasting: 2.5) - quiet < 0.2)
    try run("dunstctl set-paused false")
    try desk.lab.recorder.waitForSound(after: quiet + 2.5)
  }
}
