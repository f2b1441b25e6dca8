// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that messages between the agent and its sound process arrive unchanged.

import Scheduling
import Testing

@testable import Sound
@testable import System

nonisolated struct SoundMessageTests {
  nonisolated static let request = SoundRequest(
    files: ["/a b/\n.flac", "ü"], devices: ["default", "plug:'x'"], volume: 70,
    fadeIn: .seconds(30), loops: false)
  nonisolated static let failure = ALSAFailure(call: "snd_pcm_open", code: -2, text: "No such file")

  private func returned<Body: Codable>(_ body: Body) throws -> SoundMessage<Body> {
    try SoundMessage(SoundMessage(number: 7, body: body).bytes)
  }

  @Test(arguments: [
    SoundCommand.prime(request, .named("default")), .prime(SoundRequest(files: []), .spare(3)),
    .play(asked: .seconds(1000), fadedFor: .microseconds(1)), .stop,
    .raise(
      VolumeTarget(Output(control: "hw:0"), floor: 40, fadeIn: .seconds(5), elapsed: .zero),
      asked: .microseconds(-3)),
    .raise(
      VolumeTarget(
        Output(control: "sink:a b", stream: OutputStream(index: 7, channels: 2)), floor: 40,
        fadeIn: .zero, elapsed: .zero), asked: .zero),
    .restore, .answer(.device("d")), .answer(.spare), .answer(.file("/f")), .answer(.level("hw:0")),
  ])
  func `a command arrives unchanged`(_ command: SoundCommand) throws {
    let message = try returned(command)
    #expect(message.body == command && message.number == 7)
  }

  @Test(arguments: [
    SoundReport.primed(device: "default", file: nil), .primed(device: "", file: "/a"),
    .started(device: "d", control: "hw:1", file: "/a"), .heard(delay: .milliseconds(3)), .finished,
    .output(Output(control: "sink:a", stream: OutputStream(index: .max, channels: nil))),
    .output(Output(control: "hw:0", silence: .muted("Speakers"))), .unheard(.dummy),
    .unheard(.streamMuted), .unheard(nil), .alive, .raised, .stopped, .rest, .peak(0.5),
    .level(nil), .level(OutputLevel(percent: 40, isMuted: true, element: "Master")),
  ])
  func `a report arrives unchanged`(_ report: SoundReport) throws {
    let message = try returned(report)
    #expect(message.body == report && message.number == 7)
  }

  @Test(arguments: [
    SoundTrouble.file(.unreadable(path: "/a", SystemError("open", code: 13))),
    .file(.notAFile(path: "/")), .file(.empty(path: "/e")), .file(.silent(path: "/s")),
    .file(.undecodable(path: "/u", text: "no")),
    .file(.unsuitable(path: "/r", rate: 1, channels: 99)),
    .device("d", .unavailable(failure)), .device("d", .unsuitable(failure)),
    .device("d", .misconfigured(failure, file: "/a")), .device("d", .interrupted(failure)),
    .device("d", .lost(failure)), .stalled("s"), .hung("d"), .slowFile("/f"), .crashed,
    .notStarted("no"), .mixer(failure),
  ])
  func `a report of trouble arrives unchanged`(_ trouble: SoundTrouble) throws {
    #expect(try returned(SoundReport.trouble(trouble)).body == .trouble(trouble))
  }

  @Test func `a request with more paths than a packet can hold contains only the first paths`()
    throws
  {
    let paths = (0..<5000).map { String(repeating: "x", count: 100) + String($0) }
    let (sender, receiver) = try PacketSocket.pair()
    let command = SoundCommand.prime(SoundRequest(files: paths), .named("default"))
    #expect(sender.send(SoundMessage(number: 1, body: command).bytes))
    guard case .packet(let bytes) = receiver.receive(within: .zero),
      case .prime(let request, _) = try SoundMessage<SoundCommand>(bytes).body
    else { throw Malformed() }
    #expect(request.files.count > 900 && request.files == Array(paths.prefix(request.files.count)))
  }

  @Test func `data that is not a whole message is refused`() throws {
    func expectRefused(_ bytes: [UInt8]) {
      #expect(throws: Malformed.self) { try SoundMessage<SoundCommand>(bytes) }
      #expect(throws: Malformed.self) { try SoundMessage<SoundReport>(bytes) }
    }
    for bytes in [[], [0], Array("prime".utf8), [UInt8](repeating: 255, count: 300)] {
      expectRefused(bytes)
    }
    // Values of this type can be encoded like messages, but they are not messages.
    enum Other: Codable {
      case prime, sing
      case trouble(String)
    }
    for other in [Other.prime, .sing, .trouble("odd")] {
      expectRefused(SoundMessage(number: 1, body: other).bytes)
    }
    expectRefused(SoundMessage(number: 1, body: 2).bytes)
    // A message that is cut short must be refused, at whatever byte it ends.
    let whole = SoundMessage(number: 1, body: SoundCommand.prime(Self.request, .spare(1))).bytes
    for count in whole.indices { expectRefused(Array(whole.prefix(count))) }
  }
}
