// SPDX-License-Identifier: GPL-3.0-or-later
//
// One table of methods, from which come the interface's XML, by which GDBus checks the arguments of a
// call, and what answers it. The methods themselves are in `BusService.swift`, `BusEdits.swift` and
// `BusTimers.swift`.

import Bus
import Presentation
import System

/// Why a call cannot be done, on its way to the caller.
nonisolated struct Refusal: Error {
  var failure: BusInterface.Failure
  var message: String
  init(_ failure: BusInterface.Failure, _ message: String) {
    (self.failure, self.message) = (failure, message)
  }
}

/// A method of `org.belfry.Belfry1`.
struct BusMethod {
  typealias Answer = (Bus.Call, Agent) throws(Refusal) -> Void

  var name: String
  /// What it takes and gives, each as a type and a name: `s id, x seconds`.
  var takes: String
  var gives: String
  /// Whether it is answered once what is in the config now has been taken in. What answers a ring waits
  /// for nothing.
  var waits: Bool
  /// For whoever writes a client.
  var about: String?
  var answer: Answer

  init(
    _ name: String, takes: String = "", gives: String = "", waits: Bool = true,
    _ about: String? = nil, answer: @escaping Answer
  ) {
    (self.name, self.takes, self.gives, self.waits) = (name, takes, gives, waits)
    (self.about, self.answer) = (about, answer)
  }

  /// In an interface's XML.
  var xml: String {
    let arguments = Self.arguments(takes, "in") + Self.arguments(gives, "out")
    let method =
      arguments.isEmpty
      ? ["    <method name=\"\(name)\"/>"]
      : ["    <method name=\"\(name)\">"] + arguments + ["    </method>"]
    return ((about.map { [Self.comment($0, indent: "    ")] } ?? []) + method)
      .joined(separator: "\n")
  }

  private static func arguments(_ list: String, _ direction: String) -> [String] {
    list.split(separator: ",").map { argument in
      let words = argument.split(separator: " ")
      return "      <arg name=\"\(words[1])\" type=\"\(words[0])\" direction=\"\(direction)\"/>"
    }
  }

  /// On one line where it has one.
  static func comment(_ text: String, indent: String) -> String {
    let lines = text.split(separator: "\n")
    guard lines.count > 1 else { return "\(indent)<!-- \(text) -->" }
    return (["\(indent)<!--"] + lines.map { "\(indent)  \($0)" } + ["\(indent)-->"])
      .joined(separator: "\n")
  }
}

extension Bus.Call {
  /// The first argument, where that is a text, and where it is a list of them.
  nonisolated var text: String { arguments.first?.string ?? "" }
  nonisolated var texts: [String] { arguments.first?.strings ?? [] }

  func uint32(_ place: Int) -> UInt32? {
    guard case .uint32(let number)? = arguments.dropFirst(place).first else { return nil }
    return number
  }

  func fail(_ failure: BusInterface.Failure, _ message: String) {
    fail(failure.errorName, message)
  }
}
