// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the state file has every stored property of the state and of the types in it. The
// tests find the properties by reflection, so they notice a new one. Next: `StateTextTests.swift`,
// which has the state that contains every property.

import Scheduling
import Testing

@testable import Persistence

@Suite struct StateFieldTests {
  /// A value of each type in the state, in which every property has its initial value.
  private static let blanks: [any Sendable] = [
    State(), Now.blank, AlarmState.blank, Ring.blank, StopCheck.blank, Missed.blank, Timer.blank,
    BootMoment.blank, Chain.blank, RecentTimer.blank, Stopwatch(),
  ]

  @Test func `the full state of the tests has another value than the initial one in each field`() {
    var values: [String: [Any]] = [:]
    collect(fullState, into: &values)
    for blank in Self.blanks {
      let type = "\(Swift.type(of: blank))"
      for (field, initial) in Mirror(reflecting: blank).children {
        guard let field else { continue }
        let all = (values[type] ?? []).compactMap { value in
          Mirror(reflecting: value).children.first { $0.label == field }?.value
        }
        #expect(
          all.contains { "\($0)" != "\(initial)" },
          """
          \(type).\(field) is \(initial) everywhere in the full state. Give it another value in \
          fullState (Tests/PersistenceTests/StateTextTests.swift), and add its row to \
          Sources/Persistence/StateFields.swift, so that it survives a restart of the agent.
          """)
      }
    }
  }

  @Test func `each field of the full state is read back`() {
    let read = StateText.parse(Array(StateText.render(fullState).utf8)).state
    let lost = Set(lost(fullState, read, "State")).sorted()
    #expect(
      lost == [],
      "Add a row for each of these fields to Sources/Persistence/StateFields.swift")
  }

  /// Adds `value` and all values in it to `values`, by the names of their types.
  private func collect(_ value: Any, into values: inout [String: [Any]]) {
    values["\(type(of: value))", default: []].append(value)
    for child in Mirror(reflecting: value).children { collect(child.value, into: &values) }
  }

  /// Returns the fields whose values differ, such as `Ring.checks`. `place` is the field that
  /// contains the two values.
  private func lost(_ one: Any, _ other: Any, _ place: String) -> [String] {
    func children(_ value: Any) -> [Mirror.Child] {
      let mirror = Mirror(reflecting: value)
      let children = Array(mirror.children)
      guard mirror.displayStyle == .dictionary else { return children }
      return children.sorted { "\($0.value)" < "\($1.value)" }
    }
    let (mine, theirs) = (children(one), children(other))
    guard !mine.isEmpty, mine.map(\.label) == theirs.map(\.label) else {
      return "\(one)" == "\(other)" ? [] : [place]
    }
    let isRecord = Mirror(reflecting: one).displayStyle == .struct
    return zip(mine, theirs).flatMap { mine, theirs in
      let inner = isRecord ? "\(type(of: one)).\(mine.label ?? "")" : place
      return lost(mine.value, theirs.value, inner)
    }
  }
}
