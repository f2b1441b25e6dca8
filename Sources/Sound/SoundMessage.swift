// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the agent and its sound process say to each other, and how that goes over their socket: as a
// list of texts. Both are the same file of the same version; a message that is not understood is an
// error of the program and not of a person. Next: `SoundProcess.swift` and `SoundProgram.swift`.

import Scheduling
import System

/// What is to be done with the sound and the output's volume.
nonisolated enum SoundTask: Equatable, Sendable {
  case prime(Player.Request)
  /// `asked` is the reading of the boot clock when it was asked for, `fadedFor` how long it had been
  /// ringing by then.
  case play(Player.Request, asked: Duration, fadedFor: Duration)
  case stop
  case raise(VolumeLift.Wish, asked: Duration)
  case letGo
  case restore
}

/// Counts the requests that a sequence of tasks is about, so that what is said of one is not taken as
/// said of the next. Both sides count.
nonisolated struct SoundCourse {
  private(set) var number = 0
  private var request: Player.Request?

  mutating func take(_ task: SoundTask) {
    switch task {
    case .prime(let new), .play(let new, _, _):
      if new != request { (request, number) = (new, number + 1) }
    case .stop: (request, number) = (nil, number + 1)
    case .raise, .letGo, .restore: break
    }
  }
}

/// What the process says.
nonisolated enum SoundNews: Equatable, Sendable {
  /// Of the request that `SoundCourse` gives this number.
  case report(Player.Report, of: Int)
  /// Nothing is played or made ready, and the volume is as it was found.
  case rest
}

/// A message: texts of which none holds a NUL, as no path and no name does.
nonisolated struct Packet: Equatable {
  struct Malformed: Error {}

  private(set) var texts: [String] = []
  private var next = 0

  init(_ texts: [String]) { self.texts = texts }

  init(bytes: some Sequence<UInt8>) {
    texts = bytes.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  var bytes: [UInt8] { Array(texts.joined(separator: "\0").utf8) }

  mutating func text() throws(Malformed) -> String {
    guard next < texts.count else { throw Malformed() }
    next += 1
    return texts[next - 1]
  }

  mutating func number<Number: FixedWidthInteger>() throws(Malformed) -> Number {
    guard let number = Number(try text()) else { throw Malformed() }
    return number
  }

  mutating func duration() throws(Malformed) -> Duration { .microseconds(try number() as Int64) }

  /// As many as the number says that comes first.
  mutating func list() throws(Malformed) -> [String] {
    let count: Int = try number()
    guard count >= 0, count <= texts.count - next else { throw Malformed() }
    next += count
    return Array(texts[next - count..<next])
  }
}

nonisolated extension Duration {
  fileprivate var text: String { String(wholeMicroseconds) }
}

nonisolated extension [String] {
  /// With their number before them.
  fileprivate var counted: [String] { [String(count)] + self }
}

// MARK: - What is to be done

nonisolated extension SoundTask {
  var packet: Packet {
    switch self {
    case .prime(let request): Packet(["prime"] + request.texts)
    case .play(let request, let asked, let fadedFor):
      Packet(["play", asked.text, fadedFor.text] + request.texts)
    case .stop: Packet(["stop"])
    case .raise(let wish, let asked):
      Packet(
        ["raise", asked.text, wish.control, "\(wish.floor)", wish.fadeIn.text, wish.elapsed.text]
          + OutputStream.texts(wish.stream))
    case .letGo: Packet(["let go"])
    case .restore: Packet(["restore"])
    }
  }

  init(_ packet: Packet) throws(Packet.Malformed) {
    var packet = packet
    switch try packet.text() {
    case "prime": self = .prime(try Player.Request(&packet))
    case "play":
      let (asked, fadedFor) = (try packet.duration(), try packet.duration())
      self = .play(try Player.Request(&packet), asked: asked, fadedFor: fadedFor)
    case "stop": self = .stop
    case "raise":
      let asked = try packet.duration()
      var wish = VolumeLift.Wish(
        control: try packet.text(), floor: try packet.number(), fadeIn: try packet.duration(),
        elapsed: try packet.duration())
      wish.stream = try OutputStream.read(&packet)
      self = .raise(wish, asked: asked)
    case "let go": self = .letGo
    case "restore": self = .restore
    default: throw Packet.Malformed()
    }
  }
}

nonisolated extension Player.Request {
  fileprivate var texts: [String] {
    files.counted + devices.counted + ["\(volume)", fadeIn.text, loops ? "1" : "0"]
  }

  fileprivate init(_ packet: inout Packet) throws(Packet.Malformed) {
    self.init(
      files: try packet.list(), devices: try packet.list(), volume: try packet.number(),
      fadeIn: try packet.duration(), loops: try packet.text() == "1")
  }
}

// MARK: - What is said

nonisolated extension SoundNews {
  var packet: Packet {
    switch self {
    case .rest: Packet(["rest"])
    case .report(let report, let number): Packet(["report", "\(number)"] + report.texts)
    }
  }

  init(_ packet: Packet) throws(Packet.Malformed) {
    var packet = packet
    switch try packet.text() {
    case "rest": self = .rest
    case "report":
      let number: Int = try packet.number()
      self = .report(try Player.Report(&packet), of: number)
    default: throw Packet.Malformed()
    }
  }
}

nonisolated extension Player.Report {
  fileprivate var texts: [String] {
    switch self {
    case .primed(let device, let file): ["primed", device] + optional(file)
    case .started(let device, let control, let file, let delay):
      ["started", device, control, delay.text] + optional(file)
    case .output(let output):
      ["output", output.control] + OutputStream.texts(output.stream)
        + Output.Silence.texts(output.silence)
    case .unheard(let silence): ["unheard"] + Output.Silence.texts(silence)
    case .finished: ["finished"]
    case .trouble(let trouble): ["trouble"] + trouble.texts
    }
  }

  fileprivate init(_ packet: inout Packet) throws(Packet.Malformed) {
    switch try packet.text() {
    case "primed": self = .primed(device: try packet.text(), file: try packet.list().first)
    case "started":
      let (device, control) = (try packet.text(), try packet.text())
      let delay = try packet.duration()
      self = .started(
        device: device, control: control, file: try packet.list().first, delay: delay)
    case "output":
      self = .output(
        Output(
          control: try packet.text(), stream: try OutputStream.read(&packet),
          silence: try Output.Silence.read(&packet)))
    case "unheard": self = .unheard(try Output.Silence.read(&packet))
    case "finished": self = .finished
    case "trouble": self = .trouble(try Player.Trouble(&packet))
    default: throw Packet.Malformed()
    }
  }

  private func optional(_ text: String?) -> [String] { [text].compactMap(\.self).counted }
}

nonisolated extension OutputStream {
  fileprivate static func texts(_ stream: OutputStream?) -> [String] {
    guard let stream else { return [String]().counted }
    return ["\(stream.index)", "\(stream.channels ?? 0)"].counted
  }

  fileprivate static func read(_ packet: inout Packet) throws(Packet.Malformed) -> OutputStream? {
    let texts = try packet.list()
    if texts.isEmpty { return nil }
    guard texts.count == 2, let index = UInt32(texts[0]), let channels = Int(texts[1]) else {
      throw Packet.Malformed()
    }
    return OutputStream(index: index, channels: channels > 0 ? channels : nil)
  }
}

nonisolated extension Output.Silence {
  fileprivate static func texts(_ silence: Output.Silence?) -> [String] {
    switch silence {
    case nil: [String]().counted
    case .dummy: ["dummy"].counted
    case .streamMuted: ["stream"].counted
    case .muted(let name): ["muted", name].counted
    }
  }

  fileprivate static func read(
    _ packet: inout Packet
  ) throws(Packet.Malformed) -> Output.Silence? {
    let texts = try packet.list()
    switch texts.first {
    case nil: return nil
    case "dummy": return .dummy
    case "stream": return .streamMuted
    case "muted" where texts.count == 2: return .muted(texts[1])
    default: throw Packet.Malformed()
    }
  }
}

nonisolated extension Player.Trouble {
  fileprivate var texts: [String] {
    switch self {
    case .file(.unreadable(let path, let error)):
      ["unreadable", path, error.call, "\(error.code)"]
    case .file(.notAFile(let path)): ["no file", path]
    case .file(.empty(let path)): ["empty", path]
    case .file(.undecodable(let path, let text)): ["undecodable", path, text]
    case .file(.unsuitable(let path, let rate, let channels)):
      ["unsuitable", path, "\(rate)", "\(channels)"]
    case .device(let name, let error): ["device", name] + error.texts
    case .stalled(let name): ["stalled", name]
    case .hung(.queue): ["hung"]
    case .hung(.device(let name)): ["hung device", name]
    case .hung(.file(let path)): ["hung file", path]
    case .crashed: ["crashed"]
    }
  }

  fileprivate init(_ packet: inout Packet) throws(Packet.Malformed) {
    switch try packet.text() {
    case "unreadable":
      let path = try packet.text()
      self = .file(
        .unreadable(path: path, SystemError(try packet.text(), code: try packet.number())))
    case "no file": self = .file(.notAFile(path: try packet.text()))
    case "empty": self = .file(.empty(path: try packet.text()))
    case "undecodable":
      self = .file(.undecodable(path: try packet.text(), text: try packet.text()))
    case "unsuitable":
      self = .file(
        .unsuitable(
          path: try packet.text(), rate: try packet.number(), channels: try packet.number()))
    case "device": self = .device(try packet.text(), try PCMError(&packet))
    case "stalled": self = .stalled(try packet.text())
    case "hung": self = .hung(.queue)
    case "hung device": self = .hung(.device(try packet.text()))
    case "hung file": self = .hung(.file(try packet.text()))
    case "crashed": self = .crashed
    default: throw Packet.Malformed()
    }
  }
}

nonisolated extension PCMError {
  fileprivate var texts: [String] {
    switch self {
    case .unavailable(let failure): ["unavailable"] + failure.texts
    case .unsuitable(let failure): ["unsuitable"] + failure.texts
    case .interrupted(let failure): ["interrupted"] + failure.texts
    case .lost(let failure): ["lost"] + failure.texts
    }
  }

  fileprivate init(_ packet: inout Packet) throws(Packet.Malformed) {
    let kind = try packet.text()
    let failure = ALSAFailure(
      call: try packet.text(), code: try packet.number(), text: try packet.text())
    switch kind {
    case "unavailable": self = .unavailable(failure)
    case "unsuitable": self = .unsuitable(failure)
    case "interrupted": self = .interrupted(failure)
    case "lost": self = .lost(failure)
    default: throw Packet.Malformed()
    }
  }
}

nonisolated extension ALSAFailure {
  fileprivate var texts: [String] { [call, "\(code)", text] }
}
