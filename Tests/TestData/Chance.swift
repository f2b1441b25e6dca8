// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes random choices that can be repeated, with a seeded generator. Environment variables set the
// seed and the number of tries. `Tests/run` prints a run's seed, and `BELFRY_SEED=17 swift test
// --filter Simulation` repeats what seed 17 did.

import Foundation

/// The random number generator SplitMix64 by Sebastiano Vigna.
public struct Chance: RandomNumberGenerator {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  /// The seed with which every random test of this run begins. It comes from the environment, or
  /// else it is random.
  public static let firstSeed = asked("BELFRY_SEED") ?? UInt64.random(in: 0...999_999)

  /// The environment of the test run. It is read once, because `Lab.shared` changes it later: no
  /// other thread may read the environment during that change.
  private static let environment = ProcessInfo.processInfo.environment

  /// Returns the number in the environment variable `name`; nil if the variable is not set.
  public static func asked<Number: FixedWidthInteger>(_ name: String) -> Number? {
    environment[name].flatMap { Number($0) }
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  public mutating func number<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> Number {
    .random(in: range, using: &self)
  }

  public mutating func seconds(_ range: ClosedRange<Int64>) -> Duration { .seconds(number(range)) }
  public mutating func oneIn(_ n: Int) -> Bool { number(1...n) == 1 }
  public mutating func pick<T>(_ items: [T]) -> T { items[number(0...(items.count - 1))] }
}
