// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chance that can be repeated: a seeded generator, and the seed and size of a run from the
// environment. `BELFRY_SEED=17 swift test --filter Simulation` repeats what seed 17 did.

import Glibc

/// Sebastiano Vigna's SplitMix64.
struct Chance: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func number(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &self) }
  mutating func seconds(_ range: ClosedRange<Int64>) -> Duration { .seconds(number(range)) }
  mutating func oneIn(_ n: Int64) -> Bool { number(1...n) == 1 }
  mutating func pick<T>(_ items: [T]) -> T { items[Int(number(0...Int64(items.count - 1)))] }
}

/// A number from the environment.
func environment(_ name: String) -> UInt64? {
  getenv(name).flatMap { UInt64(String(cString: $0)) }
}

/// The seed to begin with: that of the environment, or another at each run.
let firstSeed = environment("BELFRY_SEED") ?? UInt64.random(in: 0...999_999)
