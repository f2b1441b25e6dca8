// SPDX-License-Identifier: GPL-3.0-or-later
//
// Updates the schedule's alarms when the config or the rules of a time zone change. An alarm that
// still rings at the same times keeps its state. The state of an alarm that is switched off, or is
// gone from the config, is kept as long as the alarm may come back. Next: `LeftAlarms.swift`.

extension Schedule {
  /// Replaces the alarms by those of the config. A new alarm, or an alarm that now rings at other
  /// times, is armed at `now`: only its times after `now` count. An alarm that was only renamed
  /// keeps its state.
  mutating func configure(_ alarms: [Alarm], at now: Now, _ zones: some ZoneRules) {
    let enabled = alarms.filter(\.enabled)
    let open =
      entries.compactMap(\.openRing) + remembered.compactMap { $1.openRing($0) }
    noteLeft(Set(alarms.map(\.id)), at: now)
    let names = formerNames(of: alarms)
    for id in names.values { left[id] = nil }
    let leftOpen = entries.filter { $0.openRing != nil && left[$0.alarm.id] != nil }
    replaceEntries(by: enabled + leftOpen.map(\.alarm), names, at: now.wall, zones)
    // An alarm may take the former id of another one: remove all former keys before adding any.
    let prepared = names.mapValues { preparing.removeValue(forKey: $0) }
    for (id, name) in names { (remembered[name], preparing[id]) = (nil, prepared[id] ?? nil) }
    endRings(of: open, names, at: now.wall)
    dropChecks()
    forget(off: alarms.filter { !$0.enabled }, at: now.wall, zones)
  }

  /// Records the end of each ring in `open` that the new config has ended: its alarm was switched
  /// off or now rings at other times. If the alarm was renamed, its ring goes on under the new id.
  /// If that ring is ringing now, an end without an answer is recorded for the former id. The rings
  /// of alarms that have just left the config go on.
  private mutating func endRings(
    of open: [OpenRing], _ names: [String: String], at now: Instant
  ) {
    let newNames = Dictionary(names.map { ($1, $0) }) { first, _ in first }
    for ring in open where left[ring.id] == nil {
      // If this id now belongs to an alarm that had another id before, it is not the ring's alarm.
      let id = newNames[ring.id] ?? (names[ring.id] == nil ? ring.id : nil)
      if id.flatMap({ entry($0) })?.openRing == nil {
        end(ring, .removed, at: now)
      } else if id != ring.id, ring.snoozedUntil == nil {
        end(ring, nil, at: now)
      }
    }
  }

  /// Replaces `entries` by entries for `alarms`. `names` maps the new id of each renamed alarm to
  /// its former id.
  private mutating func replaceEntries(
    by alarms: [Alarm], _ names: [String: String], at now: Instant, _ zones: some ZoneRules
  ) {
    let before = entries
    entries = alarms.map { alarm in
      let name = names[alarm.id] ?? alarm.id
      guard let place = places[name] else { return entry(alarm, remembered[name], at: now, zones) }
      let known = before[place]
      return known.alarm == alarm ? known : entry(alarm, after: known, at: now, zones)
    }
    if !names.isEmpty { isUnsaved = true }
    findPlaces()
    // Remember all former states. Then `forget` drops the states of alarms that have an entry.
    for entry in before { remembered[entry.alarm.id] = entry.state }
  }

  /// Updates `places` after `entries` changed. If two alarms have the same id, the first one
  /// counts.
  mutating func findPlaces() {
    places = Dictionary(entries.indices.map { (entries[$0].alarm.id, $0) }) { first, _ in first }
  }

  /// Forgets alarms that are not in `entries`, with two exceptions. Alarms that left the config a
  /// moment ago are kept. The alarms in `off`, which are switched off, keep their moves and skips.
  private mutating func forget(off: [Alarm], at now: Instant, _ zones: some ZoneRules) {
    guard !remembered.isEmpty else { return }
    let gone = remembered.filter { places[$0.key] == nil }
    remembered = gone.filter { left[$0.key] != nil }
    for alarm in off {
      remembered[alarm.id] = gone[alarm.id]?.whileOff(alarm.recurrence, at: now, zones)
    }
    if remembered != gone { isUnsaved = true }
  }

  /// Makes a new entry for an alarm that changed in the config. If the times of the alarm did not
  /// change, its rings stay due at the same moments. For example, a change of `[defaults]` changes
  /// every alarm but no times.
  private mutating func entry(
    _ alarm: Alarm, after before: Entry, at now: Instant, _ zones: some ZoneRules
  ) -> Entry {
    if alarm.recurrence == before.alarm.recurrence {
      var entry = before
      entry.alarm = alarm
      return entry
    }
    var entry = entry(alarm, before.state, at: now, zones)
    // The change may have put a due time into the past: if a pause was removed, its past days have
    // due times now. Nothing was due before the change, so these rings do not count as missed.
    if let due = entry.next?.due, due <= now, before.next.map({ $0.due > now }) ?? true {
      entry.state.handled = now
      entry.findNext(zones)
      isUnsaved = true
    }
    return entry
  }

  /// Makes an entry for `alarm` from its remembered state `known`. If there is no such state, or if
  /// it is of an alarm that rang at other times, the alarm is armed at `now`.
  private mutating func entry(
    _ alarm: Alarm, _ known: AlarmState?, at now: Instant, _ zones: some ZoneRules
  ) -> Entry {
    let signature = alarm.recurrence.signature
    guard let known, known.signature == signature else {
      isUnsaved = true
      var entry = Entry(alarm: alarm, state: AlarmState(signature: signature, handled: now))
      // Keep the facts that no change of the config can undo: commands ran ahead of a ring, the
      // bedtime notice was closed, a sound was heard.
      (entry.state.prepared, entry.state.bedtimeClosed) = (known?.prepared, known?.bedtimeClosed)
      entry.state.sound = known?.sound
      entry.arm(at: now, zones)
      return entry
    }
    var entry = Entry(alarm: alarm, state: known)
    if !known.handled.isPlausible, now.isPlausible {
      entry.arm(at: now, zones)
    } else {
      entry.resolveAnew(at: now, zones)
    }
    isUnsaved = isUnsaved || entry.state != known
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
    isUnsaved = isUnsaved || entries[i].state != before.state
    var absence = absence
    if !wasOverdue, entries[i].next != before.next { absence.away = .zoneChanged }
    return absence
  }
}
