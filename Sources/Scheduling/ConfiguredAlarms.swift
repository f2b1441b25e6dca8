// SPDX-License-Identifier: GPL-3.0-or-later
//
// Updates the schedule's alarms when the config or the rules of a time zone change. An alarm that
// still rings at the same times keeps its state. An alarm with another id is another alarm. Next:
// `LeftAlarms.swift`, which keeps the states of alarms that are gone or switched off.

extension Schedule {
  /// How far back the first agent of a user looks for rings: a config that was copied from another
  /// machine may have been saved long ago.
  static let firstLookBack: Duration = .hours(24)

  /// Returns the moment from which the alarms of a config that was saved at `saved` count. This is
  /// `now`, unless the config was saved later than the agent last looked.
  func beginning(of saved: Instant?, at now: Instant) -> Instant {
    guard let saved, saved.isPlausible, saved > lastLook ?? now - Self.firstLookBack
    else { return now }
    return min(saved, now)
  }

  /// Replaces the alarms by those of the config. A new alarm, or an alarm that now rings at other
  /// times, is armed at `start`: only its times after `start` count. The ring of an alarm that is
  /// gone, switched off or changed ends.
  mutating func configure(
    _ alarms: [Alarm], since start: Instant, at now: Now, _ zones: some ZoneRules
  ) {
    // The ring of an alarm that has left has ended already.
    let open =
      entries.compactMap(\.openRing)
      + remembered.compactMap { $1.left == nil ? $1.openRing($0) : nil }
    switchedOff = Dictionary(
      alarms.filter { !$0.enabled }.map { ($0.id, $0.recurrence) }
    ) { first, _ in first }
    replaceEntries(by: alarms.filter(\.enabled), since: start, at: now.wall, zones)
    for ring in open where entry(ring.id)?.openRing == nil { end(ring, .removed, at: now.wall) }
    dropChecks()
  }

  /// Replaces `entries` by entries for `alarms`, and keeps the states of the former alarms.
  private mutating func replaceEntries(
    by alarms: [Alarm], since start: Instant, at now: Instant, _ zones: some ZoneRules
  ) {
    let before = entries
    entries = alarms.map { alarm in
      guard let place = places[alarm.id] else {
        return entry(alarm, kept(alarm, at: now, zones), since: start, at: now, zones)
      }
      let known = before[place]
      return known.alarm == alarm ? known : entry(alarm, after: known, since: start, at: now, zones)
    }
    findPlaces()
    for entry in before { remembered[entry.alarm.id] = entry.state }
    remembered = remembered.filter { places[$0.key] == nil }
    noteLeft(before, at: now, zones)
  }

  /// Updates `places` after `entries` changed. If two alarms have the same id, the first one
  /// counts.
  mutating func findPlaces() {
    places = Dictionary(entries.indices.map { (entries[$0].alarm.id, $0) }) { first, _ in first }
  }

  /// Makes a new entry for an alarm that changed in the config. If the times of the alarm did not
  /// change, its rings stay due at the same moments. For example, a change of `[defaults]` changes
  /// every alarm but no times.
  private func entry(
    _ alarm: Alarm, after before: Entry, since start: Instant, at now: Instant,
    _ zones: some ZoneRules
  ) -> Entry {
    if alarm.recurrence == before.alarm.recurrence {
      var entry = before
      entry.alarm = alarm
      return entry
    }
    var entry = entry(alarm, before.state, since: start, at: now, zones)
    // The change may have put a due time into the past: if a pause was removed, its past days have
    // due times now. Nothing was due before the change, so these rings do not count as missed.
    if let due = entry.next?.due, due <= start, before.next.map({ $0.due > start }) ?? true {
      entry.state.handled = start
      entry.findNext(zones)
    }
    return entry
  }

  /// Makes an entry for `alarm` from its remembered state `known`. If there is no such state, or if
  /// it is of an alarm that rang at other times, the alarm is armed at `start`.
  private func entry(
    _ alarm: Alarm, _ known: AlarmState?, since start: Instant, at now: Instant,
    _ zones: some ZoneRules
  ) -> Entry {
    let signature = alarm.recurrence.signature
    guard let known, known.signature == signature else {
      var entry = Entry(alarm: alarm, state: AlarmState(signature: signature, handled: start))
      // Keep the facts that no change of the config can undo: commands ran ahead of a ring, the
      // bedtime notice was closed, a sound was heard.
      (entry.state.prepared, entry.state.bedtimeClosed) = (known?.prepared, known?.bedtimeClosed)
      entry.state.sound = known?.sound
      entry.arm(at: start, zones)
      return entry
    }
    var entry = Entry(alarm: alarm, state: known)
    if !known.handled.isPlausible, now.isPlausible {
      entry.arm(at: start, zones)
    } else {
      entry.resolveAnew(at: now, zones)
    }
    return entry
  }

  /// Finds the alarm's next occurrence by the new rules of its time zone. Returns the reason to
  /// report if an occurrence turns out to be overdue: the change of the zone or, if the alarm was
  /// overdue by the former rules as well, `absence`.
  mutating func resolveAnew(
    _ i: Int, at now: Instant, _ absence: Absence, _ zones: some ZoneRules
  ) -> Absence {
    let before = entries[i]
    let wasOverdue = before.next.map { now - $0.due > before.late } ?? false
    entries[i].resolveAnew(at: now, zones)
    var absence = absence
    if !wasOverdue, entries[i].next != before.next { absence.away = .zoneChanged }
    return absence
  }
}
