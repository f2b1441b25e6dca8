// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds results for a phrase typed into the desktop's search, and carries out the result that the
// user chooses. `Phrase.swift` parses the phrase; `SearchService.swift` takes the calls of the
// desktop.

import Configuration
import Files
import Language
import Notifications
import Presentation
import Scheduling
import System

final class Search {
  struct Result {
    /// The words of the command that runs if the user chooses the result; empty if the result only
    /// shows information.
    var command: [String] = []
    /// The settings of the alarm that is added if the user chooses the result; empty if none is
    /// added. If there are settings, `command` only identifies the result, and does not run.
    var settings: [ConfigEditor.Setting] = []
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

  private unowned let agent: Agent
  private var offers: [Result] = []

  /// Searches the table of cities, for one phrase or call after another.
  static let cityReader = Worker(name: "cities")

  init(_ agent: Agent) { self.agent = agent }

  func offer(_ id: String) -> Result? { offers.last { $0.id == id } }

  func search(for text: String, _ done: @escaping @MainActor ([Result]) -> Void) {
    let found: @MainActor ([Result]) -> Void = { [weak self] results in
      let results = Array(results.prefix(Self.most))
      self?.offers = ((self?.offers ?? []) + results).suffix(Self.mostOffers)
      done(results)
    }
    let weekdays = WeekdayNames(localized: Locale.typedWeekdays)
    switch Phrase(text, at: Clock.now().wall, in: agent.zones, weekdays: weekdays) {
    case nil: found([])
    case .time(let city)?: search(forCity: city, found)
    case let phrase?:
      let settings = phrase.settings
      guard !settings.isEmpty else { return found(results(for: phrase)) }
      agent.edit(isTrial: true) { editor throws(ConfigEditor.Failure) in
        try editor.add(settings)
      } then: { [weak self] outcome in
        switch outcome {
        case .success(let added): found(self.map { [$0.result(phrase, added)] } ?? [])
        case .failure(let refusal): found([Result(title: "\(refusal)")])
        }
      }
    }
  }

  private func search(forCity text: String, _ found: @escaping @MainActor ([Result]) -> Void) {
    let locations = agent.locations
    Self.cityReader.perform {
      let cities = CityFile(locations).search(text, count: 3) ?? []
      let isKorean = text.unicodeScalars.contains { Self.hangul.contains($0.value) }
      Worker.onMain { [weak self] in
        found(self.map { search in cities.map { search.time(in: $0, isKorean: isKorean) } } ?? [])
      }
    }
  }

  /// The code points of Korean syllables. If the phrase contains a Korean syllable, cities are
  /// shown with their Korean names.
  private nonisolated static let hangul: ClosedRange<UInt32> = 0xAC00...0xD7A3

  private func time(in city: City, isKorean: Bool) -> Result {
    let now = Clock.now().wall
    let name = isKorean && !city.korean.isEmpty ? city.korean : city.title
    let reading = agent.zones.reading(of: city.zone, at: now)
    return Result(
      title: "\(name): \(wording.minute(now, in: city.zone))",
      detail: Wording.list([Wording.day(reading.days), Wording.offset(reading.offset)]))
  }

  private func results(for phrase: Phrase) -> [Result] {
    switch phrase {
    case .timer(let length, let label):
      let now = Clock.now().wall
      let ends = wording.moment(now + length, .near, seenFrom: now)
      return [result(phrase, timer(label, length), tr("Until \(ends)"))]
    case .preset(let name):
      return presets.filter { $0.name.lowercased().hasPrefix(name.lowercased()) }.map(result)
        + recents(called: name)
    case .alarm: return []  // `look(for:)` adds the alarm, after a trial.
    case .stop(let name): return answers(to: name)
    case .snooze(let length):
      let ringing = agent.schedule.ringing.filter(\.canSnooze)
      guard !ringing.isEmpty else { return [] }
      let names = Wording.list(ringing.map { $0.label ?? $0.id })
      return [result(phrase, length.map(Wording.snooze) ?? tr("Snooze"), names)]
    case .next:
      let notice = wording.nextAlarm(agent.overview, agent.locations.config)
      return [Result(title: notice.title, detail: notice.body)]
    case .time: return []  // `look(forCity:)` adds the cities.
    }
  }

  /// Returns the result for an alarm that would be added. It says in full when the alarm would
  /// ring.
  private func result(_ phrase: Phrase, _ added: ConfigEditor.Outcome) -> Result {
    let now = Clock.now()
    let trial = Overview(
      configuration: added.reading.configuration, schedule: added.schedule, zones: agent.zones,
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

  private var presets: [TimerPreset] { agent.configuration.timers }

  private func result(_ preset: TimerPreset) -> Result {
    result(.preset(preset.name), timer(preset.name, preset.duration))
  }

  /// Returns results for the recent timers whose labels begin with `name`. Recent timers of a
  /// preset are left out, because the search finds the preset itself. But if `name` is a word such
  /// as `again`, returns results for all recent timers.
  private func recents(called name: String) -> [Result] {
    let isAgain = PhraseWords.isAgain(name)
    return agent.schedule.recents.compactMap { recent in
      if let preset = presets.first(where: { $0.name == recent.preset }) {
        return isAgain ? result(preset) : nil
      }
      // Leave out a timer that ended at a time of day, because it has no fixed length.
      guard recent.until == nil else { return nil }
      let label = recent.label ?? ""
      guard isAgain || label.lowercased().hasPrefix(name.lowercased()) else { return nil }
      let phrase = Phrase.timer(recent.duration, label: recent.label)
      return result(phrase, timer(recent.label, recent.duration), tr("Once more"))
    }
  }

  private func answers(to name: String?) -> [Result] {
    let (name, now) = (name?.lowercased() ?? "", Clock.now().wall)
    return agent.schedule.openRings.compactMap { ring in
      guard [ring.id, ring.label ?? ""].contains(where: { $0.lowercased().hasPrefix(name) }) else {
        return nil
      }
      let until = ring.snoozedUntil.map { wording.snoozed($0, now) }
      return result(.stop(ring.id), tr("Stop \(ring.label ?? ring.id)"), until ?? tr("Rings"))
    }
  }

  private func result(_ phrase: Phrase, _ title: String, _ detail: String = "") -> Result {
    Result(
      command: phrase.command ?? [], settings: phrase.settings, title: title, detail: detail)
  }

  private var wording: Wording { agent.wording }

  // MARK: - Choosing a result

  /// Does what the search result `id` offers: adds an alarm, or runs a command. Then calls `done`.
  /// An id that was not offered is ignored, because it could contain any command.
  func activate(_ id: String, then done: @escaping @MainActor @Sendable () -> Void) {
    guard let result = offer(id), !result.command.isEmpty else { return done() }
    let settings = result.settings
    if settings.isEmpty { return run(result.command, then: done) }
    agent.edit { editor throws(ConfigEditor.Failure) in
      try editor.add(settings).ids.first ?? ""
    } then: { [agent] outcome in
      switch outcome {
      case .success(let id): agent.reportAdded(id)
      case .failure(let failure): agent.notify(LauncherService.notice) { $0.failed("\(failure)") }
      }
      done()
    }
  }

  /// Runs `belfry` with `words`, and shows a notification if that fails. Calls `done` at the end.
  func run(_ words: [String], then done: @escaping () -> Void = {}) {
    var words = words
    // Insert the option before "--", because nothing after "--" is read as an option.
    words.insert(
      "--config=\(agent.locations.config)", at: words.firstIndex(of: "--") ?? words.endIndex)
    let launch = Launch(["belfry"] + words, program: Locations.program("belfry"))
    var (said, isDone) = ([String](), true)
    _ = Command(launch, limit: .seconds(30)) { [weak self] event in
      switch event {
      case .line(let line): said.append(line)
      case .talksTooMuch: break
      case .notStarted(let error): (said, isDone) = (["\(error)"], false)
      case .failed, .tookTooLong: isDone = false
      case .gone:
        if !isDone {
          self?.agent.notify(LauncherService.notice) { $0.failed(said.joined(separator: "\n")) }
        }
        done()
      }
    }
  }
}
