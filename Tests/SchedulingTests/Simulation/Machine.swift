// SPDX-License-Identifier: GPL-3.0-or-later
//
// Simulates the machine of a story: lets time go by, sets the clock, starts the agent, carries out
// the agent's effects, and checks some of them. Next: `Oracle.swift`.

import Scheduling

extension World {
  mutating func pass(_ time: Duration) {
    now.wall = now.wall + time
    now.boot += time
    elapsed += time
  }

  mutating func setWall(_ wall: Instant) {
    if wall < now.wall {
      oracle.setBack(to: wall, in: zones)
      // What is more than an hour ahead comes once more.
      for alarm in alarms {
        func isFar(_ due: Instant, _ ahead: Duration) -> Bool { due - ahead > wall + .hours(1) }
        if let due = prepared[alarm.id], isFar(due, alarm.ring.before) { prepared[alarm.id] = nil }
        if let due = bedtimeClosed[alarm.id], isFar(due, alarm.ring.bedtime) {
          bedtimeClosed[alarm.id] = nil
        }
      }
    }
    now.wall = wall
  }

  /// Returns by how much a story may set the clock if it wants to set it by `step`. The clock must
  /// stay within four days of the true time, because an agent remembers only the last
  /// `AlarmState.settledKept` rings of an alarm. With a larger error, an older ring could come
  /// again, and the oracle would report an error.
  mutating func stray(_ step: Duration) -> Duration {
    let limit = Duration.hours(4 * 24)
    let step = max(.zero - limit, min(limit, astray + step)) - astray
    astray += step
    return step
  }

  mutating func restart() throws(Violation) {
    schedule = Schedule(restoring: sabotage == .forgetsOnRestart ? State() : disk)
    (heard, screen, preparing) = (.silent, [:], [:])
    try happen(configured)
  }

  /// Applies an event to the agent and checks the result. Returns whether the event had no effect.
  @discardableResult
  mutating func happen(_ event: Event, onTime: Bool = false) throws(Violation) -> Bool {
    if now.wall >= Schedule.earliestPlausible {
      oracle.release(after: now.wall + Schedule.staysSettled)
    }
    let effects = schedule.apply(event, at: now, in: zones)
    try perform(effects)
    try look(onTime: onTime)
    try tellOfUser()
    return effects.isEmpty
  }

  /// Answers the agent's question whether the user was active. The answer may be yes or unknown, or
  /// there is no answer.
  mutating func tellOfUser() throws(Violation) {
    defer { looks = [] }
    for id in looks {
      guard let i = alarms.firstIndex(where: { $0.id == id }) else { continue }
      looks = []
      switch events % 6 {
      case 0: try answer(i, .isUp(id))
      case 1: break
      default: try answer(i, .ask(id))
      }
    }
  }

  /// Carries out `effects`. If `crashAfter` is set, the agent dies after that many effects. Returns
  /// whether the state was saved.
  @discardableResult
  mutating func perform(_ effects: [Effect]) throws(Violation) -> Bool {
    events += 1
    var isRecorded = false
    for (count, effect) in effects.enumerated() {
      if count == crashAfter {
        tell("the agent dies")
        (crashAfter, given, closing) = (nil, nil, nil)
        try restart()
        return isRecorded
      }
      tell(effect)
      switch effect {
      case .sound: heard = schedule.sound
      case .notice(let key): screen[key] = schedule.notice(key)
      case .persist:
        (disk, isRecorded, recorded) = (schedule.state, true, elapsed)
        tellOracle()
        if let closing { bedtimeClosed[closing.id] = closing.due }
        closing = nil
      case .before(let ring): try prepare(ring)
      case .takenBack(let ring): try takeBack(ring)
      case .checkUp(let id): looks.append(id)
      case .chime(let chime): try lookAtStroke(of: chime)
      case .stroke, .ended, .began, .renamed, .mixer, .players, .pausePlayers, .tray, .changed:
        break
      }
    }
    guard heard == schedule.sound, screen.allSatisfy({ schedule.notice($0) == $1 }) else {
      throw Violation(text: "sound and notices are not those of the schedule")
    }
    return isRecorded
  }

  /// Checks a stroke of `chime`: it must come within two seconds of one of the chime's times, only
  /// once, and not during a ring.
  mutating func lookAtStroke(of chime: Chime) throws(Violation) {
    let local = zones.civil(at: now.wall, in: nil)
    let second = Int64(local.time.secondOfDay)
    let late = second % chime.every.wholeSeconds
    guard late <= 2 else { throw Violation(text: "a chime struck at \(local.text)") }
    if let hours = chime.between {
      let due = CivilDateTime(localSeconds: local.localSeconds - late).time
      guard hours.first <= due, due <= hours.last else {
        throw Violation(text: "a chime struck outside its hours, at \(local.text)")
      }
    }
    guard schedule.ringing.isEmpty, schedule.sound == .silent else {
      throw Violation(text: "a chime struck over a ring")
    }
    if let struck, elapsed - struck <= .seconds(2) {
      throw Violation(text: "a chime struck twice at \(local.text)")
    }
    struck = elapsed
  }

  /// Checks that the `on_before` commands of `ring` run before it and only once.
  mutating func prepare(_ ring: OpenRing) throws(Violation) {
    guard ring.ring.due > now.wall, schedule.entry(ring.id)?.wanted?.due == ring.ring.due else {
      throw Violation(text: "on_before of \(ring.id) ran without an upcoming ring")
    }
    guard prepared.updateValue(ring.ring.due, forKey: ring.id) != ring.ring.due else {
      throw Violation(text: "on_before of \(ring.id) ran twice for one ring")
    }
    preparing[ring.key] = ring.ring.due
  }

  mutating func takeBack(_ ring: OpenRing.Key) throws(Violation) {
    guard let due = preparing.removeValue(forKey: ring), due > now.wall,
      schedule.entry(ring.id)?.wanted?.due != due
    else { throw Violation(text: "on_before of \(ring.id) was taken back, but the ring will come") }
  }

  /// Checks that each alarm's next ring has its bedtime notice for an hour, or until the ring if
  /// that is sooner, unless the user closed the notice; and that no other bedtime notice is shown.
  func lookAtBedtimes() throws(Violation) {
    for entry in schedule.entries {
      let (id, length) = (entry.alarm.id, entry.alarm.ring.bedtime)
      let due = entry.isSkipped ? nil : entry.next?.due
      let left = due.map { $0 - now.wall } ?? .zero
      let isClosed = due != nil && bedtimeClosed[id] == due
      let isWanted = left > .zero && left <= length && left > length - .hours(1) && !isClosed
      let shown = screen[Notice.Key(kind: .bedtime, id: id)]
      let isShown = if case .bedtime(_, _, due, _) = shown { true } else { false }
      guard isWanted == isShown, isShown || shown == nil else {
        throw Violation(
          text: "\(id) says that it is time to sleep: \(isShown), and is to: \(isWanted)")
      }
    }
  }

  /// Checks that no `on_before` commands are running for a ring that will not come.
  mutating func lookAtPreparations() throws(Violation) {
    preparing = preparing.filter { $1 > now.wall }
    for (ring, due) in preparing where schedule.entry(ring.id)?.wanted?.due != due {
      throw Violation(text: "on_before of \(ring.id) goes on although its ring will not come")
    }
  }

  mutating func tell(_ effect: Effect) {
    guard keepsLog else { return }
    let text = Narrator(zones: zones).text(effect, of: schedule)
    tell(text)
  }

  mutating func tell(_ text: @autoclosure () -> String) {
    guard keepsLog else { return }
    log.append("\(zones.civil(at: now.wall, in: nil).text)  \(text())")
  }
}
