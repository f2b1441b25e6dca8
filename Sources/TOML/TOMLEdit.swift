// SPDX-License-Identifier: GPL-3.0-or-later
//
// Edits a TOML text without changing any byte outside the edited entry. Each new text is parsed and
// compared with the text before. It is returned only if the requested change is the only
// difference. Next: `BlockEditor.swift`, which changes the lines.

/// One change of a list of tables, such as the `[[alarm]]` entries of a config. Entries are counted
/// from 0, in the order of the text.
public enum TOMLEdit: Hashable, Sendable {
  case add(to: String, [[Setting]])
  /// Set, extend or remove keys of one entry. Removing a key that does not exist is not an error.
  case change(of: String, at: Int, [Setting])
  /// Remove entries together with their comments: the comments inside an entry, those directly
  /// above it, and those directly below it unless another entry follows them directly. A comment at
  /// the very beginning of the text stays. If an entry has blank lines on both sides, one of them
  /// is removed as well.
  case remove(from: String, Set<Int>)
  /// Move one entry with its comments. `to` is the entry's index after the move. Any text between
  /// the entries stays in place.
  case move(in: String, from: Int, to: Int)

  /// A key, and how to change it.
  public struct Setting: Hashable, Sendable {
    public enum Change: Hashable, Sendable {
      case set(TOMLValue.Kind)
      case append([TOMLValue.Kind])
      case unset
    }
    public var key: String
    public var change: Change

    public init(_ key: String, _ change: Change) { (self.key, self.change) = (key, change) }
  }

  /// The reason why an edit was not made. In that case the text is unchanged.
  public enum Failure: Error, Hashable, Sendable {
    /// The entry in line `line` has to be edited by hand, because it is not in a list of tables, is
    /// an inline table, or has dotted keys or sub-tables. This error is also thrown if the edit
    /// would change more than requested and, with line 1, if there is no entry with that index.
    case notPlain(line: Int)
    case tooLarge
  }

  /// Applies `edits` to `document` one after another and returns the new document, of at most
  /// `limit` bytes. `order` gives, for each list such as `alarm`, the order of the keys in an
  /// entry. A key that is missing in `order` is inserted at the end of the entry.
  public static func apply(
    _ edits: [TOMLEdit], to document: TOMLDocument, limit: Int, order: [String: [String]]
  ) throws(Failure) -> TOMLDocument {
    var wanted = document.root
    var result = document
    for edit in edits {
      let count = wanted.elements(of: edit.list).count
      if edit.entries.contains(where: { !(0..<count).contains($0) }) { throw .notPlain(line: 1) }
      edit.apply(to: &wanted)
      let bytes = try edit.applied(to: result, order[edit.list] ?? [])
      guard bytes.count <= limit else { throw .tooLarge }
      // The error does not matter: any error means that the edit changed more than it should.
      guard let after = try? TOMLDocument.parse(bytes) else {
        throw .notPlain(line: edit.line(in: document.root))
      }
      result = after
    }
    guard let edit = edits.first, !result.root.isSameConfig(as: wanted) else { return result }
    throw .notPlain(line: edit.line(in: document.root))
  }

  public var list: String {
    switch self {
    case .add(let list, _), .change(let list, _, _), .remove(let list, _), .move(let list, _, _):
      list
    }
  }

  public var keys: [String] {
    switch self {
    case .add(_, let entries): entries.flatMap { $0.filter(\.isSet).map(\.key) }
    case .change(_, _, let settings): settings.filter(\.isSet).map(\.key)
    case .remove, .move: []
    }
  }

  /// Returns the entries that this edit has written. `root` must be the result of this edit.
  public func written(in root: TOMLTable) -> [TOMLValue] {
    let values = root.elements(of: list)
    return switch self {
    case .add(_, let entries): Array(values.suffix(entries.count))
    case .change(_, let place, _): values.indices.contains(place) ? [values[place]] : []
    case .remove, .move: []
    }
  }

  /// Returns the entries that this edit changes, without the keys that it sets or removes. `root`
  /// must be the text before the edit.
  public func kept(in root: TOMLTable) -> [TOMLValue] {
    guard case .change(_, _, let settings) = self else { return [] }
    return written(in: root).map { entry in
      var entry = entry
      let entries = entry.kind.table?.entries ?? []
      entry.kind = .table(
        TOMLTable(entries: entries.filter { old in !settings.contains { $0.key == old.key } }))
      return entry
    }
  }

  private var entries: [Int] {
    switch self {
    case .add: []
    case .change(_, let index, _): [index]
    case .remove(_, let indices): indices.sorted()
    case .move(_, let from, let to): [from, to]
    }
  }

  private func line(in root: TOMLTable) -> Int {
    let values = root.elements(of: list)
    return values.indices.contains(entries.first ?? 0)
      ? values[entries.first ?? 0].position.line : 1
  }

  private func applied(
    to document: TOMLDocument, _ order: [String]
  ) throws(Failure) -> [UInt8] {
    var editor = try BlockEditor(document, list: list, order: order)
    switch self {
    case .add(_, let entries): editor.add(entries)
    case .change(_, let index, let settings): try editor.change(index, settings)
    case .remove(_, let indices): try editor.remove(indices)
    case .move(_, let from, let to): try editor.move(from, to: to)
    }
    return editor.bytes
  }
}

extension TOMLEdit.Setting {
  public init(_ key: String, text: String) { self.init(key, .set(.string(text))) }
  public init(_ key: String, flag: Bool) { self.init(key, .set(.boolean(flag))) }
  public init(_ key: String, number: Int64) { self.init(key, .set(.integer(number))) }
  public init(removing key: String) { self.init(key, .unset) }

  /// The string to which the key is set; nil if the key is removed or set to another kind of value.
  public var text: String? { value?.string }

  public var isSet: Bool { value != nil }

  /// This setting, changed so that the elements of its array are added to the array that the key
  /// already has, instead of replacing that array.
  public var appended: TOMLEdit.Setting {
    guard case .array(let values)? = value else { return self }
    return TOMLEdit.Setting(key, .append(values.map(\.kind)))
  }

  /// The value that the change gives to a key that did not exist before; nil if the change removes
  /// the key.
  public var value: TOMLValue.Kind? { value(after: nil) }

  /// The value that the change gives to a key with the value `old`; nil if the key does not exist.
  /// If `old` is not an array, it becomes the first element of an array.
  func value(after old: TOMLValue?) -> TOMLValue.Kind? {
    switch change {
    case .set(let value): value
    case .append(let elements):
      .array((old.map { $0.kind.array ?? [$0] } ?? []) + elements.map { TOMLValue($0) })
    case .unset: nil
    }
  }
}

// MARK: - The requested change, as values

extension TOMLEdit {
  /// Applies the edit to parsed values, for comparison with the edited text.
  fileprivate func apply(to root: inout TOMLTable) {
    var entries = root.elements(of: list)
    switch self {
    case .add(_, let new):
      for settings in new {
        var table = TOMLTable()
        for setting in settings { table.apply(setting) }
        entries.append(TOMLValue(.table(table)))
      }
    case .change(_, let index, let settings):
      guard case .table(var table) = entries[index].kind else { return }
      for setting in settings { table.apply(setting) }
      entries[index].kind = .table(table)
    case .remove(_, let indices):
      entries = entries.enumerated().filter { !indices.contains($0.offset) }.map(\.element)
    case .move(_, let from, let to): entries.insert(entries.remove(at: from), at: to)
    }
    root.set(list, .array(entries))
  }
}

extension TOMLTable {
  /// The elements of an array; empty if there is no such array.
  fileprivate func elements(of key: String) -> [TOMLValue] { self[key]?.kind.array ?? [] }

  fileprivate mutating func apply(_ setting: TOMLEdit.Setting) {
    set(setting.key, setting.value(after: self[setting.key]))
  }

  fileprivate mutating func set(_ key: String, _ value: TOMLValue.Kind?) {
    let place = entries.firstIndex { $0.key == key }
    switch (place, value) {
    case (let place?, let value?): entries[place].value.kind = value
    case (let place?, nil): entries.remove(at: place)
    case (nil, let value?):
      entries.append(Entry(key: key, keyPosition: .start, value: TOMLValue(value)))
    case (nil, nil): break
    }
  }

  /// Whether both tables mean the same config. A list of `[[…]]` blocks exists only if it has
  /// entries, so an empty list is equivalent to no list.
  fileprivate func isSameConfig(as other: TOMLTable) -> Bool {
    func something(_ table: TOMLTable) -> TOMLTable {
      TOMLTable(
        entries: table.entries.filter {
          if case .array(let values) = $0.value.kind { !values.isEmpty } else { true }
        })
    }
    return something(self).isSame(as: something(other))
  }

  /// Whether both tables have equal values, regardless of their order and positions.
  fileprivate func isSame(as other: TOMLTable) -> Bool {
    entries.count == other.entries.count
      && entries.allSatisfy { entry in other[entry.key].map(entry.value.isSame) ?? false }
  }
}

extension TOMLValue {
  fileprivate func isSame(as other: TOMLValue) -> Bool {
    switch (kind, other.kind) {
    case (.array(let values), .array(let others)):
      values.count == others.count && zip(values, others).allSatisfy { $0.isSame(as: $1) }
    case (.table(let table), .table(let other)): table.isSame(as: other)
    // Compares the bits, because NaN does not equal NaN.
    case (.float(let number), .float(let other)): number.bitPattern == other.bitPattern
    default: kind == other.kind
    }
  }
}
