// SPDX-License-Identifier: GPL-3.0-or-later
//
// The switch that turns a mutant on. `run` puts a copy of this file into each target that it
// mutates, and replaces code such as `a < b` by `a <| 17 |< b`. This is the same comparison, unless
// the environment says `BELFRY_MUTANT=17`. So one build holds all mutants, and testing a mutant
// costs only one run of the tests.

import Glibc

/// Public, because the default value of a public parameter may contain a mutant.
public enum Mutant {
  /// The number of the mutant that is switched on, or 0 if no mutant is.
  static let active: Int = getenv("BELFRY_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

  public static func isOn(_ id: Int) -> Bool { active == id }
  /// Returns `condition`, negated if mutant `id` is on.
  public static func negate(_ id: Int, _ condition: Bool) -> Bool {
    isOn(id) ? !condition : condition
  }
  /// Returns `value`, or `other` if mutant `id` is on.
  public static func number<T: ExpressibleByIntegerLiteral>(_ id: Int, _ value: T, _ other: T) -> T
  {
    isOn(id) ? other : value
  }
  /// Returns the smaller of two values, or the larger one if mutant `id` is on.
  public static func min<T: Comparable>(_ id: Int, _ a: T, _ b: T) -> T {
    isOn(id) ? Swift.max(a, b) : Swift.min(a, b)
  }
  /// Returns the larger of two values, or the smaller one if mutant `id` is on.
  public static func max<T: Comparable>(_ id: Int, _ a: T, _ b: T) -> T {
    isOn(id) ? Swift.min(a, b) : Swift.max(a, b)
  }
}

/// The left side of a mutated operator, such as `a <| 17` in `a <| 17 |< b`. The second operator,
/// here `|<`, combines it with the right side.
struct MutantSide<T> {
  let value: T
  let id: Int
  var isOn: Bool { Mutant.isOn(id) }
}

/// Like `MutantSide`, for a comparison that the mutant turns into its opposite.
struct MutantOpposite<T> {
  let value: T
  let id: Int
  var isOn: Bool { Mutant.isOn(id) }
}

precedencegroup MutantOr {
  associativity: left
  higherThan: LogicalDisjunctionPrecedence
  lowerThan: LogicalConjunctionPrecedence
}
precedencegroup MutantAnd {
  associativity: left
  higherThan: LogicalConjunctionPrecedence
  lowerThan: ComparisonPrecedence
}
precedencegroup MutantComparison {
  associativity: left
  higherThan: MutantAnd
  lowerThan: NilCoalescingPrecedence
}

infix operator ||| : MutantOr
infix operator |||| : MutantOr
infix operator &&& : MutantAnd
infix operator &&&& : MutantAnd
infix operator <| : MutantComparison
infix operator <!| : MutantComparison
infix operator |< : MutantComparison
infix operator |<= : MutantComparison
infix operator |> : MutantComparison
infix operator |>= : MutantComparison
infix operator |== : MutantComparison
infix operator |!= : MutantComparison
infix operator +| : AdditionPrecedence
infix operator |+ : AdditionPrecedence
infix operator -| : AdditionPrecedence
infix operator |- : AdditionPrecedence

// MARK: - Logic: `&&` becomes `||`, and the reverse

func ||| (a: Bool, id: Int) -> MutantSide<Bool> { MutantSide(value: a, id: id) }
func |||| (a: MutantSide<Bool>, b: @autoclosure () -> Bool) -> Bool {
  a.isOn ? a.value && b() : a.value || b()
}
func &&& (a: Bool, id: Int) -> MutantSide<Bool> { MutantSide(value: a, id: id) }
func &&&& (a: MutantSide<Bool>, b: @autoclosure () -> Bool) -> Bool {
  a.isOn ? a.value || b() : a.value && b()
}

// MARK: - Comparisons: `<` becomes `<=` and the reverse, or a comparison becomes its opposite

func <| <T>(a: T, id: Int) -> MutantSide<T> { MutantSide(value: a, id: id) }
func <!| <T>(a: T, id: Int) -> MutantOpposite<T> { MutantOpposite(value: a, id: id) }

func |< <T: Comparable>(a: MutantSide<T>, b: T) -> Bool { a.isOn ? a.value <= b : a.value < b }
func |<= <T: Comparable>(a: MutantSide<T>, b: T) -> Bool { a.isOn ? a.value < b : a.value <= b }
func |> <T: Comparable>(a: MutantSide<T>, b: T) -> Bool { a.isOn ? a.value >= b : a.value > b }
func |>= <T: Comparable>(a: MutantSide<T>, b: T) -> Bool { a.isOn ? a.value > b : a.value >= b }
func |< <T: Comparable>(a: MutantOpposite<T>, b: T) -> Bool { (a.value < b) != a.isOn }
func |<= <T: Comparable>(a: MutantOpposite<T>, b: T) -> Bool { (a.value <= b) != a.isOn }
func |> <T: Comparable>(a: MutantOpposite<T>, b: T) -> Bool { (a.value > b) != a.isOn }
func |>= <T: Comparable>(a: MutantOpposite<T>, b: T) -> Bool { (a.value >= b) != a.isOn }
func |== <T: Equatable>(a: MutantOpposite<T>, b: T) -> Bool { (a.value == b) != a.isOn }
func |!= <T: Equatable>(a: MutantOpposite<T>, b: T) -> Bool { (a.value != b) != a.isOn }
func |== <T>(a: MutantOpposite<T?>, b: _OptionalNilComparisonType) -> Bool {
  (a.value == b) != a.isOn
}
func |!= <T>(a: MutantOpposite<T?>, b: _OptionalNilComparisonType) -> Bool {
  (a.value != b) != a.isOn
}

// MARK: - Sums: `+` becomes `-` and the reverse; for two lists, `a + b` becomes `a`

func +| <T>(a: T, id: Int) -> MutantSide<T> { MutantSide(value: a, id: id) }
func -| <T>(a: T, id: Int) -> MutantSide<T> { MutantSide(value: a, id: id) }
func |+ <T: AdditiveArithmetic>(a: MutantSide<T>, b: T) -> T {
  a.isOn ? a.value - b : a.value + b
}
func |- <T: AdditiveArithmetic>(a: MutantSide<T>, b: T) -> T {
  a.isOn ? a.value + b : a.value - b
}
func |+ <T: RangeReplaceableCollection>(a: MutantSide<T>, b: T) -> T {
  a.isOn ? a.value : a.value + b
}
func |+ (a: MutantSide<Instant>, b: Duration) -> Instant {
  a.isOn ? a.value - b : a.value + b
}
func |- (a: MutantSide<Instant>, b: Duration) -> Instant {
  a.isOn ? a.value + b : a.value - b
}
/// Two instants cannot be added, so the mutant makes their difference a second longer.
func |- (a: MutantSide<Instant>, b: Instant) -> Duration {
  a.isOn ? a.value - b + .seconds(1) : a.value - b
}
