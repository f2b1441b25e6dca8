// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what Belfry says at once about a sound that cannot be played, and `belfry sounds add`,
// which makes a sound of it. Also tests how sounds are found by name.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct SoundsAddTests {
  /// Makes a file that libsndfile cannot read, in the format of ringtones of iPhones.
  private func ringtone(_ desk: Desk, _ path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    try desk.lab.run("mkdir", "-p", "./" + folder)
    let done = try desk.lab.run(
      "ffmpeg", "-v", "error", "-i", "low.wav", "-t", "1", "-c:a", "aac", "-f", "ipod", path)
    try #require(done.status == 0, "\(done)")
  }

  @Test func `who names a sound that cannot be played is warned, with the command that helps`()
    throws
  {
    let desk = try Desk(Lab())
    try ringtone(desk, "Music/My Tune.m4a")
    let path = desk.lab.home.path + "/Music/My Tune.m4a"
    let fix = "belfry sounds add '\(path)'"
    let words = "is no sound that can be played: Format not recognised"
    let added = try desk.belfry(["add", "7:30", "--id", "a", "--sound", path])
    #expect(added.status == 0)
    #expect(added.errors.contains("Tune.m4a\" \(words)\nhint: to convert it: \(fix)\n"), "\(added)")
    let edited = try desk.belfry(["edit", "a", "--sound", "Music/My Tune.m4a"])
    #expect(edited.errors.contains(fix), "\(edited)")
    let checked = try desk.belfry("config check")
    #expect(checked.status == 0 && checked.errors.contains("warning: "), "\(checked)")
    #expect(checked.errors.contains(words) && checked.errors.contains(fix), "\(checked)")
    let doctor = try desk.belfry("doctor").output
    #expect(doctor.contains(words) && doctor.contains(fix), "\(doctor)")
    let uri = "file://" + path.replacing(" ", with: "%20")
    try desk.lab.write(
      "[org/gnome/clocks]\nalarms=[{'name': <'Early'>, 'hour': <6>, 'minute': <30>, "
        + "'sound_uri': <'\(uri)'>}]\n", to: ".config/glib-2.0/settings/keyfile")
    let imported = try desk.belfry("import gnome-clocks").output
    #expect(imported.contains("sound = \"\(path)\""), "\(imported)")
    #expect(imported.contains("# Early: ") && imported.contains(fix), "\(imported)")
    #expect(try !desk.belfry(["add", "8:00", "--sound", "low.wav"]).errors.contains("sound"))
  }

  @Test func `an address is no sound, and the hint says what to do; a file URI is a path`() throws {
    let desk = try Desk(Lab())
    let address = "https://example.org/a.mp3"
    let words = "\"\(address)\" is an address, and Belfry reads only files\n"
    let hint = "hint: save the file and name its path\n"
    for command in ["add 7:30 --sound", "sounds play", "sounds add", "config check"] {
      let said = try desk.belfry(command + (command == "config check" ? "" : " \(address)"))
      #expect(said.errors.contains(words + hint), "\(command): \(said)")
    }
    let added = try desk.belfry("add 8:00 --id b --sound file://\(desk.lab.home.path)/low.wav")
    #expect(try !added.errors.contains("sound") && desk.text.contains("\"~/low.wav\""))
  }

  @Test func `the agent says that a sound cannot be played, until it can`() throws {
    let desk = try Desk(Lab(.bus))
    try ringtone(desk, "tune.m4a")
    _ = try desk.startAgent()
    try desk.saveText("[[alarm]]\nid = \"a\"\ntime = 07:30\nsound = \"~/tune.m4a\"\n")
    try desk.waitForStatus("the sound to be judged") { status in
      status.agent.problems.contains { $0.contains("is no sound that can be played") }
    }
    try desk.lab.run("cp", "low.wav", "tune.m4a")
    try desk.saveText("[[alarm]]\nid = \"a\"\ntime = 07:31\nsound = \"~/tune.m4a\"\n")
    try desk.waitForStatus("the new sound to be judged") { $0.agent.problems.isEmpty }
  }

  @Test func `a sound is copied or converted, checked, and then known by its name`() throws {
    let desk = try Desk(Lab())
    let sounds = desk.lab.home.path + "/.local/share/belfry/sounds"
    try ringtone(desk, "tune.M4R")
    let converted = try desk.belfry("sounds add tune.M4R --name Xylophone --json")
    #expect(converted.status == 0 && converted.errors == "", "\(converted)")
    #expect(converted.output.contains("\"path\": \"\(sounds)/Xylophone.ogg\""), "\(converted)")
    #expect(converted.output.contains("\"converted\": true"))
    let copied = try desk.belfry("sounds add low.wav")
    #expect(
      copied.output
        == "copied to \(sounds)/low.wav\nto use it: belfry add 7:30 --sound low\n", "\(copied)")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: sounds + "/low.wav"))
        == Data(contentsOf: desk.lab.home.appendingPathComponent("low.wav")))
    #expect(try FileManager.default.contentsOfDirectory(atPath: sounds).count == 2)
    let added = try desk.belfry("add 7:30 --sound Xylophone")
    #expect(added.status == 0 && !added.errors.contains("Xylophone"), "\(added)")
    #expect(try desk.text.contains("sound = \"Xylophone\""))
    #expect(try desk.belfry("config check").errors == "")

    // An ending that Belfry does not look for is converted, though libsndfile reads the format.
    try desk.lab.run("sox", "low.wav", "low.aiff")
    #expect(try desk.belfry("sounds add low.aiff --name Aiff").output.contains("/Aiff.ogg\n"))
  }

  @Test func `what is no sound is refused, and nothing is left`() throws {
    let desk = try Desk(Lab())
    try ringtone(desk, "tune.m4a")
    try desk.lab.run("sox", "-n", "-r8k", "still.wav", "trim", "0", "2")
    try desk.lab.write("no sound at all", to: "text.m4a")
    try desk.lab.run("mkdir", "folder")
    for (line, status, words) in [
      ("gone.ogg", 1, "gone.ogg cannot be read: No such file"), ("folder", 1, "is not a file"),
      ("still.wav", 1, "holds nothing but silence"), ("text.m4a", 1, "ffmpeg cannot convert \""),
      ("low.wav --name a/b", 64, "\"a/b\" cannot be the name of a sound"),
      ("low.wav --name .a", 64, "cannot be the name of a sound"),
      ("low.wav --name Carillon", 1, "there is already a sound \"Carillon\""),
    ] {
      let done = try desk.belfry("sounds add \(line)")
      #expect(Int(done.status) == status && done.errors.contains(words), "\(line): \(done)")
    }
    let without = try desk.belfry("sounds add tune.m4a", environment: ["PATH": Lab.programs.path])
    #expect(
      without.status == 1 && without.errors.contains("install the package ffmpeg"), "\(without)")
    let folder = desk.lab.home.path + "/.local/share/belfry/sounds"
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test func `a sound is found by its file name here, and by an ending in capitals`() throws {
    let desk = try Desk(Lab())
    try desk.lab.run("cp", "low.wav", "rooster.wav")
    let added = try desk.belfry("add 7:30 --sound rooster.wav")
    #expect(added.status == 0 && !added.errors.contains("rooster"), "\(added)")
    #expect(try desk.text.contains("sound = \"~/rooster.wav\""))
    try desk.lab.run("install", "-D", "low.wav", ".local/share/belfry/sounds/LOUD.WAV")
    try desk.lab.run("install", "-D", "low.wav", ".local/share/belfry/sounds/Odd.Wav")
    let list = try desk.belfry("sounds").output
    #expect(list.contains("LOUD ") && list.contains("Odd.Wav "), "\(list)")
    for name in ["LOUD", "Odd.Wav"] {
      try desk.saveText("[[alarm]]\ntime = 07:30\nsound = \"\(name)\"\n")
      #expect(try desk.belfry("config check").errors == "", "\(name)")
    }
  }

  @Test func `a folder without sounds is named as such, and a long path keeps its end`() throws {
    let desk = try Desk(Lab())
    try ringtone(desk, "Ringtones/in.m4a")
    try desk.saveText("[[alarm]]\ntime = 07:30\nsound = \"~/Ringtones\"\n")
    let errors = try desk.belfry("config check").errors
    #expect(errors.contains("there is no sound in the folder \"~/Ringtones\"\n"), "\(errors)")
    #expect(errors.contains("flac, oga, ogg, opus, wav, mp3"), "\(errors)")
    let played = try desk.belfry("sounds play ~/Ringtones")
    #expect(played.status == 1 && played.errors.contains("no sound in the folder"), "\(played)")
    let long = "~/" + String(repeating: "folder/", count: 20) + "rooster.ogg"
    try desk.saveText("[[alarm]]\ntime = 07:30\nsound = \"\(long)\"\n")
    let missing = try desk.belfry("config check").errors
    #expect(missing.contains("no sound is called \"~/folder/"), "\(missing)")
    #expect(missing.contains("/rooster.ogg\""), "\(missing)")
  }
}
