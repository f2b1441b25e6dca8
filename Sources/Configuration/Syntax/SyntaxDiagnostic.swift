// SPDX-License-Identifier: GPL-3.0-or-later
//
// A text that is not TOML, as a diagnostic. toml++ judges and gives a place. `SyntaxScanner.swift`
// looks there for the errors that people make; this file looks for names that are set twice. If
// neither finds anything, the place alone is reported.

import Language
import TOML

/// What is wrong with a statement, and what to write instead.
struct SyntaxFault: Error {
  /// An index into the scanned text.
  var index: Int
  var message: Message
  var hint: Message?

  init(at index: Int, _ message: Message, hint: Message? = nil) {
    (self.index, self.message, self.hint) = (index, message, hint)
  }
}

extension Diagnostic {
  /// `bytes` are the text that `fault` is about.
  init(file: String, notTOML fault: TOMLError, in bytes: [UInt8]) {
    switch fault {
    case .notUTF8(let place):
      self.init(
        file: file, line: place.line, column: place.column, severity: .error,
        message: Message("this is not UTF-8 text"),
        hint: Message("save the file in the encoding UTF-8"))
    case .syntax(let stop):
      let broken = TOMLBreak(bytes, at: stop)
      let found = SyntaxFault.find(in: broken)
      let place = found.map { broken.position(of: $0.index) } ?? stop
      self.init(
        file: file, line: place.line, column: place.column, severity: .error,
        message: found?.message ?? Message("this line is not valid TOML"), hint: found?.hint)
    }
  }
}

extension SyntaxFault {
  /// Nil if it is none of the errors that are known here.
  fileprivate static func find(in broken: TOMLBreak) -> SyntaxFault? {
    var scanner = SyntaxScanner(broken.text)
    var names = SetNames(broken)
    do throws(SyntaxFault) {
      guard let first = try scanner.statement() else { return nil }
      if let clash = names.clash(of: first) { return clash }
      names.take(first)
      guard !first.isKey else { return nil }
      // For a dotted key that clashes, toml++ gives the place of the heading above it.
      for _ in 0..<100 {
        scanner.skipLines()
        guard let key = try scanner.statement(), key.isKey else { return nil }
        if let clash = names.clash(of: key) { return clash }
        names.take(key)
      }
      return nil
    } catch {
      // It may end in what was cut off.
      return broken.isCut && scanner.next >= broken.text.count ? nil : error
    }
  }
}

/// The names that are set so far, and who may not set them again.
private struct SetNames {
  private let broken: TOMLBreak
  private var names: [TOMLBreak.Name]
  private var heading: [String]

  init(_ broken: TOMLBreak) {
    (self.broken, names, heading) = (broken, broken.names, broken.heading)
  }

  /// Takes the name of `statement` as set.
  mutating func take(_ statement: SyntaxScanner.Statement) {
    if !statement.isKey { heading = statement.path }
    names.append(
      TOMLBreak.Name(
        path: statement.isKey ? heading + statement.path : statement.path,
        kind: statement.isKey ? .key : statement.isList ? .list : .table,
        position: broken.position(of: statement.index)))
  }

  /// The error of a statement that is in order by itself, but sets a name that is set already.
  func clash(of statement: SyntaxScanner.Statement) -> SyntaxFault? {
    let path = statement.isKey ? heading + statement.path : statement.path
    guard let first = earlierName(of: path, isKey: statement.isKey) else { return nil }
    let line = first.position.line
    // Of `late = "1m"` and `late.x = 2`, it is `late` that is set twice.
    let above = path.count - statement.path.count
    let shared = max(1, min(path.count, first.path.count) - above)
    let name = SyntaxText.shown(statement.path.prefix(shared).joined(separator: "."))
    if !statement.isKey, first.kind != .key {
      return Self.heading(statement, name, first: first.kind, line: line)
    }
    var message = Message("\(name) is set twice; first in line \(line)")
    if statement.isKey, let entry = SyntaxText.entry(heading) {
      message = Message("\(name) is set twice in \(entry); first in line \(line)")
    }
    return SyntaxFault(at: statement.index, message, hint: Message("keep one of the two"))
  }

  private static func heading(
    _ heading: SyntaxScanner.Statement, _ name: String, first: TOMLBreak.Name.Kind, line: Int
  ) -> SyntaxFault? {
    if heading.isList, first == .list { return nil }
    let isList = SyntaxText.isList(heading.path) ?? (heading.isList || first == .list)
    if !heading.isList, first == .table {
      return SyntaxFault(
        at: heading.index, Message("[\(name)] is there twice; first in line \(line)"),
        hint: isList
          ? Message("begin each with [[\(name)]]") : Message("put all its keys under one heading"))
    }
    return SyntaxFault(
      at: heading.index,
      Message("[[\(name)]] and [\(name)] cannot both be there; the other is in line \(line)"),
      hint: isList ? Message("begin each with [[\(name)]]") : Message("begin it with [\(name)]"))
  }

  /// The nearest name before it that cannot stand beside it.
  private func earlierName(of path: [String], isKey: Bool) -> TOMLBreak.Name? {
    var below: TOMLBreak.Name?
    for name in names.reversed() {
      // A value has nothing below it, and what has something below it takes no value.
      let isValueAbove = name.kind == .key && path.starts(with: name.path)
      if name.path == path || isValueAbove { return name }
      if name.path.starts(with: path), below == nil { below = name }
      // Behind `[[alarm]]` the names of the alarms before it are free again.
      if name.kind == .list, path.starts(with: name.path) { break }
    }
    // `defaults.late = "1m"` sets `defaults`, too.
    return isKey || below?.kind == .key ? below : nil
  }
}
