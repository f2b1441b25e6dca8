// SPDX-License-Identifier: GPL-3.0-or-later
//
// The trait of tests that start real servers or wait in real time. It runs them on the threads of
// `Lanes.swift`, prints how long each took, and accepts that some cannot be tried on this machine.
// Tests that only compute do not need it. Next: `Lab.swift`.

// Where Swift is linked statically, as in a release, there is no Testing and there are no tests.
#if canImport(Testing)
  import Foundation
  import Testing

  /// For suites: `@Suite(.realServers)`.
  public struct RealServers: SuiteTrait, TestTrait, TestScoping {
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
      try await withTaskExecutorPreference(Lanes.all) {
        try Lanes.all.begin()
        try await Self.$start.withValue(Guarded(Lab.now)) {
          // `Tests/run` reads this line.
          defer {
            let seconds = ((Lab.now - Self.start.read { $0 }) * 10).rounded() / 10
            print("took \(seconds) \(test.name)")
          }
          do { try await body() } catch is LeftOut {}
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
