// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a new config, or new rules of a zone, make of the alarms that there were: one that rings
// when it did goes on as it was, and what was known of any other is kept for as long as it may come
// back. Next: `LeftAlarms.swift`.

extension Schedule {
  /// Takes over the alarms of the config; one that is new, or that now rings at other times, is
  /// armed at `now`. One that is merely called otherwise stays as it is.
  mutating func configure(_ alarms: [Alarm], at now: Now, _ zones: some ZoneRules) {
    let enabled = alarms.filter(\.enabled)
    let open =
      entries.underway.compactMap { entries[$0].openRing }
      + remembered.compactMap { $1.openRing($0) }
    noteLeft(Set(alarms.map(\.id)), at: now)
    let names = formerNames(of: enabled)
    for id in names.values { left[id] = nil }
    replaceEntries(by: enabled + leftOpen, names, at: now.wall, zones)
    for (id, name) in names {
      remembered[name] = nil
      preparing[id] = preparing.removeValue(forKey: name)
    }
    endRings(of: open, names, at: now.wall)
    dropChecks()
    forget(off: alarms.filter { !$0.enabled }, at: now.wall, zones)
  }

  /// Records the end of those of `open` that rang or were snoozed before and do not any more.
  private mutating func endRings(
    of open: [OpenRing], _ names: [String: String], at now: Instant
  ) {
    let newNames = Dictionary(names.map { ($1, $0) }) { first, _ in first }
    for ring in open where left[ring.id] == nil {
      let id = newNames[ring.id] ?? ring.id
      if entry(id)?.openRing == nil {
        end(ring, .removed, at: now)
      } else if id != ring.id, ring.snoozedUntil == nil {
        end(ring, nil, at: now)
      }
    }
  }

  /// `names` are what alarms were called before that are called otherwise now.
  private mutating func replaceEntries(
    by alarms: [Alarm], _ names: [String: String], at now: Instant, _ zones: some ZoneRules
  ) {
    let before = entries
    var isFound = Array(repeating: false, count: before.count)
    entries = alarms.map { alarm in
      let name = names[alarm.id] ?? alarm.id
      guard let place = places[name] else { return entry(alarm, remembered[name], at: now, zones) }
      isFound[place] = true
      let known = before[place]
      return known.alarm == alarm ? known : entry(alarm, after: known, at: now, zones)
    }
    if !names.isEmpty { isUnsaved = true }
    findPlaces()
    for i in before.indices where !isFound[i] { remembered[before[i].alarm.id] = before[i].state }
  }

  /// Should two have one id, it is the first's.
  mutating func findPlaces() {
    places = Dictionary(entries.indices.map { (entries[$0].alarm.id, $0) }) { first, _ in first }
  }

  /// Remembers only alarms that have left the config and, of alarms that are off, what the user
  /// wants otherwise.
  private mutating func forget(off: [Alarm], at now: Instant, _ zones: some ZoneRules) {
    guard !remembered.isEmpty else { return }
    let gone = remembered.filter { places[$0.key] == nil }
    remembered = gone.filter { left[$0.key] != nil }
    for alarm in off {
      remembered[alarm.id] = gone[alarm.id]?.whileOff(alarm.recurrence, at: now, zones)
    }
    if remembered != gone { isUnsaved = true }
  }

  /// `alarm`, which was another before. Where only what it is like has changed, as it does for all
  /// alarms with the defaults, it is due when it was.
  private mutating func entry(
    _ alarm: Alarm, after before: Entry, at now: Instant, _ zones: some ZoneRules
  ) -> Entry {
    if alarm.recurrence == before.alarm.recurrence {
      return Entry(alarm: alarm, like: before)
    }
    var entry = entry(alarm, before.state, at: now, zones)
    // Where nothing was due, nothing was missed: a pause that is taken away brings no day of it
    // back.
    if let due = entry.next?.due, due <= now, before.next.map({ $0.due > now }) ?? true {
      entry.state.handled = now
      entry.findNext(zones)
      isUnsaved = true
    }
    return entry
  }

  /// `alarm` as it stands, by what is known of it.
  private mutating func entry(
    _ alarm: Alarm, _ known: AlarmState?, at now: Instant, _ zones: some ZoneRules
  ) -> Entry {
    let signature = alarm.recurrence.signature
    guard let known, known.signature == signature else {
      isUnsaved = true
      var entry = Entry(alarm: alarm, state: AlarmState(signature: signature, handled: now))
      // What ran ahead of a ring did, and what was heard last was, whatever else the alarm is now.
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

  /// Other zone rules: the next occurrence is resolved afresh. Where it was not overdue before, the
  /// zones are what made it so.
  mutating func resolveAnew(
    _ i: Int, at now: Instant, _ absence: Absence, _ zones: some ZoneRules
  ) -> Absence {
    let before = entries[i]
    let wasOverdue = before.next.map { now - $0.due > before.late } ?? false
    entries[i].resolveAnew(at: now, zones)
    isUnsaved = isUnsaved || entries[i].state != before.state
    var absence = absence
    if !wasOverdue { absence.away = .zoneChanged }
    return absence
  }
}
