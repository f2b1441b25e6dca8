// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of cities on disk. Each question reads it from the beginning and keeps nothing but the
// answer: an agent that shows three cities holds three. What matches is decided in `Cities`.

import Cities
import Configuration
import Language
import Scheduling
import System

public nonisolated struct CityFile: Sendable {
  private let path: String?
  /// The longest row has 300 bytes; a file that is not a table is given up soon.
  private static let longestLine = 1 << 16

  /// The first `belfry/cities.tsv` of the data folders that answer.
  @Blocking public init(_ locations: Locations, _ patience: Patience = Patience()) {
    path = patience.firstFile(locations.dataFolders.map { $0 + "/belfry/cities.tsv" })
  }

  /// At most `count` cities for what a person has typed, the best first; nil where there is no
  /// table.
  @Blocking public func search(_ text: String, count: Int) -> [City]? {
    var search = CitySearch(text, count: count)
    return read { search.read($0) } ? search.cities : nil
  }

  /// The cities of these names; nil where there is no table.
  @Blocking public func find(_ names: Set<String>) -> [String: City]? {
    var lookup = CityLookup(names)
    return read { lookup.read($0) } ? lookup.found : nil
  }

  public static var isMissing: String {
    tr("the table of cities is missing: it belongs into belfry/cities.tsv of a data folder")
  }

  /// That there is no such city, and which one may be meant; `otherwise`, how to find it.
  @Blocking public func unknown(
    _ text: String, otherwise: Message = Message("belfry world search finds cities")
  ) -> String {
    let begun = (search(text, count: 1) ?? []).first?.title
    let meant = begun ?? nearMatch(to: text, among: guesses)
    let mend = meant.map(Message.didYouMean) ?? otherwise
    return complaint(tr("no city is called \(TerminalText.quoted(text))"), hint: mend)
  }

  /// Names that may be meant by one that is mistyped.
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
