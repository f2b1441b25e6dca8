// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the table of cities from disk. Each search reads the whole file and keeps only its result,
// so that the agent holds no table in memory. What matches is decided in `Cities`.

import Cities
import Configuration
import Language
import Scheduling
import System

public nonisolated struct CityFile: Sendable {
  private let path: String?
  /// The most bytes of a line. The longest row has 300; a longer line means that the file is no
  /// table.
  private static let longestLine = 1 << 16

  /// Uses the first `belfry/cities.tsv` in the data folders, without those that do not answer.
  @Blocking public init(_ locations: Locations, _ patience: Patience = Patience()) {
    path = patience.firstFile(locations.dataFolders.map { $0 + "/belfry/cities.tsv" })
  }

  /// At most `count` cities that match `text`, the best first; nil if the table is missing.
  @Blocking public func search(_ text: String, count: Int) -> [City]? {
    var search = CitySearch(text, count: count)
    return read { search.read($0) } ? search.cities : nil
  }

  /// The cities with these names; nil if the table is missing.
  @Blocking public func find(_ names: Set<String>) -> [String: City]? {
    var lookup = CityLookup(names)
    return read { lookup.read($0) } ? lookup.found : nil
  }

  public static var isMissing: String {
    tr("the table of cities is missing: it should be in belfry/cities.tsv of a data folder")
  }

  /// Says that there is no such city, and which one may be meant; if none, the hint is `otherwise`.
  @Blocking public func unknown(
    _ text: String, otherwise: Message = Message("belfry world search finds cities")
  ) -> String {
    let begun = (search(text, count: 1) ?? []).first?.title
    let meant = begun ?? nearMatch(to: text, among: guesses)
    let mend = meant.map(Message.didYouMean) ?? otherwise
    return complaint(tr("no city is called \(TerminalText.quoted(text))"), hint: mend)
  }

  /// Names of large cities, to suggest one for a mistyped name.
  @Blocking public var guesses: [String] {
    var largest = LargestCities(count: 1000)
    return read { largest.read($0) } ? largest.names : []
  }

  @Blocking private func read(_ take: (Span<UInt8>) -> Void) -> Bool {
    guard let path else { return false }
    do throws(FileError) {
      try DurableFile.readLines(path, longest: Self.longestLine, take)
      return true
    } catch {
      Log.warning("the cities cannot be read: \(error)")
      return false
    }
  }
}
