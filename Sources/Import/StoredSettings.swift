// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the settings of programs that use GSettings. Reads them directly from the disk: from
// dconf's database, or from the key file that sandboxed programs use instead. Neither the program
// nor its schema is needed. Only settings that the user has changed are stored, so defaults are not
// found.

import Language
import System

struct StoredSettings {
  let path: String
  private enum Store {
    case database(GVDB)
    case keyFile(KeyFile)
  }
  private let store: Store

  /// Returns the paths of the files that may hold the settings of a program. `flatpak` is the id of
  /// the program's Flatpak.
  static func paths(_ configHome: String, home: String, flatpak: String) -> [String] {
    [configHome, "\(home)/.var/app/\(flatpak)/config"].flatMap { folder in
      ["/dconf/user", "/glib-2.0/settings/keyfile"].map { folder + $0 }
    }
  }

  /// Reads the settings in `bytes`. Throws if they are neither a dconf database nor a key file.
  init(_ path: String, _ bytes: [UInt8]) throws(Import.Failure) {
    self.path = path
    let isDatabase = path.hasSuffix("/dconf/user")
    let found = isDatabase ? GVDB(bytes).map(Store.database) : KeyFile(bytes).map(Store.keyFile)
    guard let found else { throw Import.damaged(path, isDatabase ? "GVariant" : "UTF-8") }
    store = found
  }

  enum Entry {
    case missing
    /// The key is set, but its bytes or its text are no value.
    case unreadable
    case value(Variant)
  }

  /// Returns the entry of `key`, such as `/org/gnome/clocks/alarms`. A key file does not contain
  /// the types of its values, so its text is read as `type`. In a database, the value may have
  /// another type.
  func entry(_ key: String, type: String) -> Entry {
    switch store {
    case .database(let database):
      guard let bytes = database.values[key] else { return .missing }
      return Variant(Array(bytes), type: "v").map(Entry.value) ?? .unreadable
    case .keyFile(let file):
      let slash = OutsideText.lastSlash(in: key) ?? key.startIndex
      let (group, name) = (key[..<slash].dropFirst(), key[slash...].dropFirst())
      guard let text = file.value(String(name), in: String(group)) else { return .missing }
      return Variant(text: text, type: type).map(Entry.value) ?? .unreadable
    }
  }
}

extension StoredSettings {
  /// Returns the names of the keys that are set directly in `folder`, such as `/org/gnome/clocks/`.
  func keys(in folder: String) -> [String] {
    switch store {
    case .database(let database):
      database.values.keys.filter { $0.hasPrefix(folder) }
        .map { String($0.dropFirst(folder.count)) }.filter { !$0.utf8.contains(UInt8(ascii: "/")) }
        .sorted()
    case .keyFile(let file): file.lines(of: String(folder.dropFirst().dropLast())).map(\.key)
    }
  }
}

extension Import {
  /// Returns what `form` makes of the value of `key`; nil if the key is not set. If the value has
  /// another type than `type`, adds a remark and returns nil: a program that uses GSettings then
  /// uses the default.
  mutating func value<Value>(
    _ settings: StoredSettings, _ key: String, type: String, _ form: (Variant) -> Value?
  ) -> Value? {
    let entry = settings.entry(key, type: type)
    if case .missing = entry { return nil }
    if case .value(let value) = entry, let result = form(value) { return result }
    remarks.append(tr("\(key): its value cannot be read"))
    return nil
  }
}

/// Reads dconf's database format: a hash table of names, in which each name refers to the number of
/// its parent. The hashes are ignored, because the table is small and all of its entries are read.
private struct GVDB {
  /// The values in the database as serialised GVariants, by their full names.
  private(set) var values: [String: ArraySlice<UInt8>] = [:]

  private static let itemSize = 24
  private static let deepest = 32

  init?(_ bytes: [UInt8]) {
    func word(_ offset: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    // On a big-endian machine, such as s390x, the database begins with "raVG". Its settings are not
    // imported: no one is expected to have a desktop on such a machine.
    guard bytes.count >= 24, bytes.starts(with: "GVariant".utf8), word(8) == 0 else { return nil }
    let (start, end) = (word(16), word(20))
    guard start + 8 <= end, end <= bytes.count else { return nil }
    let items = start + 8 + (word(start) & 0x7FF_FFFF) * 4 + word(start + 4) * 4
    guard items <= end else { return nil }
    let count = (end - items) / Self.itemSize

    func name(_ item: Int) -> [UInt8]? {
      var (parts, item): ([ArraySlice<UInt8>], Int) = ([], item)
      while item != 0xFFFF_FFFF {
        guard item < count, parts.count < Self.deepest else { return nil }
        let place = items + item * Self.itemSize
        let key = word(place + 8)
        let size = Int(bytes[place + 12]) | Int(bytes[place + 13]) << 8
        guard key + size <= bytes.count else { return nil }
        parts.append(bytes[key..<key + size])
        item = word(place + 4)
      }
      return Array(parts.reversed().joined())
    }
    for item in 0..<count {
      let place = items + item * Self.itemSize
      guard bytes[place + 14] == UInt8(ascii: "v") else { continue }
      let (start, end) = (word(place + 16), word(place + 20))
      guard start <= end, end <= bytes.count, let name = name(item) else { return nil }
      values[String(decoding: name, as: UTF8.self)] = bytes[start..<end]
    }
  }
}
