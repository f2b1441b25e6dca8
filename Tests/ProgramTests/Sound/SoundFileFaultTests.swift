// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests alarms whose sound files are missing, damaged or silent: another sound plays on time, and
// the notification names the file. `SoundFileTests.swift` in ShellTests tests everything that may
// be wrong with a file. `SoundFaultTests.swift` tests sound servers that fail.

import Foundation
import Lab
import Testing

@Suite(.realServersFirst) struct SoundFileFaultTests {
  /// Each case has shell commands that make `broken.wav` in the current folder, and the text about
  /// this file in the notification. If the text is empty, the file is damaged but can be played.
  static let files = [
    ("true", #"There is no sound "~/b0/broken.wav"; Carillon plays instead."#),
    ("touch broken.wav", "broken.wav holds no sound."),
    ("mkfifo broken.wav", "broken.wav is not a file."),
    ("head -c 100000 /dev/urandom >broken.wav", "is no sound that can be played:"),
    ("sox -n -r8k broken.wav trim 0 2", "broken.wav holds nothing but silence."),
    ("head -c 50000 ../low.wav >broken.wav", ""),
  ]

  @Test func `belfry sounds play skips a device that fails or hangs, and fails if none is left`()
    throws
  {
    let desk = try Desk()
    let server = try SecondSoundServer(desk.lab)
    server.hang()
    defer { server.goOn() }
    try desk.lab.run("sox", "-n", "-r8k", "beep.wav", "synth", "0.3", "sine", "440")
    let beep = desk.lab.home.appendingPathComponent("beep.wav").path
    for device in ["hw:9", "second"] {
      try desk.saveText("[agent]\ndevice = [\"\(device)\", \"default\"]\n")
      let asked = Lab.now
      #expect(try desk.belfry("sounds play \(beep)").status == 0)
      #expect(try desk.lab.recorder.waitForSound(after: asked) < asked + 7)
    }
    try desk.saveText("[agent]\ndevice = [\"hw:8\", \"hw:9\"]\n")
    let done = try desk.belfry("sounds play \(beep)")
    #expect(done.status == 1)
    #expect(done.errors.hasPrefix("belfry: The sound device hw:9 cannot be opened"), "\(done)")
  }

  @Test
  func `an alarm whose sound file cannot be played rings on time, and its notification says why`()
    throws
  {
    let desk = try Desk()
    // Make all files before the agent looks for them. It does so some time before each ring.
    for (index, (commands, _)) in Self.files.enumerated() {
      try desk.lab.run("sh", "-c", "mkdir b\(index); cd b\(index); \(commands)")
    }
    try desk.startAgent()
    for (index, (commands, complaint)) in Self.files.enumerated() {
      let second = Second.ahead(3)
      try desk.save(
        Desk.alarm(
          "a\(index)", at: second, "label = \"\(index)\"",
          "sound = \"~/b\(index)/broken.wav\""))
      let due = second.epoch
      #expect(
        isOnSecond(try desk.lab.recorder.waitForSound(after: due - 1), due),
        "\(commands)")
      let posted = try desk.lab.busWatch.waitForNotification {
        $0.title == "\(index)" && (complaint.isEmpty || $0.body.contains(complaint))
      }
      #expect(isOnSecond(posted.time, due), "\(commands)")
      try desk.belfry("stop")
      try desk.lab.recorder.waitForSilence()
    }
  }
}
