// SPDX-License-Identifier: GPL-3.0-or-later
//
// The alarms of the config in their order, and beside it which of them comes first: of a hundred
// thousand a few are under way, and to find these it must not look at all. It decides nothing about
// alarms. Next: `Entry.swift`, one of them.

/// The earliest moments of some alarms; the distant future where there is none.
struct Earliest: Equatable, Sendable {
  var stir = Instant.distantFuture
  var start = Instant.distantFuture
  /// Of those that wake a suspended machine.
  var wakingStart = Instant.distantFuture

  mutating func consider(_ entry: Schedule.Entry) {
    stir = min(stir, entry.quietUntil)
    guard let moment = entry.nextStart else { return }
    start = min(start, moment)
    if entry.alarm.ring.wake { wakingStart = min(wakingStart, moment) }
  }

  mutating func consider(_ other: Earliest) {
    (stir, start) = (min(stir, other.stir), min(start, other.start))
    wakingStart = min(wakingStart, other.wakingStart)
  }
}

/// Alarms stand on shelves, and the shelves are the leaves of a tree whose nodes know the earliest
/// moments of all below them. To change one alarm costs its shelf and the way to the root, to find
/// the first the way down. A copy shares all shelves but those that are changed after.
public struct Agenda: RandomAccessCollection, Equatable, Sendable {
  private static let shelfSize = 64
  private var shelves: [[Schedule.Entry]]
  /// The root is the first, which has the number 1; below number i are 2i and 2i + 1. The second
  /// half are the leaves.
  private var nodes: [Earliest]
  /// While many are changed, the nodes are as they were before.
  private var isChanging = false
  public let count: Int

  init() { (count, shelves, nodes) = (0, [], [Earliest(), Earliest()]) }

  /// With an entry for each of `alarms`.
  init(_ alarms: [Alarm], _ entry: (Alarm) -> Schedule.Entry) {
    count = alarms.count
    shelves = stride(from: 0, to: count, by: Self.shelfSize).map { first in
      alarms[first..<Swift.min(first + Self.shelfSize, alarms.count)].map(entry)
    }
    var leaves = 1
    while leaves < shelves.count { leaves *= 2 }
    nodes = Array(repeating: Earliest(), count: 2 * leaves)
    findEarliest()
  }

  private mutating func findEarliest() {
    for i in shelves.indices { nodes[leaves + i] = earliest(onShelf: i) }
    for node in (1..<leaves).reversed() { nodes[node] = earliest(below: node) }
  }

  /// Until `endChanges` up to `most` alarms are changed, and nobody asks which comes first. Where
  /// these are many, that is found out once and not for each.
  mutating func beginChanges(atMost most: Int) { isChanging = most > shelves.count }

  mutating func endChanges() {
    if isChanging { findEarliest() }
    isChanging = false
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public internal(set) subscript(i: Int) -> Schedule.Entry {
    get { shelves[i / Self.shelfSize][i % Self.shelfSize] }
    set {
      let shelf = i / Self.shelfSize
      shelves[shelf][i % Self.shelfSize] = newValue
      if isChanging { return }
      var node = leaves + shelf
      nodes[node] = earliest(onShelf: shelf)
      while node > 1 {
        node /= 2
        nodes[node] = earliest(below: node)
      }
    }
  }

  /// Of all alarms.
  var earliest: Earliest { nodes[1] }

  /// Where the alarms are that ring or are snoozed, and those that wait for a clock that is set.
  var underway: [Int] { stirring(at: .distantPast) }

  /// Where the alarms are that do or show something at `now`.
  func stirring(at now: Instant) -> [Int] {
    var found: [Int] = []
    var open = [1]
    while let node = open.popLast() {
      guard nodes[node].stir <= now else { continue }
      if node < leaves {
        open += [2 * node + 1, 2 * node]
        continue
      }
      let shelf = node - leaves
      guard shelf < shelves.count else { continue }
      for (i, entry) in shelves[shelf].enumerated() where entry.quietUntil <= now {
        found.append(shelf * Self.shelfSize + i)
      }
    }
    return found
  }

  /// An alarm, and a moment that is to come for it. In order of these, then of the config.
  struct Coming: Comparable {
    var index: Int
    var moment: Instant

    static func < (a: Coming, b: Coming) -> Bool { (a.moment, a.index) < (b.moment, b.index) }
  }

  /// The alarm for which `moment` is the earliest, no later than `limit`.
  func first(
    by bound: (Earliest) -> Instant, upTo limit: Instant = .distantFuture,
    _ moment: (Schedule.Entry) -> Instant?
  ) -> Coming? {
    first(1, by: bound, upTo: limit, moment).first
  }

  /// The `count` alarms for which `moment` is the earliest. `bound` is never later than that, be it
  /// of one alarm or of many.
  func first(
    _ count: Int, by bound: (Earliest) -> Instant, upTo limit: Instant = .distantFuture,
    _ moment: (Schedule.Entry) -> Instant?
  ) -> [Coming] {
    var found: [Coming] = []
    func isWanted(_ coming: Coming) -> Bool {
      guard coming.moment <= limit, coming.moment < .distantFuture else { return false }
      return found.count < count || found.last.map { coming < $0 } ?? false
    }
    var open = [1]
    while let node = open.popLast() {
      guard isWanted(Coming(index: firstIndex(below: node), moment: bound(nodes[node]))) else {
        continue
      }
      if node < leaves {
        let isLeftFirst = bound(nodes[2 * node]) <= bound(nodes[2 * node + 1])
        open += isLeftFirst ? [2 * node + 1, 2 * node] : [2 * node, 2 * node + 1]
        continue
      }
      let shelf = node - leaves
      for (i, entry) in shelves[shelf].enumerated() {
        guard let moment = moment(entry) else { continue }
        let coming = Coming(index: shelf * Self.shelfSize + i, moment: moment)
        guard isWanted(coming) else { continue }
        found.insert(coming, at: found.firstIndex { coming < $0 } ?? found.count)
        if found.count > count { found.removeLast() }
      }
    }
    return found
  }

  private func firstIndex(below node: Int) -> Int {
    var leaf = node
    while leaf < leaves { leaf *= 2 }
    return (leaf - leaves) * Self.shelfSize
  }

  private var leaves: Int { nodes.count / 2 }

  private func earliest(onShelf shelf: Int) -> Earliest {
    shelves[shelf].reduce(into: Earliest()) { $0.consider($1) }
  }

  private func earliest(below node: Int) -> Earliest {
    var earliest = nodes[2 * node]
    earliest.consider(nodes[2 * node + 1])
    return earliest
  }
}
