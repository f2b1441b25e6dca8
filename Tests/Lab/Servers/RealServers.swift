// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tests that meet real servers, or wait in real time, have in common: they mostly wait, so
// that each gets a thread of its own; and another process may stall, so that each gets a second
// try. What the first try said is kept as a known issue: `Tests/run` tells of it at the end, and
// fails where there are more than a few. Never for a test that meets nobody. Next: `Lab.swift`.

// Where Swift is linked statically, as in a release, there is no Testing and there are no tests.
#if canImport(Testing)
  import Foundation
  import Testing

  /// For suites: `@Suite(.realServers)`.
  public struct RealServers: SuiteTrait, TestTrait, TestScoping {
    /// For what a test makes once for several: nothing of a first try is for the second.
    @TaskLocal public static var isSecondTry = false

    public var isRecursive: Bool { true }

    /// Around each case of a test, with arguments or without; not around whole suites.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
      testCase == nil ? nil : self
    }

    public func provideScope(
      for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
      // What cannot be tested here is no failure.
      @Sendable func attempt() async throws { do { try await body() } catch is LeftOut {} }
      try await withTaskExecutorPreference(Benches.all) {
        let start = Lab.now
        let failed = Guarded(false)
        // `Tests/run` reads it.
        defer {
          let seconds = ((Lab.now - start) * 10).rounded() / 10
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

  /// Ends the running test as one that cannot be tried here; `reason` says why, and `Tests/run`
  /// prints it at the end. Only for tests of `.realServers`. (`Test.cancel` needs Swift 6.3.)
  public func leaveOut(_ reason: String) throws -> Never {
    print("left out \(reason)")
    throw LeftOut()
  }

  private struct LeftOut: Error {}

  extension Trait where Self == RealServers {
    public static var realServers: Self { RealServers() }
  }

  /// A few threads that take one test at a time each. By itself a test would keep one of Swift's
  /// own waiting, of which there are as many as processors: those are for tests that compute.
  private final class Benches: TaskExecutor {
    static let all = Benches(count: 4)

    private let jobs = Guarded<[UnownedJob]>([])

    init(count: Int) {
      for _ in 0..<count {
        Thread.detachNewThread { [self] in
          while true { next().runSynchronously(on: asUnownedTaskExecutor()) }
        }
      }
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.update { $0.append(job) }
    }

    private func next() -> UnownedJob {
      while true {
        let job = jobs.wait(within: 60) { $0.isEmpty ? nil : $0.removeFirst() }
        if let job { return job }
      }
    }
  }
#endif
