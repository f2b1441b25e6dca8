// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chains of timers: which preset follows which, in each round, by the config that is in force when
// a timer ends. Also decides how a chain goes on while the machine is suspended. A timer of a chain
// rings and is answered like any other timer: see `TimerLife.swift`.

public struct Chain: Hashable, Sendable {
  /// The id with which the chain's first timer was started. In later rounds, the first timer has
  /// this id again or, while another timer still has it, a numbered one such as `focus-2`. No other
  /// chain has this id.
  public var id: String
  public var first: String
  /// The label and sound that the user gave when starting the chain's first timer. In each round,
  /// the first timer has this label and sound again.
  public var label: String?
  public var sound: String?
  /// The current round, counted from 1.
  public var round = 1
  /// Whether the next timer has started although the user did not answer this timer. This timer
  /// then rings until it counts as unanswered, but starts no other timer.
  public var hasGoneOn = false

  public init(id: String, first: String, label: String? = nil, sound: String? = nil) {
    (self.id, self.first, self.label, self.sound) = (id, first, label, sound)
  }
}

/// The round that a timer belongs to, and the number of rounds. `rounds` is nil if the chain has no
/// end.
public struct Round: Hashable, Sendable {
  public var number: Int
  public var rounds: Int?

  public init(_ number: Int, of rounds: Int?) { (self.number, self.rounds) = (number, rounds) }
}

extension TimerSettings {
  /// Returns the presets of one round, beginning with `name`. If `then` of a preset is a list, the
  /// number of the round, from 1, decides which of its names follows. Each preset occurs only once:
  /// the round ends if `then` leads back to an earlier preset.
  func round(_ number: Int, from name: String) -> [TimerPreset] {
    var (round, seen): ([TimerPreset], Set<String>) = ([], [])
    var next: String? = name
    while let name = next, let preset = preset(name), seen.insert(name).inserted,
      preset.duration <= Timer.longest
    {
      round.append(preset)
      next = preset.then.isEmpty ? nil : preset.then[(number - 1) % preset.then.count]
    }
    return round
  }

  /// The number of rounds after which the same rounds come again: the smallest common multiple of
  /// the lengths of all lists in `then`.
  fileprivate var roundsUntilSame: Int {
    (1...).first { count in
      presets.allSatisfy { count.isMultiple(of: max(1, $0.then.count)) }
    } ?? 1
  }

  /// Returns the preset that follows `timer`, and the place of the next timer in the chain; nil if
  /// nothing follows. A timer whose preset is no longer part of the chain counts as the last timer
  /// of its round.
  func successor(of timer: Timer) -> (preset: TimerPreset, chain: Chain)? {
    guard var chain = timer.chain, !chain.hasGoneOn else { return nil }
    let round = round(chain.round, from: chain.first)
    guard let first = round.first else { return nil }
    if let place = round.firstIndex(where: { $0.name == timer.preset }), place + 1 < round.count {
      return (round[place + 1], chain)
    }
    guard first.rounds.map({ chain.round < $0 }) ?? true else { return nil }
    chain.round += 1
    return (first, chain)
  }

}

extension Schedule {
  /// The timer's round; nil if its chain has only one round.
  public func round(of timer: Timer) -> Round? {
    guard let chain = timer.chain, let first = timerSettings.preset(chain.first),
      first.rounds != 1
    else { return nil }
    return Round(chain.round, of: first.rounds)
  }

  /// Returns the label of the timer that follows `timer` or, if it has none, its name.
  public func nextName(after timer: Timer) -> String? {
    timerSettings.successor(of: timer).map { next in
      (next.preset.name == next.chain.first ? next.chain.label : next.preset.label)
        ?? next.preset.name
    }
  }

  /// Returns the chain that begins with the timer that `order` starts; nil if no timer follows that
  /// timer.
  func chain(of order: TimerOrder) -> Chain? {
    guard let name = order.timer.preset, let preset = timerSettings.preset(name),
      !preset.then.isEmpty || preset.rounds != 1
    else { return nil }
    return Chain(id: order.id, first: name, label: order.timer.label, sound: order.timer.sound)
  }

  /// Removes a timer that the user has stopped and starts the next one of its chain in its place.
  mutating func goOn(_ i: Int, at now: Now) {
    let answered = timers.remove(at: i)
    guard let next = timerSettings.successor(of: answered) else { return }
    timers.insert(timer(next.preset, next.chain, from: BootMoment(now.boot)), at: i)
  }

  /// Continues the chains whose timers do not wait for the user (`flows`): each timer starts at the
  /// moment at which the timer before it ended. If several timers ended in the meantime, only the
  /// last one rings. A timer with `pause_players` pauses the players even if later timers have
  /// ended, too, but not in a round that `skipRounds` skips. A timer that ended longer ago than
  /// `lateness` neither rings nor pauses the players.
  mutating func flow(to now: Now) {
    for i in timers.indices.reversed() {
      while let end = timers[i].overdue(at: now),
        timerSettings.preset(of: timers[i])?.flows == true,
        let (preset, chain) = timerSettings.successor(of: timers[i])
      {
        let (skipped, start) = skipRounds(chain, preset, from: end, to: now)
        let next = timer(preset, skipped, from: start)
        let isTooLate = now.boot - end.reading > settings(of: timers[i]).lateness
        if next.overdue(at: now) != nil || isTooLate {
          if !isTooLate, endsQuietly(timers[i]) { endQuietly(timers[i], at: now) }
          timers[i] = next
        } else {
          timers[i].chain?.hasGoneOn = true
          timers.insert(next, at: i + 1)
        }
      }
    }
  }

  /// Skips the whole rounds that have gone by since `start`, if a round begins at `start`. Counts
  /// rounds one by one until they begin to repeat (`roundsUntilSame`), and computes the rest. To
  /// count all of them would take too long for timers of a few seconds after years of suspend.
  private func skipRounds(
    _ chain: Chain, _ preset: TimerPreset, from start: BootMoment, to now: Now
  ) -> (Chain, BootMoment) {
    let lastRound = preset.rounds ?? .max
    guard preset.name == chain.first else { return (chain, start) }
    let (begin, count) = ((round: chain.round, start: start), timerSettings.roundsUntilSame)
    var (chain, start) = (chain, start)
    while chain.round < lastRound {
      let round = timerSettings.round(chain.round, from: chain.first)
      let end = start.reading + round.reduce(Duration.zero) { $0 + $1.duration }
      guard round.allSatisfy(\.flows), end <= now.boot else { break }
      chain.round += 1
      start.reading = end
      if chain.round == begin.round + count {
        let length = (end - begin.start.reading).wholeMicroseconds
        let passed = (now.boot - end).wholeMicroseconds / length
        let times = min(Int(clamping: passed), (lastRound - chain.round) / count)
        chain.round += count * times
        start.reading += .microseconds(length * Int64(times))
      }
    }
    return (chain, start)
  }

  private func timer(_ preset: TimerPreset, _ chain: Chain, from start: BootMoment) -> Timer {
    let isFirst = preset.name == chain.first
    var end = start
    end.reading += preset.duration
    var timer = Timer(
      id: timerID(for: isFirst ? chain.id : preset.name, in: chain),
      label: isFirst ? chain.label : preset.label, preset: preset.name,
      sound: isFirst ? chain.sound : nil, duration: preset.duration, phase: .running(until: end))
    timer.chain = chain
    return timer
  }

  /// Ends the ring of a timer once the timer that follows it in the chain is ringing itself.
  mutating func endRingsOfChains(at now: Instant) {
    var ringing: Set<String> = []
    for i in timers.indices.reversed() where !timers[i].isCountingDown {
      guard let chain = timers[i].chain, !ringing.insert(chain.id).inserted, chain.hasGoneOn
      else { continue }
      endUnanswered(i, at: now)
      timers.remove(at: i)
    }
  }

  /// Records that a ring ended unanswered, if the timer is ringing. The ring is not listed as
  /// missed, because the next timer of the chain has already started.
  mutating func endUnanswered(_ i: Int, at now: Instant) {
    guard let open = openRing(of: timers[i]), open.snoozedUntil == nil else { return }
    end(open, .missed(.unanswered), at: now)
  }
}

extension Timer {
  /// Takes the timer out of its chain if the next timer has started already. This is done when the
  /// user snoozes the timer or lets it run again: as part of the chain, it would end without a ring
  /// as soon as the next timer rings.
  mutating func leaveChainThatHasGoneOn() {
    if chain?.hasGoneOn == true { chain = nil }
  }
}
