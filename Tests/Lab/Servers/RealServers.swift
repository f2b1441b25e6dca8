// SPDX-License-Identifier: GPL-3.0-or-later
//
// A trait for tests that start real servers or wait in real time. It runs each test on a thread of
// `Lanes.swift` and prints how long the test took. A test that cannot run on this machine may leave
// itself out. A failed test is tried once more, because another process may stall on a busy
// machine; `Tests/run` prints the first failure. Tests that only compute do not need this trait.
// Next: `Lab.swift`.

// If Swift is linked statically, as in a release, there is no module `Testing`, and there are no
// tests.
#if canImport(Testing)
  import Foundation
  import Testing

  /// The trait for suites with real servers, used as `@Suite(.realServers)`.
  public struct RealServers: SuiteTrait, TestTrait, TestScoping {
    /// Whether the running test has failed once and is being tried again. If so, it makes results
    /// that several tests share a second time.
    @TaskLocal public static var isSecondTry = false
    /// The time at which the running test began its work.
    @TaskLocal private static var start = Guarded(0.0)

    public var isRecursive: Bool { true }

    /// Applies the trait to each case of a test, with or without arguments, and not to whole
    /// suites.
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
          // `Tests/run` reads the line that is printed here.
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
          // The Labs of the first try have ended by now.
          guard failed.read({ $0 }) else { return }
          try await Self.$isSecondTry.withValue(true) { try await attempt() }
        }
      }
    }

    /// Restarts the clock that measures how long the running test takes. Call this after the test
    /// has waited for another test.
    public static func restartStopwatch() { start.update { $0 = Lab.now } }
  }

  /// Ends the running test because it cannot run on this machine, which is not a failure.
  /// `Tests/run` prints `reason` at the end. Use this only in tests that have the trait
  /// `.realServers`. (`Test.cancel` needs Swift 6.3.)
  public func leaveOut(_ reason: String) throws -> Never {
    print("left out \(reason)")
    throw LeftOut()
  }

  private struct LeftOut: Error {}

  extension Trait where Self == RealServers {
    public static var realServers: Self { RealServers() }
  }
#endif
