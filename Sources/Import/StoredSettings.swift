// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the settings of programs that use GSettings. Reads them directly from the disk: from
// dconf's database, or from the key file that sandboxed programs use instead. Neither the program
// nor its schema is needed. Only settings that the user has changed are stored, so defaults are not
// found.

import System

nonisolated struct StoredSettings {
  let path: String
  private enum Store {
    case database(GVDB)
    case keyFile(KeyFile)
  }
  private let store: Store

  /// Returns the paths of the files that may hold the settings of a program. `flatpak` is the id of
  /// the program's Flatpak.
  static func paths(_ configHome: String, home: String, flatpak: String) -> [String] {
    let keyFile = "/glib-2.0/settings/keyfile"
    return [
      configHome + "/dconf/user", configHome + keyFile,
      "\(home)/.var/app/\(flatpak)/config" + keyFile,
    ]
  }

  /// Reads the settings in `bytes`. Throws if they are neither a dconf database nor a key file.
  init(_ path: String, _ bytes: [UInt8]) throws(Import.Failure) {
    self.path = path
    let isDatabase = path.hasSuffix("/dconf/user")
    let found = isDatabase ? GVDB(bytes).map(Store.database) : KeyFile(bytes).map(Store.keyFile)
    guard let found else { throw Import.damaged(path, "GVariant") }
    store = found
  }

  /// Returns the value of `key`, such as `/org/gnome/clocks/alarms`; nil if the key is not set.
  /// Throws if the value does not have the given type.
  func value(_ key: String, type: String) throws(Import.Failure) -> Variant? {
    switch store {
    case .database(let database):
      guard let bytes = database.values[key] else { return nil }
      if let value = Variant(Array(bytes), type: "v") { return value }
    case .keyFile(let file):
      let slash = key.lastIndex(of: "/") ?? key.startIndex
      let (group, name) = (key[..<slash].dropFirst(), key[slash...].dropFirst())
      guard let text = file.value(String(name), in: String(group)) else { return nil }
      if let value = Variant(text: text, type: type) { return value }
    }
    throw Import.damaged(path, key)
  }
}

/// Reads dconf's database format: a hash table of names, in which each name refers to the number of
/// its parent. The hashes are ignored, because the table is small and all of its entries are read.
private nonisolated struct GVDB {
  /// The values in the database as serialised GVariants, by their full names.
  private(set) var values: [String: ArraySlice<UInt8>] = [:]

  private static let itemSize = 24
  private static let deepest = 32

  init?(_ bytes: [UInt8]) {
    func word(_ offset: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    // A big-endian database would begin with "raVG", but Debian has no big-endian machines any
    // more.
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
