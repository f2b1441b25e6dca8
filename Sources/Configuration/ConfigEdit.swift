// SPDX-License-Identifier: GPL-3.0-or-later
//
// Edits of a config's text that change only the bytes of the entry they are for. The result is
// parsed again, and is only returned where it differs from the text before in just what was asked
// for. It opens no file and knows no alarm. Next: `EntrySite.swift` for where an entry stands,
// `BlockEdits.swift` and `ListEdits.swift` for how it is changed.

import TOML

/// One change of one of the lists of a config: `alarm`, `timer`, `clock`. Entries are counted from
/// 0, in the order of the text, as `TOMLTable` has them.
public enum ConfigEdit: Hashable, Sendable {
  /// Another entry behind the last one.
  case add(to: String, [Setting])
  /// Keys of one entry: set, extended or taken out; a key that is not there is not missed.
  case change(of: String, at: Int, [Setting])
  /// Entries, each with the comments that are its own: those in it, those right above it, and those
  /// right below it that are not right above another. A comment at the very beginning of the text
  /// stays. Where it stood between blank lines, one of them goes with it.
  case remove(from: String, Set<Int>)
  /// One entry, with its comments, to the place `to` of the list as it is then. What stands between
  /// the entries stays there.
  case move(in: String, from: Int, to: Int)

  /// What becomes of a key.
  public struct Setting: Hashable, Sendable {
    public enum Change: Hashable, Sendable {
      case set(TOMLValue.Kind)
      /// Further elements of an array.
      case append([TOMLValue.Kind])
      case unset
    }
    public var key: String
    public var change: Change

    public init(_ key: String, _ change: Change) { (self.key, self.change) = (key, change) }
  }

  /// Why an edit was not made; nothing has changed then.
  public enum Failure: Error, Hashable, Sendable {
    /// The text is not TOML, or not UTF-8.
    case notTOML(TOMLError)
    /// What has the list's name is no list of tables; the line where it is.
    case notAList(String, line: Int)
    /// There is no entry of that number.
    case noEntry(String, Int)
    /// It would have changed more than was asked for; the line of the entry.
    case entangled(String, line: Int)
    /// The new text is larger than `Configuration.largestFile`.
    case tooLarge
  }

  /// `bytes`, the whole of a config, after `edits`, each made on what the one before left.
  public static func apply(
    _ edits: [ConfigEdit], to bytes: [UInt8]
  ) throws(Failure) -> [UInt8] {
    let before = try document(bytes)
    guard !edits.isEmpty else { return bytes }
    var tree = PlainTable(before.root)
    var result = bytes
    for edit in edits {
      try edit.check(tree, before.root)
      result = try edit.applied(to: result)
      edit.apply(to: &tree)
    }
    guard result.count <= Configuration.largestFile else { throw .tooLarge }
    guard let after = try? TOMLDocument.parse(result), PlainTable(after.root).isSame(as: tree)
    else {
      throw .entangled(edits[0].list, line: edits[0].line(in: before.root))
    }
    return result
  }

  private static func document(_ bytes: [UInt8]) throws(Failure) -> TOMLDocument {
    do throws(TOMLError) { return try TOMLDocument.parse(bytes) } catch { throw .notTOML(error) }
  }

  var list: String {
    switch self {
    case .add(let list, _), .change(let list, _, _), .remove(let list, _), .move(let list, _, _):
      list
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
    guard case .array(let values)? = root[list]?.kind else { return 1 }
    return values.indices.contains(entries.first ?? 0)
      ? values[entries.first ?? 0].position.line : 1
  }

  /// Whether there is something to edit.
  private func check(_ tree: PlainTable, _ root: TOMLTable) throws(Failure) {
    let count: Int
    switch tree[list] {
    case nil: count = 0
    case .array(let values): count = values.count
    case .table, .scalar:
      throw .notAList(list, line: root.entries.first { $0.key == list }?.keyPosition.line ?? 1)
    }
    for entry in entries where !(0..<count).contains(entry) { throw .noEntry(list, entry) }
    if case .change(_, let index, _) = self, tree.table(list, index) == nil {
      throw .noEntry(list, index)
    }
  }

  private func applied(to bytes: [UInt8]) throws(Failure) -> [UInt8] {
    do throws(TOMLLayout.Failure) {
      var text = try ConfigText(bytes)
      switch self {
      case .add(_, let settings): text.add(to: list, settings.filter { $0.value != nil })
      case .change(_, let index, let settings):
        for setting in settings { text = try ConfigText(text.changed(list, index, setting)) }
      case .remove(_, let indices): text.remove(from: list, indices)
      case .move(_, let from, let to): text.move(in: list, from, to)
      }
      return text.bytes
    } catch {
      throw .entangled(list, line: bytes[..<error.offset].count { $0 == UInt8(ascii: "\n") } + 1)
    }
  }
}

extension ConfigEdit.Setting {
  /// What a key that is not there becomes; nil where it stays so.
  var value: TOMLValue.Kind? {
    switch change {
    case .set(let value): value
    case .append(let elements):
      .array(elements.map { TOMLValue($0) })
    case .unset: nil
    }
  }
}

// MARK: - What was asked for, as values

/// A value without its place.
private indirect enum Plain: Equatable {
  case scalar(TOMLValue.Kind)
  case array([Plain])
  case table(PlainTable)

  init(_ kind: TOMLValue.Kind) {
    switch kind {
    case .array(let values): self = .array(values.map { Plain($0.kind) })
    case .table(let table): self = .table(PlainTable(table))
    // Bits, since no NaN equals another.
    case .float(let number): self = .scalar(.string("float \(number.bitPattern)"))
    case .string(let text): self = .scalar(.string("text \(text)"))
    default: self = .scalar(kind)
    }
  }
}

private struct PlainTable: Equatable {
  private var values: [String: Plain]

  init(_ table: TOMLTable) {
    values = Dictionary(
      table.entries.map { ($0.key, Plain($0.value.kind)) }, uniquingKeysWith: { first, _ in first })
  }

  init(_ settings: [ConfigEdit.Setting]) {
    values = [:]
    for setting in settings { apply(setting) }
  }

  /// A list in blocks is there by its entries alone: an empty one is as good as none.
  func isSame(as other: PlainTable) -> Bool {
    let isSomething = { (value: Plain) in value != .array([]) }
    return values.filter { isSomething($0.value) } == other.values.filter { isSomething($0.value) }
  }

  subscript(key: String) -> Plain? {
    get { values[key] }
    set { values[key] = newValue }
  }

  /// An entry of a list, if it is a table.
  func table(_ list: String, _ index: Int) -> PlainTable? {
    if case .array(let values)? = self[list], case .table(let table) = values[index] {
      table
    } else {
      nil
    }
  }

  mutating func apply(_ setting: ConfigEdit.Setting) {
    if case .append(let elements) = setting.change, case .array(let values)? = self[setting.key] {
      self[setting.key] = .array(values + elements.map { Plain($0) })
    } else {
      self[setting.key] = setting.value.map { Plain($0) }
    }
  }
}

extension ConfigEdit {
  /// Does to values what is to become of the text.
  fileprivate func apply(to tree: inout PlainTable) {
    var entries: [Plain] = []
    if case .array(let values)? = tree[list] { entries = values }
    switch self {
    case .add(_, let settings): entries.append(.table(PlainTable(settings)))
    case .change(_, let index, let settings):
      guard var table = tree.table(list, index) else { return }
      for setting in settings { table.apply(setting) }
      entries[index] = .table(table)
    case .remove(_, let indices):
      entries = entries.enumerated().filter { !indices.contains($0.offset) }.map(\.element)
    case .move(_, let from, let to): entries.insert(entries.remove(at: from), at: to)
    }
    tree[list] = .array(entries)
  }
}
