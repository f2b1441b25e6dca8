// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds results for a phrase typed into the desktop's search, and carries out the result that the
// user chooses. `Phrase.swift` parses the phrase; `SearchService.swift` takes the calls of the
// desktop.

import Cities
import Configuration
import Files
import Language
import Notifications
import Presentation
import Scheduling
import System

final class Search {
  struct Result {
    /// The operation that choosing the result carries out; nil if it only shows information.
    var operation: Operation?
    /// The words of the command that would do the same.
    var command: [String] = []
    var title: String
    var detail = ""

    /// Identifies the result for the desktop: by the words of its command, joined by tabs, because
    /// no word contains a tab; or by its title, if the result has no command.
    var id: String { command.isEmpty ? "tell\t" + title : command.joined(separator: "\t") }
  }

  static let most = 20
  /// How many results can still be chosen, including results of earlier phrases. After a desktop
  /// has sent the next phrase, it may still ask for the texts of earlier results, or choose one.
  private static let mostOffers = 200

  private let locations: Locations
  private var offers: [Result] = []

  /// Searches the table of cities, for one phrase or call after another.
  static let cityReader = Worker(name: "cities")

  init(_ locations: Locations) { self.locations = locations }

  /// Returns a result that was found earlier; nil if no such result was found.
  func offer(_ id: String) -> Result? { offers.last { $0.id == id } }

  /// The alarms and timers at the moment of the search, and the words for them.
  struct Context {
    typealias Trial = Swift.Result<ConfigEditor.Outcome, ConfigEditor.Failure>

    var overview: Overview
    var wording: Wording
    /// The path of the config.
    var config: String
    /// Finds out what adding an alarm would do, without adding it.
    var tryAdding:
      (_ settings: [ConfigEditor.Setting], @escaping @MainActor @Sendable (Trial) -> Void) -> Void
  }

  func search(
    for text: String, in context: Context, _ done: @escaping @MainActor ([Result]) -> Void
  ) {
    let found: @MainActor ([Result]) -> Void = { [weak self] results in
      let results = Array(results.prefix(Self.most))
      self?.offers = ((self?.offers ?? []) + results).suffix(Self.mostOffers)
      done(results)
    }
    let weekdays = WeekdayNames(localized: Locale.typedWeekdays)
    let (now, zones) = (context.overview.now.wall, context.overview.zones)
    switch Phrase(text, at: now, in: zones, weekdays: weekdays) {
    case nil: found([])
    case .time(let city)?: search(forCity: city, in: context, found)
    case let phrase?:
      let settings = phrase.settings
      guard !settings.isEmpty else { return found(context.results(for: phrase)) }
      context.tryAdding(settings) { outcome in
        switch outcome {
        case .success(let added): found([context.result(phrase, added)])
        case .failure(let refusal): found([Result(title: "\(refusal)")])
        }
      }
    }
  }

  private func search(
    forCity text: String, in context: Context, _ found: @escaping @MainActor ([Result]) -> Void
  ) {
    Self.cityReader.perform { [locations] disk in
      let cities = CityFile(locations, on: disk).search(text, count: 3, on: disk) ?? []
      let isKorean = text.unicodeScalars.contains { Self.hangul.contains($0.value) }
      Worker.onMain { found(cities.map { context.time(in: $0, isKorean: isKorean) }) }
    }
  }

  /// The code points of Korean syllables. If the phrase contains a Korean syllable, cities are
  /// shown with their Korean names.
  private nonisolated static let hangul: ClosedRange<UInt32> = 0xAC00...0xD7A3
}

extension Search.Context {
  fileprivate typealias Result = Search.Result

  fileprivate func time(in city: City, isKorean: Bool) -> Result {
    let now = Clock.now().wall
    let name = isKorean && !city.korean.isEmpty ? city.korean : city.title
    let reading = overview.zones.reading(of: city.zone, at: now)
    return Result(
      title: "\(name): \(wording.minute(now, in: city.zone))",
      detail: Wording.list([Wording.day(reading.days), Wording.offset(reading.offset)]))
  }

  fileprivate func results(for phrase: Phrase) -> [Result] {
    switch phrase {
    case .timer(let length, let label):
      let now = Clock.now().wall
      let ends = wording.moment(now + length, .near, seenFrom: now)
      return [result(phrase, timer(label, length), tr("Until \(ends)"))]
    case .preset(let name):
      return presets.filter { $0.name.lowercased().hasPrefix(name.lowercased()) }.map(result)
        + recents(called: name)
    case .alarm: return []  // `search(for:)` adds the alarm, after a trial.
    case .stop(let name): return answers(to: name)
    case .snooze(let length):
      let ringing = overview.schedule.ringing.filter(\.canSnooze)
      guard !ringing.isEmpty else { return [] }
      let names = Wording.list(ringing.map { $0.label ?? $0.id })
      return [result(phrase, length.map(Wording.snooze) ?? tr("Snooze"), names)]
    case .next:
      let notice = wording.nextAlarm(overview, config)
      return [Result(title: notice.title, detail: notice.body)]
    case .time: return []  // `search(forCity:)` adds the cities.
    }
  }

  /// Returns the result for an alarm that would be added. It says in full when the alarm would
  /// ring.
  fileprivate func result(_ phrase: Phrase, _ added: ConfigEditor.Outcome) -> Result {
    let now = Clock.now()
    let trial = Overview(
      configuration: added.reading.configuration, schedule: added.schedule, zones: overview.zones,
      now: now)
    let alarm = added.ids.first.flatMap { trial.configuration.alarm($0) }
    let label = alarm?.label ?? ""
    let time = alarm.map { wording.time($0.recurrence) } ?? ""
    return result(
      phrase, tr("Alarm: \(label.isEmpty ? time : label)"),
      alarm.map {
        wording.inFull($0.recurrence, trial.standing(of: $0), seenFrom: now.wall)
      } ?? "")
  }

  private func timer(_ name: String?, _ length: Duration) -> String {
    let length = Wording.span(length)
    return name.map { tr("Timer: \($0), \(length)") } ?? tr("Timer: \(length)")
  }

  private var presets: [TimerPreset] { overview.configuration.timers }

  private func result(_ preset: TimerPreset) -> Result {
    result(.preset(preset.name), timer(preset.name, preset.duration))
  }

  /// Returns results for the recent timers whose labels begin with `name`. Recent timers of a
  /// preset are left out, because the search finds the preset itself. But if `name` is a word such
  /// as `again`, returns results for all recent timers.
  private func recents(called name: String) -> [Result] {
    let isAgain = PhraseWords.isAgain(name)
    return overview.schedule.recents.compactMap { recent in
      if let preset = presets.first(where: { $0.name == recent.preset }) {
        return isAgain ? result(preset) : nil
      }
      // Leave out a timer that ended at a time of day, because it has no fixed length.
      guard recent.until == nil else { return nil }
      let label = recent.label ?? ""
      guard isAgain || label.lowercased().hasPrefix(name.lowercased()) else { return nil }
      let phrase = Phrase.timer(recent.duration, label: recent.label)
      var again = result(phrase, timer(recent.label, recent.duration), tr("Once more"))
      again.operation = .startAgain(recent)
      return again
    }
  }

  private func answers(to name: String?) -> [Result] {
    let (name, now) = (name?.lowercased() ?? "", Clock.now().wall)
    return overview.schedule.openRings.compactMap { ring in
      guard [ring.id, ring.label ?? ""].contains(where: { $0.lowercased().hasPrefix(name) }) else {
        return nil
      }
      let until = ring.snoozedUntil.map { wording.snoozed($0, now) }
      return result(.stop(ring.id), tr("Stop \(ring.label ?? ring.id)"), until ?? tr("Rings"))
    }
  }

  private func result(_ phrase: Phrase, _ title: String, _ detail: String = "") -> Result {
    let operation: Operation? =
      switch phrase {
      case .timer(let length, let label):
        .startTimer(TimerRequest(length: .seconds(length.wholeSeconds), label: label))
      case .preset(let name): .startTimer(TimerRequest(length: .preset(name)))
      case .alarm: .addAlarm(phrase.settings)
      case .stop(let id): .stop(id)
      case .snooze(let length): .snooze(length)
      case .next, .time: nil
      }
    return Result(
      operation: operation, command: phrase.command ?? [], title: title, detail: detail)
  }

}
