// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the agent tells `belfry-sound`, and the fields of that and of the reports that come back.
// Next: `SoundSupervisor.swift`, which decides what is said.

import Scheduling
import System

/// What is to be done with the sound, or with the output's volume.
package nonisolated enum SoundCommand: Equatable, Sendable {
  case prime(SoundRequest, SoundDevice)
  /// `asked` is the reading of the boot clock when it was asked for, `fadedFor` how long it had
  /// been ringing by then.
  case play(SoundRequest, SoundDevice, asked: Duration, fadedFor: Duration)
  case stop
  case raise(VolumeTarget, asked: Duration)
  case restore
  case answer(SoundQuestion)
}

/// What the doctor wants to know.
package nonisolated enum SoundQuestion: Equatable, Sendable {
  /// Whether a device plays: it is given a second of silence. Answered with `.output` or
  /// `.trouble`.
  case device(String)
  /// How loud the sound file at a path is. Answered with `.peak` or `.trouble`.
  case file(String)
  /// What an output is set to. Answered with `.level` or `.trouble`.
  case level(String)
}

nonisolated extension SoundCommand: Record {
  package var fields: [any Field] {
    switch self {
    case .prime(let request, let device): ["prime", request, device]
    case .play(let request, let device, let asked, let fadedFor):
      ["play", request, device, asked, fadedFor]
    case .stop: ["stop"]
    case .raise(let target, let asked): ["raise", target, asked]
    case .restore: ["restore"]
    case .answer(.device(let name)): ["device", name]
    case .answer(.file(let path)): ["file", path]
    case .answer(.level(let control)): ["level", control]
    }
  }

  package init(_ next: inout Fields) throws(Malformed) {
    self =
      switch try next() as String {
      case "prime": try .prime(next(), next())
      case "play": try .play(next(), next(), asked: next(), fadedFor: next())
      case "stop": .stop
      case "raise": try .raise(next(), asked: next())
      case "restore": .restore
      case "device": try .answer(.device(next()))
      case "file": try .answer(.file(next()))
      case "level": try .answer(.level(next()))
      default: throw Malformed()
      }
  }
}

nonisolated extension SoundRequest: Record {
  package var fields: [any Field] {
    [files, before, devices, volume, fadeIn, loops, length, isDiscreet]
  }
  package init(_ next: inout Fields) throws(Malformed) {
    try self.init(
      files: next(), before: next(), devices: next(), volume: next(), fadeIn: next(), loops: next(),
      length: next(), isDiscreet: next())
  }
}

nonisolated extension SoundDevice: Record {
  package var fields: [any Field] {
    switch self {
    case .named(let name): ["named", name]
    case .spare(let number): ["spare", number]
    }
  }

  package init(_ next: inout Fields) throws(Malformed) {
    self =
      switch try next() as String {
      case "named": try .named(next())
      case "spare": try .spare(next())
      default: throw Malformed()
      }
  }
}

nonisolated extension VolumeTarget: Record {
  package var fields: [any Field] { [control, stream, floor, fadeIn, elapsed] }
  package init(_ next: inout Fields) throws(Malformed) {
    try self.init(
      control: next(), stream: next(), floor: next(), fadeIn: next(), elapsed: next())
  }
}

// MARK: - Reports

nonisolated extension SoundReport: Record {
  package var fields: [any Field] {
    switch self {
    case .primed(let device, let file): ["primed", device, file]
    case .started(let device, let control, let file, let delay):
      ["started", device, control, file, delay]
    case .output(let output): ["output", output.control, output.stream, output.silence]
    case .unheard(let silence): ["unheard", silence]
    case .trouble(let trouble): ["trouble", trouble]
    case .finished: ["finished"]
    case .alive: ["alive"]
    case .raised: ["raised"]
    case .stopped: ["stopped"]
    case .rest: ["rest"]
    case .peak(let peak): ["peak", peak]
    case .level(let level): ["level", level]
    }
  }

  package init(_ next: inout Fields) throws(Malformed) {
    self =
      switch try next() as String {
      case "primed": try .primed(device: next(), file: next())
      case "started":
        try .started(device: next(), control: next(), file: next(), delay: next())
      case "output": try .output(Output(control: next(), stream: next(), silence: next()))
      case "unheard": try .unheard(next())
      case "trouble": try .trouble(next())
      case "finished": .finished
      case "alive": .alive
      case "raised": .raised
      case "stopped": .stopped
      case "rest": .rest
      case "peak": try .peak(next())
      case "level": try .level(next())
      default: throw Malformed()
      }
  }
}

nonisolated extension OutputStream: Record {
  package var fields: [any Field] { [index, channels] }
  package init(_ next: inout Fields) throws(Malformed) {
    try self.init(index: next(), channels: next())
  }
}

nonisolated extension OutputLevel: Record {
  package var fields: [any Field] { [percent, isMuted, element] }
  package init(_ next: inout Fields) throws(Malformed) {
    try self.init(percent: next(), isMuted: next(), element: next())
  }
}

nonisolated extension Output.Silence: Record {
  package var fields: [any Field] {
    switch self {
    case .dummy: ["dummy"]
    case .streamMuted: ["stream"]
    case .muted(let name): ["muted", name]
    }
  }

  package init(_ next: inout Fields) throws(Malformed) {
    self =
      switch try next() as String {
      case "dummy": .dummy
      case "stream": .streamMuted
      case "muted": try .muted(next())
      default: throw Malformed()
      }
  }
}

nonisolated extension SoundTrouble: Record {
  package var fields: [any Field] {
    switch self {
    case .file(.unreadable(let path, let error)): ["unreadable", path, error.call, error.code]
    case .file(.notAFile(let path)): ["no file", path]
    case .file(.empty(let path)): ["empty", path]
    case .file(.silent(let path)): ["silent", path]
    case .file(.undecodable(let path, let text)): ["undecodable", path, text]
    case .file(.unsuitable(let path, let rate, let channels)): ["rate", path, rate, channels]
    case .slowFile(let path): ["slow", path]
    case .device(let name, .unavailable(let failure)): ["unavailable", name, failure]
    case .device(let name, .unsuitable(let failure)): ["unsuitable", name, failure]
    case .device(let name, .interrupted(let failure)): ["interrupted", name, failure]
    case .device(let name, .lost(let failure)): ["lost", name, failure]
    case .stalled(let name): ["stalled", name]
    case .hung(let name): ["hung", name]
    case .crashed: ["crashed", ""]
    case .notStarted(let reason): ["not started", reason]
    case .mixer(let failure): ["mixer", "", failure]
    }
  }

  package init(_ next: inout Fields) throws(Malformed) {
    let (kind, name) = (try next() as String, try next() as String)
    self =
      switch kind {
      case "unreadable": try .file(.unreadable(path: name, SystemError(next(), code: next())))
      case "no file": .file(.notAFile(path: name))
      case "empty": .file(.empty(path: name))
      case "silent": .file(.silent(path: name))
      case "undecodable": try .file(.undecodable(path: name, text: next()))
      case "rate": try .file(.unsuitable(path: name, rate: next(), channels: next()))
      case "slow": .slowFile(name)
      case "unavailable": try .device(name, .unavailable(next()))
      case "unsuitable": try .device(name, .unsuitable(next()))
      case "interrupted": try .device(name, .interrupted(next()))
      case "lost": try .device(name, .lost(next()))
      case "stalled": .stalled(name)
      case "hung": .hung(name)
      case "crashed": .crashed
      case "not started": .notStarted(name)
      case "mixer": try .mixer(next())
      default: throw Malformed()
      }
  }
}

nonisolated extension ALSAFailure: Record {
  package var fields: [any Field] { [call, code, text] }
  package init(_ next: inout Fields) throws(Malformed) {
    try self.init(call: next(), code: next(), text: next())
  }
}
