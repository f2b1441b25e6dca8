// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests from which moment a sound counts as heard. `OutputTests.swift` and `HistoryTests.swift` in
// ProgramTests test this with real sound servers.

import Sound
import Testing

@testable import Player

nonisolated struct HearingTests {
  enum Step {
    case advanced(Int)
    case loud(Int)
    case muted(Int)
    case dummy(Int)
  }

  /// The moments are seconds since the sound was ordered. The second list has what each step
  /// returns.
  @Test(arguments: [
    // The device plays before or after the output is known.
    ([Step.advanced(1), .loud(2)], [nil, 1]), ([.loud(1), .advanced(8)], [nil, 8]),
    // The output is a stand-in or muted at first, and the device plays before or after it changes.
    ([.dummy(1), .advanced(2), .loud(5), .loud(6)], [nil, nil, 5, nil]),
    ([.muted(1), .loud(2), .advanced(3)], [nil, nil, 3]),
    // The output is muted later, and unmuted.
    ([.advanced(0), .loud(1), .muted(4), .dummy(5), .loud(6)], [nil, 0, nil, nil, 6]),
    ([.advanced(0), .muted(1)], [nil, nil]),
  ])
  func `a sound is heard once its device plays to an output that can be heard`(
    steps: [Step], expected: [Int?]
  ) {
    var hearing = Hearing()
    let moments = steps.map { step in
      switch step {
      case .advanced(let moment): hearing.advanced(at: .seconds(moment))
      case .loud(let moment): hearing.changed(to: Output(control: "a"), at: .seconds(moment))
      case .muted(let moment):
        hearing.changed(to: Output(control: "a", silence: .muted("A")), at: .seconds(moment))
      case .dummy(let moment):
        hearing.changed(to: Output(control: "a", silence: .dummy), at: .seconds(moment))
      }
    }
    #expect(moments == expected.map { $0.map { .seconds($0) } })
  }
}
