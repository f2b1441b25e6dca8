// SPDX-License-Identifier: GPL-3.0-or-later
//
// Explains why a config is not TOML. toml++ only reports where it stopped. `SyntaxScanner.swift`
// looks in the broken statement for common errors. This file looks for a name that is set twice. If
// neither finds an error, the diagnostic has only a position and no explanation.

import Language
import TOML

/// An error in a statement that is not TOML, with a hint.
struct SyntaxFault: Error {
  /// The position of the error, as an index into the scanned text.
  var index: Int
  var message: Message
  var hint: Message?

  init(at index: Int, _ message: Message, hint: Message? = nil) {
    (self.index, self.message, self.hint) = (index, message, hint)
  }
}

extension Diagnostic {
  /// `bytes` must be the text in which `error` was found.
  init(file: String, notTOML error: TOMLError, in bytes: [UInt8]) {
    let place: TOMLPosition
    var message = Message("this line is not valid TOML")
    var hint: Message?
    switch error {
    case .notUTF8(let position):
      place = position
      message = Message("this is not UTF-8 text")
      hint = Message("save the file in the encoding UTF-8")
    case .syntax(let stop):
      let broken = TOMLBreak(bytes, at: stop)
      let fault = SyntaxFault.find(in: broken)
      place = fault.map { broken.position(of: $0.index) } ?? stop
      if let fault { (message, hint) = (fault.message, fault.hint) }
    }
    self.init(
      file: file, line: place.line, column: place.column, severity: .error, message: message,
      hint: hint)
  }
}

extension SyntaxFault {
  /// Returns the error in the broken statement; nil if Belfry cannot explain the error.
  fileprivate static func find(in broken: TOMLBreak) -> SyntaxFault? {
    var scanner = SyntaxScanner(broken.text)
    do throws(SyntaxFault) {
      return try scanner.statement().flatMap { clash(of: $0, in: broken) }
    } catch { return error }
  }

  /// Returns the error of a statement that is valid by itself but sets a name that is already set.
  private static func clash(
    of statement: SyntaxScanner.Statement, in broken: TOMLBreak
  ) -> SyntaxFault? {
    let heading = statement.isKey ? broken.heading : []
    guard let first = broken.above.definition(of: heading + statement.path) else { return nil }
    // If `late.x = 2` follows `late = "1m"`, both statements set `late`. So the message names
    // `late` and not `late.x`.
    let length = max(1, first.length - heading.count)
    let name = SyntaxText.shown(statement.path.prefix(length).joined(separator: "."))
    if statement.isKey || first.kind == .key {
      return SyntaxFault(
        at: 0, Message("\(name) is set twice; first in line \(first.line)"),
        hint: Message("keep one of the two"))
    }
    let hasList = statement.isList || first.kind == .list
    let isList = SyntaxText.isList(statement.path) ?? hasList
    if !hasList {
      return SyntaxFault(
        at: 0, Message("[\(name)] is there twice; first in line \(first.line)"),
        hint: isList
          ? Message("begin each with [[\(name)]]") : Message("put all its keys under one heading"))
    }
    return SyntaxFault(
      at: 0,
      Message("[[\(name)]] and [\(name)] cannot both be there; the other is in line \(first.line)"),
      hint: isList ? Message("begin each with [[\(name)]]") : Message("begin it with [\(name)]"))
  }
}
