// SPDX-License-Identifier: GPL-3.0-or-later
//
// A trait for tests that start real servers or wait in real time. It runs each test on a thread of
// `Lanes.swift` and prints how long the test took. A test that cannot run on this machine may leave
// itself out. Tests that only compute do not need this trait. Next: `Lab.swift`.

// If Swift is linked statically, as in a release, there is no module `Testing`, and there are no
// tests.
#if canImport(Testing)
  import Foundation
  import Testing

  /// The trait for suites with real servers, used as `@Suite(.realServers)`.
  public struct RealServers: SuiteTrait, TestTrait, TestScoping {
    /// When the running test began its work.
    @TaskLocal private static var start = Guarded(0.0)

    /// Whether the tests begin before those of other suites.
    fileprivate var isFirst = false

    public var isRecursive: Bool { true }

    /// Applies the trait to each case of a test, with or without arguments, and not to whole
    /// suites.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
      testCase == nil ? nil : self
    }

    public func provideScope(
      for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
      let executor: any TaskExecutor = isFirst ? Lanes.first : Lanes.all
      try await withTaskExecutorPreference(executor) {
        try Lanes.all.begin()
        try await Self.$start.withValue(Guarded(Lab.now)) {
          // `Tests/run` reads the line that is printed here.
          defer {
            let seconds = ((Lab.now - Self.start.read { $0 }) * 10).rounded() / 10
            print("took \(seconds) \(test.name)")
          }
          do { try await body() } catch is LeftOut {}
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

    /// Like `realServers`, but the tests begin before those of other suites. This is for suites
    /// that would still be running after all others have ended: a suite whose tests share a session
    /// and run one after the other, or a suite with a test that takes half a minute or more.
    public static var realServersFirst: Self { RealServers(isFirst: true) }
  }
#endif
