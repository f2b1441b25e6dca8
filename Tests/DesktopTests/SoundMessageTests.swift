// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the agent and its sound process say to each other comes as it was said.

import Scheduling
import Testing

@testable import Sound
@testable import System

nonisolated struct SoundMessageTests {
  nonisolated static let request = Player.Request(
    files: ["/a b/\n.flac", "ü"], devices: ["default", "plug:'x'"], volume: 70,
    fadeIn: .seconds(30), loops: false)
  nonisolated static let failure = ALSAFailure(call: "snd_pcm_open", code: -2, text: "No such file")

  @Test(arguments: [
    SoundTask.prime(request), .prime(Player.Request(files: [])),
    .play(request, asked: .seconds(1000), fadedFor: .microseconds(1)), .stop,
    .raise(
      VolumeLift.Wish(control: "hw:0", floor: 40, fadeIn: .seconds(5), elapsed: .zero),
      asked: .microseconds(-3)),
    .raise(
      VolumeLift.Wish(
        control: "sink:a b", stream: OutputStream(index: 7, channels: 2), floor: 40, fadeIn: .zero,
        elapsed: .zero), asked: .zero),
    .letGo, .restore,
  ])
  func `a task`(_ task: SoundTask) throws {
    #expect(try SoundTask(Packet(bytes: task.packet.bytes)) == task)
  }

  @Test(arguments: [
    Player.Report.primed(device: "default", file: nil), .primed(device: "", file: "/a"),
    .started(device: "d", control: "hw:1", file: "/a", delay: .milliseconds(3)), .finished,
    .output(Output(control: "sink:a", stream: OutputStream(index: 7, channels: nil))),
    .output(Output(control: "hw:0", silence: .muted("Speakers"))), .unheard(.dummy),
    .unheard(.streamMuted), .unheard(nil),
  ])
  func `a report`(_ report: Player.Report) throws {
    let news = SoundNews.report(report, of: 7)
    #expect(try SoundNews(Packet(bytes: news.packet.bytes)) == news)
    #expect(try SoundNews(Packet(bytes: SoundNews.rest.packet.bytes)) == .rest)
  }

  @Test(arguments: [
    Player.Trouble.file(.unreadable(path: "/a", SystemError("open", code: 13))),
    .file(.notAFile(path: "/")), .file(.empty(path: "/e")),
    .file(.undecodable(path: "/u", text: "no")),
    .file(.unsuitable(path: "/r", rate: 1, channels: 99)),
    .device("d", .unavailable(failure)), .device("d", .unsuitable(failure)),
    .device("d", .interrupted(failure)), .device("d", .lost(failure)), .stalled("s"),
    .hung(.queue), .hung(.device("d")), .hung(.file("/f")), .crashed,
  ])
  func `a trouble`(_ trouble: Player.Trouble) throws {
    let news = SoundNews.report(.trouble(trouble), of: 0)
    #expect(try SoundNews(Packet(bytes: news.packet.bytes)) == news)
  }

  @Test(arguments: [
    [], [""], ["prime"], ["prime", "2", "/a"], ["prime", "-1"], ["raise", "x"], ["sing"],
    ["report", "1"], ["report", "1", "trouble", "device", "d", "odd", "", "0", ""],
  ])
  func `anything else is refused`(_ texts: [String]) {
    let bytes = Packet(texts).bytes
    #expect(throws: Packet.Malformed.self) { try SoundTask(Packet(bytes: bytes)) }
    #expect(throws: Packet.Malformed.self) { try SoundNews(Packet(bytes: bytes)) }
  }

  @Test func `what is said of a request that was left off is told from what is said of the next`() {
    var course = SoundCourse()
    var numbers: [Int] = []
    let other = Player.Request(files: [])
    for task in [
      SoundTask.prime(Self.request), .play(Self.request, asked: .zero, fadedFor: .zero),
      .restore, .play(other, asked: .zero, fadedFor: .zero), .stop, .prime(other),
    ] {
      course.take(task)
      numbers.append(course.number)
    }
    #expect(numbers == [1, 1, 1, 2, 3, 4])
  }
}
