// SPDX-License-Identifier: GPL-3.0-or-later
//
// The trait of tests that start real servers or wait in real time. It runs them on the threads of
// `Lanes.swift`, prints how long each took, accepts that some cannot be tried on this machine, and
// tries a failed test once more: on a busy machine another process may stall. `Tests/run` prints the
// first failure. Tests that only compute do not need this trait. Next: `Lab.swift`.

// Where Swift is linked statically, as in a release, there is no Testing and there are no tests.
#if canImport(Testing)
  import Foundation
  import Testing

  /// For suites: `@Suite(.realServers)`.
  public struct RealServers: SuiteTrait, TestTrait, TestScoping {
    /// Whether the running test failed before. Results that several tests share are made again then.
    @TaskLocal public static var isSecondTry = false
    /// When the running test began its work.
    @TaskLocal private static var start = Guarded(0.0)

    public var isRecursive: Bool { true }

    /// Applies to each case of a test, with or without arguments, and not to whole suites.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
      testCase == nil ? nil : self
    }

    public func provideScope(
      for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
      @Sendable func attempt() async throws { do { try await body() } catch is LeftOut {} }
      try await withTaskExecutorPreference(Lanes.all) {
        try Lanes.all.begin()
        try await Self.$start.withValue(Guarded(Lab.now)) {
          let failed = Guarded(false)
          // `Tests/run` reads this line.
          defer {
            let seconds = ((Lab.now - Self.start.read { $0 }) * 10).rounded() / 10
            let again = failed.read { $0 } ? ", tried again" : ""
            print("took \(seconds) \(test.name)\(again)")
          }
          try await withKnownIssue(
            "it is tried again", isIntermittent: true, sourceLocation: test.sourceLocation
          ) {
            try await attempt()
          } matching: { _ in
            failed.update { $0 = true }
            return true
          }
          // The first try's Labs are gone with it.
          guard failed.read({ $0 }) else { return }
          try await Self.$isSecondTry.withValue(true) { try await attempt() }
        }
      }
    }

    /// Begins to count again how long the running test takes, after it waited for another test.
    public static func restartStopwatch() { start.update { $0 = Lab.now } }
  }

  /// Ends the running test because it cannot be tried on this machine, which is no failure.
  /// `Tests/run` prints `reason` at the end. Only for tests of `.realServers`. (`Test.cancel` needs
  /// Swift 6.3.)
  public func leaveOut(_ reason: String) throws -> Never {
    print("left out \(reason)")
    throw LeftOut()
  }

  private struct LeftOut: Error {}

  extension Trait where Self == RealServers {
    public static var realServers: Self { RealServers() }
  }
#endif
