// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the agent and its sound process say to each other, and how: each message is an array of variants,
// serialised by GLib. Both ends are the same file of the same version; a message that is not understood
// is an error of the program and not of a person. Next: `SoundSupervisor.swift`, which decides what is said.

import Scheduling
import System

/// What is to be done with the sound, or with the output's volume.
nonisolated enum SoundCommand: Equatable, Sendable {
  case prime(Player.Request)
  /// `asked` is the reading of the boot clock when it was asked for, `fadedFor` how long it had been
  /// ringing by then.
  case play(Player.Request, asked: Duration, fadedFor: Duration)
  case stop
  case raise(VolumeLift.Target, asked: Duration)
  case letGo
  case restore
}

/// A command, or what the process reports of the last one: a report of the player's or, with nothing left
/// to do, nil.
nonisolated struct SoundMessage<Body: Field> {
  /// That of the command, which each report repeats.
  var number: Int
  var body: Body

  init(number: Int, body: Body) { (self.number, self.body) = (number, body) }

  init(_ bytes: [UInt8]) throws(Malformed) {
    var next = try Fields(require(Variant(bytes, type: "av")))
    (number, body) = (try next(), try next())
  }

  var bytes: [UInt8] { Variant(fields: [number, body]).bytes }
}

/// Bytes or fields that are not what is read from them.
nonisolated struct Malformed: Error {}

/// What goes into a message.
nonisolated protocol Field {
  var variant: Variant { get }
  init(_ variant: Variant) throws(Malformed)
}

/// What goes into a message as fields of its own.
nonisolated protocol Record: Field {
  var fields: [any Field] { get }
  init(_ next: inout Fields) throws(Malformed)
}

/// The fields of a record, read one after another.
nonisolated struct Fields {
  private var rest: ArraySlice<Variant>

  fileprivate init(_ variant: Variant) throws(Malformed) {
    guard case .array("v", let fields) = variant else { throw Malformed() }
    rest = fields[...]
  }

  fileprivate var isAtEnd: Bool { rest.isEmpty }

  mutating func callAsFunction<Value: Field>() throws(Malformed) -> Value {
    try Value(require(rest.popFirst()))
  }
}

nonisolated extension Record {
  var variant: Variant { Variant(fields: fields) }
  init(_ variant: Variant) throws(Malformed) {
    var next = try Fields(variant)
    try self.init(&next)
    guard next.isAtEnd else { throw Malformed() }
  }
}

nonisolated extension Variant {
  fileprivate init(fields: [any Field]) {
    self = .array(of: "v", fields.map { .boxed($0.variant) })
  }
}

private nonisolated func require<Value>(_ value: Value?) throws(Malformed) -> Value {
  guard let value else { throw Malformed() }
  return value
}

// MARK: - Commands

nonisolated extension SoundCommand: Record {
  var fields: [any Field] {
    switch self {
    case .prime(let request): ["prime", request]
    case .play(let request, let asked, let fadedFor): ["play", request, asked, fadedFor]
    case .stop: ["stop"]
    case .raise(let target, let asked): ["raise", target, asked]
    case .letGo: ["let go"]
    case .restore: ["restore"]
    }
  }

  init(_ next: inout Fields) throws(Malformed) {
    self =
      switch try next() as String {
      case "prime": try .prime(next())
      case "play": try .play(next(), asked: next(), fadedFor: next())
      case "stop": .stop
      case "raise": try .raise(next(), asked: next())
      case "let go": .letGo
      case "restore": .restore
      default: throw Malformed()
      }
  }
}

nonisolated extension Player.Request: Record {
  var fields: [any Field] { [files, before, devices, volume, fadeIn, loops, length, isDiscreet] }
  init(_ next: inout Fields) throws(Malformed) {
    try self.init(
      files: next(), before: next(), devices: next(), volume: next(), fadeIn: next(), loops: next(),
      length: next(), isDiscreet: next())
  }
}

nonisolated extension VolumeLift.Target: Record {
  var fields: [any Field] { [control, stream, floor, fadeIn, elapsed] }
  init(_ next: inout Fields) throws(Malformed) {
    try self.init(
      control: next(), stream: next(), floor: next(), fadeIn: next(), elapsed: next())
  }
}

// MARK: - Reports

nonisolated extension Player.Report: Record {
  var fields: [any Field] {
    switch self {
    case .primed(let device, let file): ["primed", device, file]
    case .started(let device, let control, let file, let delay):
      ["started", device, control, file, delay]
    case .output(let output): ["output", output.control, output.stream, output.silence]
    case .unheard(let silence): ["unheard", silence]
    case .trouble(let trouble): ["trouble", trouble]
    case .finished: ["finished"]
    }
  }

  init(_ next: inout Fields) throws(Malformed) {
    self =
      switch try next() as String {
      case "primed": try .primed(device: next(), file: next())
      case "started":
        try .started(device: next(), control: next(), file: next(), delay: next())
      case "output": try .output(Output(control: next(), stream: next(), silence: next()))
      case "unheard": try .unheard(next())
      case "trouble": try .trouble(next())
      case "finished": .finished
      default: throw Malformed()
      }
  }
}

nonisolated extension OutputStream: Record {
  var fields: [any Field] { [index, channels] }
  init(_ next: inout Fields) throws(Malformed) {
    try self.init(index: next(), channels: next())
  }
}

nonisolated extension Output.Silence: Record {
  var fields: [any Field] {
    switch self {
    case .dummy: ["dummy"]
    case .streamMuted: ["stream"]
    case .muted(let name): ["muted", name]
    }
  }

  init(_ next: inout Fields) throws(Malformed) {
    self =
      switch try next() as String {
      case "dummy": .dummy
      case "stream": .streamMuted
      case "muted": try .muted(next())
      default: throw Malformed()
      }
  }
}

nonisolated extension Player.Trouble: Record {
  var fields: [any Field] {
    switch self {
    case .file(.unreadable(let path, let error)): ["unreadable", path, error.call, error.code]
    case .file(.notAFile(let path)): ["no file", path]
    case .file(.empty(let path)): ["empty", path]
    case .file(.silent(let path)): ["silent", path]
    case .file(.undecodable(let path, let text)): ["undecodable", path, text]
    case .file(.unsuitable(let path, let rate, let channels)): ["rate", path, rate, channels]
    case .device(let name, .unavailable(let failure)): ["unavailable", name, failure]
    case .device(let name, .unsuitable(let failure)): ["unsuitable", name, failure]
    case .device(let name, .interrupted(let failure)): ["interrupted", name, failure]
    case .device(let name, .lost(let failure)): ["lost", name, failure]
    case .stalled(let name): ["stalled", name]
    case .hung(.queue): ["hung", ""]
    case .hung(.device(let name)): ["hung device", name]
    case .hung(.file(let path)): ["hung file", path]
    case .crashed: ["crashed", ""]
    }
  }

  init(_ next: inout Fields) throws(Malformed) {
    let (kind, name) = (try next() as String, try next() as String)
    self =
      switch kind {
      case "unreadable": try .file(.unreadable(path: name, SystemError(next(), code: next())))
      case "no file": .file(.notAFile(path: name))
      case "empty": .file(.empty(path: name))
      case "silent": .file(.silent(path: name))
      case "undecodable": try .file(.undecodable(path: name, text: next()))
      case "rate": try .file(.unsuitable(path: name, rate: next(), channels: next()))
      case "unavailable": try .device(name, .unavailable(next()))
      case "unsuitable": try .device(name, .unsuitable(next()))
      case "interrupted": try .device(name, .interrupted(next()))
      case "lost": try .device(name, .lost(next()))
      case "stalled": .stalled(name)
      case "hung": .hung(.queue)
      case "crashed": .crashed
      case "hung device": .hung(.device(name))
      case "hung file": .hung(.file(name))
      default: throw Malformed()
      }
  }
}

nonisolated extension ALSAFailure: Record {
  var fields: [any Field] { [call, code, text] }
  init(_ next: inout Fields) throws(Malformed) {
    try self.init(call: next(), code: next(), text: next())
  }
}

// MARK: - Values

nonisolated extension Field where Self: FixedWidthInteger {
  var variant: Variant { .int64(Int64(self)) }
  init(_ variant: Variant) throws(Malformed) {
    self = try require(variant.int64.flatMap { Self(exactly: $0) })
  }
}

nonisolated extension Int: Field {}
nonisolated extension Int64: Field {}
nonisolated extension Int32: Field {}
nonisolated extension UInt32: Field {}

nonisolated extension Bool: Field {
  var variant: Variant { .boolean(self) }
  init(_ variant: Variant) throws(Malformed) { self = try require(variant.boolean) }
}

nonisolated extension String: Field {
  var variant: Variant { .string(self) }
  init(_ variant: Variant) throws(Malformed) { self = try require(variant.string) }
}

nonisolated extension Duration: Field {
  var variant: Variant { .int64(wholeMicroseconds) }
  init(_ variant: Variant) throws(Malformed) { self = .microseconds(try Int64(variant)) }
}

nonisolated extension Array: Field where Element: Field {
  var variant: Variant { Variant(fields: self) }
  init(_ variant: Variant) throws(Malformed) {
    self = []
    var next = try Fields(variant)
    while !next.isAtEnd { append(try next()) }
  }
}

nonisolated extension Optional: Field where Wrapped: Field {
  var variant: Variant { (map { [$0] } ?? []).variant }
  init(_ variant: Variant) throws(Malformed) {
    var next = try Fields(variant)
    self = next.isAtEnd ? nil : try next() as Wrapped
  }
}
