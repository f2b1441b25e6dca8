// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's commands that the config sets with `on_before`, `on_ring` and `on_stop`: their
// environment, how long they may take, and what is logged about them. `RingActions.swift` decides
// when they run, `Command.swift` in System runs them.

import Bus
import Configuration
import Language
import Presentation
import Scheduling
import System

final class Hooks {
  /// Why a command runs. The raw value is the value of the environment variable `BELFRY_EVENT`.
  nonisolated enum Event: String {
    case before, ring, stop, snooze, missed

    static let variable = "BELFRY_EVENT"

    /// The key of the config that sets the commands of this event, and the field of `RingSettings`
    /// that holds them.
    var source: (key: String, commands: KeyPath<RingSettings, [[String]]>) {
      switch self {
      case .before: ("on_before", \.onBefore)
      case .ring: ("on_ring", \.onRing)
      case .stop, .snooze, .missed: ("on_stop", \.onStop)
      }
    }

    private static let longestRing = Duration.hours(1)
    private static let longestStop = Duration.minutes(1)
    /// How long a command of `on_before` may run even if the ring begins sooner.
    static let leastPreparation = Duration.minutes(1)

    func limit(_ ring: Ring) -> Duration {
      switch self {
      // A command of `on_before` may run until the ring begins, for example to brighten a light
      // slowly, but at least for a minute and at most for an hour.
      case .before: min(Self.longestRing, max(Self.leastPreparation, ring.due - ring.since))
      case .ring: Self.longestRing
      case .stop, .snooze, .missed: Self.longestStop
      }
    }
  }

  private struct Run {
    var ring: OpenRing.Key
    var event: Event
    /// When the command was requested: a reading of the boot clock.
    var since: Duration
    var launch: Launch
    var limit: Duration
    var command: Command?

    var name: String {
      TerminalText.escaped("\(event.source.key) of \(ring.id): \(launch.words[0])")
    }
  }

  /// Passes on the variables of the user's desktop session.
  typealias Variables = (_ done: @escaping SessionVariables.Receiver) -> Void

  private let folder: String
  private let mark: CommandMark
  private let variables: Variables
  /// A killed agent may have left commands running. When a new agent starts, its own commands wait
  /// until those have been asked to end, so that the same command does not run twice at once. This
  /// timer ends the wait; nil once commands may start.
  private var gate: Source?
  /// The running and the waiting commands, by number. A command that was requested later has a
  /// higher number.
  private var runs: [Int: Run] = [:]
  private var lastNumber = 0
  private var nextSearch: Source?

  /// How long the search for commands of an earlier agent may hold back the commands of this agent.
  private static let longestLook = Duration.seconds(1)
  /// How much time the commands that a killed agent left running have to end by themselves. After
  /// that time, they are killed.
  private static let grace = Duration.seconds(2)
  /// How many times to look for commands that a killed agent left running, and kill them. Once is
  /// not enough, because a command may start others before it is killed.
  private static let searches = 5

  /// - Parameters:
  ///   - folder: The working folder of the commands.
  ///   - state: The folder in which the agent stores its state. Each command has this path in its
  ///     environment. If this agent is killed, a later agent with the same folder finds the
  ///     commands by the path.
  ///   - variables: Called when commands are started, for further variables of their environment.
  init(folder: String, state: String, variables: @escaping Variables = { $0([:]) }) {
    (self.folder, self.variables) = (folder, variables)
    mark = CommandMark(folder: state)
    gate = MainLoop.after(Self.longestLook) { [weak self] in self?.open() }
    endLeft()
  }

  /// Ends the commands that an earlier agent left running when it was killed, so that no command of
  /// a ring goes on after the ring was stopped. Leaves commands of `on_stop` alone: they undo the
  /// effects of a ring, and this agent does not run them again.
  private func endLeft(search: Int = 0) {
    Worker.once("left") { [weak self, mark] _ in
      let count = mark.endLeftBehind(byForce: search > 0) { variables in
        variables[Event.variable].flatMap(Event.init)?.source.key == Event.stop.source.key
      }
      Worker.onMain { [weak self] in
        self?.open()
        guard count > 0, search < Self.searches else { return }
        Log.info("commands of an earlier agent are ended: \(count) processes")
        self?.nextSearch = MainLoop.after(Self.grace) { [weak self] in
          self?.endLeft(search: search + 1)
        }
      }
    }
  }

  private func open() {
    gate = nil
    startWaiting()
  }

  /// Starts the commands of `event`. `now` is the reading of the boot clock.
  func start(
    _ event: Event, _ ring: OpenRing, due: Moment, at now: Duration = Clock.now().boot
  ) {
    // The time limit of a command does not count the time during which the machine is suspended. So
    // a command of `on_before` may still be running when the ring begins. End it now, unless it was
    // requested less than a minute ago.
    if event == .ring { end(ring.key, .before, noLaterThan: now - Event.leastPreparation) }
    var variables = mark.variables
    variables["BELFRY_ID"] = ring.id
    variables["BELFRY_LABEL"] = ring.label ?? ""
    variables["BELFRY_KIND"] = ring.kind.rawValue
    variables[Event.variable] = event.rawValue
    variables["BELFRY_DUE"] = due.text
    variables["BELFRY_DUE_EPOCH"] = String(due.epoch)
    if ring.isRehearsal { variables["BELFRY_REHEARSAL"] = "1" }
    for words in ring.settings[keyPath: event.source.commands] {
      lastNumber += 1
      runs[lastNumber] = Run(
        ring: ring.key, event: event, since: now,
        launch: Launch(words, variables: variables, folder: folder), limit: event.limit(ring.ring))
    }
    startWaiting()
  }

  /// Ends the commands of `event`; with `moment`, only those that were requested until then.
  func end(_ ring: OpenRing.Key, _ event: Event, noLaterThan moment: Duration? = nil) {
    for (number, run) in runs where run.ring == ring && run.event == event {
      if let moment, run.since > moment { continue }
      if let command = run.command { command.end() } else { runs[number] = nil }
    }
  }

  /// Asks all commands to end, at the end of the program. The next agent ends those that go on,
  /// except commands of `on_stop`.
  func stop() { for run in runs.values { run.command?.end() } }

  private func startWaiting() {
    guard gate == nil, runs.values.contains(where: { $0.command == nil }) else { return }
    variables { [weak self] in self?.startWaiting(with: $0) }
  }

  private func startWaiting(with variables: [String: String]) {
    for (number, run) in runs.sorted(by: { $0.key < $1.key }) where run.command == nil {
      var launch = run.launch
      launch.variables.merge(variables) { own, _ in own }
      runs[number]?.command = Command(launch, limit: run.limit) { [weak self] in
        self?.handle($0, number)
      }
    }
  }

  private func handle(_ event: Command.Event, _ number: Int) {
    guard let run = runs[number] else { return }
    switch event {
    case .line(let line): Log.info("\(run.name): \(TerminalText.escaped(line))")
    case .outputLimitReached: Log.info("\(run.name): further output is not logged")
    case .notStarted(let error): Log.warning("\(run.name) cannot be started: \(error.text)")
    case .failed(let end): Log.warning("\(run.name) ended with \(end)")
    case .tookTooLong: Log.warning("\(run.name) takes too long and is ended")
    case .gone: runs[number] = nil
    }
  }
}
