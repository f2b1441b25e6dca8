// SPDX-License-Identifier: GPL-3.0-or-later
//
// Timers that go on: which preset follows which, round by round, as the config says at that moment;
// and what becomes of that while nobody looks. How a timer of a chain rings and is answered is as
// with any other, in `TimerLife.swift`.

/// Where a timer stands among those that follow one another.
public struct Chain: Hashable, Sendable {
  /// What its first timer is called, in each round; no other chain has it.
  public var id: String
  /// The preset that it began with.
  public var first: String
  /// What the first was started with, in each round.
  public var label: String?
  public var sound: String?
  /// From 1.
  public var round = 1
  /// The next has begun without an answer: this one only rings to its end.
  public var hasGoneOn = false

  public init(id: String, first: String, label: String? = nil, sound: String? = nil) {
    (self.id, self.first, self.label, self.sound) = (id, first, label, sound)
  }
}

/// Which round of how many a timer belongs to; nil of `rounds`: for ever.
public struct Round: Hashable, Sendable {
  public var number: Int
  public var rounds: Int?

  public init(_ number: Int, of rounds: Int?) { (self.number, self.rounds) = (number, rounds) }
}

extension TimerSettings {
  /// The presets of one round: each once, so that one that leads back to an earlier one ends it.
  func round(from name: String) -> [TimerPreset] {
    var (round, seen): ([TimerPreset], Set<String>) = ([], [])
    var next: String? = name
    while let name = next, let preset = preset(name), seen.insert(name).inserted,
      preset.duration <= Timer.longest
    {
      round.append(preset)
      next = preset.then
    }
    return round
  }

  /// What follows that timer, if anything does. One that the config does not have any more is over
  /// with its round.
  func successor(of timer: Timer) -> (preset: TimerPreset, chain: Chain)? {
    guard var chain = timer.chain, !chain.hasGoneOn else { return nil }
    let round = round(from: chain.first)
    guard let first = round.first else { return nil }
    if let place = round.firstIndex(where: { $0.name == timer.preset }), place + 1 < round.count {
      return (round[place + 1], chain)
    }
    guard first.rounds.map({ chain.round < $0 }) ?? true else { return nil }
    chain.round += 1
    return (first, chain)
  }

  /// Nil where there is but one.
  public func round(of timer: Timer) -> Round? {
    guard let chain = timer.chain, let first = preset(chain.first), first.rounds != 1 else {
      return nil
    }
    return Round(chain.round, of: first.rounds)
  }

  /// What follows that timer, as it is called.
  public func nextName(after timer: Timer) -> String? {
    successor(of: timer).map { next in
      (next.preset.name == next.chain.first ? next.chain.label : next.preset.label)
        ?? next.preset.name
    }
  }
}

extension Schedule {
  public func round(of timer: Timer) -> Round? { timerSettings.round(of: timer) }

  public func nextName(after timer: Timer) -> String? { timerSettings.nextName(after: timer) }

  /// What begins with that preset; nil where nothing follows it.
  func chain(of order: TimerOrder) -> Chain? {
    guard let name = order.preset, let preset = timerSettings.preset(name),
      preset.then != nil || preset.rounds != 1
    else { return nil }
    return Chain(id: order.id, first: name, label: order.label, sound: order.sound)
  }

  /// The answer to that timer was given: the next of its chain takes its place, or nothing.
  mutating func goOn(_ i: Int, at now: Now) {
    let answered = timers.remove(at: i)
    isUnsaved = true
    guard let next = timerSettings.successor(of: answered) else { return }
    timers.insert(timer(next.preset, next.chain, from: BootMoment(now.boot)), at: i)
  }

  /// What goes on at once goes on, each timer from the end of the one before. Of several that were
  /// over meanwhile only the last rings, if it is not too late for that.
  mutating func flow(to now: Now) {
    for i in timers.indices.reversed() {
      while let end = timers[i].overdue(at: now), timerSettings.preset(of: timers[i])?.flow == true,
        let (preset, chain) = timerSettings.successor(of: timers[i])
      {
        isUnsaved = true
        let (skipped, start) = skipRounds(chain, preset, from: end, to: now)
        let next = timer(preset, skipped, from: start)
        let isTooLate = now.boot - end.reading > settings(of: timers[i]).lateness
        if next.overdue(at: now) != nil || isTooLate {
          timers[i] = next
        } else {
          timers[i].chain?.hasGoneOn = true
          timers.insert(next, at: i + 1)
        }
      }
    }
  }

  /// Whole rounds that have gone by since `start`, where one begins: nobody is to wait for years of
  /// seconds to be counted one by one.
  private func skipRounds(
    _ chain: Chain, _ preset: TimerPreset, from start: BootMoment, to now: Now
  ) -> (Chain, BootMoment) {
    let round = timerSettings.round(from: chain.first)
    guard preset.name == chain.first, round.allSatisfy(\.flow) else { return (chain, start) }
    let length = round.reduce(Int64(0)) { $0 + $1.duration.wholeMicroseconds }
    let passed = (now.boot - start.reading).wholeMicroseconds / max(1, length)
    let count = min(Int(clamping: passed), (preset.rounds ?? .max) - chain.round)
    guard count > 0 else { return (chain, start) }
    var (chain, start) = (chain, start)
    chain.round += count
    start.reading += .microseconds(length * Int64(count))
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

  /// One whose next has begun waits for no answer any more once that rings itself.
  mutating func endRingsOfChains(at now: Instant) {
    var ringing: Set<String> = []
    for i in timers.indices.reversed() where !timers[i].isCountingDown {
      guard let chain = timers[i].chain, !ringing.insert(chain.id).inserted, chain.hasGoneOn
      else { continue }
      endUnanswered(i, at: now)
      timers.remove(at: i)
      isUnsaved = true
    }
  }

  /// Records the end of a timer that rings and whose next has begun.
  mutating func endUnanswered(_ i: Int, at now: Instant) {
    guard let open = openRing(of: timers[i]), open.snoozedUntil == nil else { return }
    end(open, .missed(.unanswered), at: now)
  }
}
