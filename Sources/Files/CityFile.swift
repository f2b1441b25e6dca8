// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the table of cities from disk. Each search reads the whole file and keeps only its result,
// so that the agent does not hold the table in memory. The `Cities` target decides which cities
// match.

import Cities
import Configuration
import Language
import Scheduling
import System

public struct CityFile: Sendable {
  private let path: String?
  /// The maximum length of a line in bytes. The longest row has 300 bytes. A longer line means that
  /// the file is not the table of cities.
  private static let longestLine = 1 << 16

  /// Uses the first `belfry/cities.tsv` in the data folders. Skips folders whose disk does not
  /// answer.
  public init(_ locations: Locations, _ patience: Patience = Patience(), on disk: Disk) {
    path = patience.firstFile(locations.dataFolders.map { $0 + "/belfry/cities.tsv" }, on: disk)
  }

  /// Returns at most `count` cities that match `text`, the best match first; nil if the table
  /// cannot be read.
  public func search(_ text: String, count: Int, on disk: Disk) -> [City]? {
    var search = CitySearch(text, count: count)
    return read(on: disk) { search.read($0) } ? search.cities : nil
  }

  /// Returns the cities called `names`, by name; nil if the table cannot be read.
  public func find(_ names: Set<String>, on disk: Disk) -> [String: City]? {
    var lookup = CityLookup(names)
    return read(on: disk) { lookup.read($0) } ? lookup.found : nil
  }

  /// Says that there is no table, that its disk does not answer, or that reading it failed.
  public static var unreadable: String {
    tr("the table of cities cannot be read: belfry/cities.tsv in a data folder, such as /usr/share")
  }

  /// Returns the message that there is no such city, with a hint that names a similar city. If
  /// there is no similar city, the hint is `otherwise`.
  public func unknown(
    _ text: String, otherwise: Message = Message("belfry world search finds cities"), on disk: Disk
  ) -> String {
    let begun = (search(text, count: 1, on: disk) ?? []).first?.title
    let meant = begun ?? nearMatch(to: text, among: guesses(on: disk))
    let hint = meant.map(Message.didYouMean) ?? otherwise
    return complaint(tr("no city is called \(TerminalText.quoted(text))"), hint: hint)
  }

  /// The names of large cities, to suggest one for a mistyped name.
  public func guesses(on disk: Disk) -> [String] {
    var largest = LargestCities(count: 1000)
    return read(on: disk) { largest.read($0) } ? largest.names : []
  }

  private func read(on disk: Disk, _ take: (Span<UInt8>) -> Void) -> Bool {
    guard let path else { return false }
    do throws(FileError) {
      try DurableFile.readLines(path, longest: Self.longestLine, on: disk, take)
      return true
    } catch {
      Log.warning("the cities cannot be read: \(error)")
      return false
    }
  }
}
