// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commands of `on_before`, `on_ring` and `on_stop`: what they are told, how long they may take,
// and what of their doings goes into the log. When they run is decided in `RingActions.swift`; how,
// by `Command.swift` in System.

import Configuration
import Language
import Presentation
import Scheduling
import System

final class Hooks {
  /// Why a command runs, as `BELFRY_EVENT` has it.
  nonisolated enum Event: String {
    case before, ring, stop, snooze, missed

    /// What tells a command which of these it is for.
    static let variable = "BELFRY_EVENT"

    /// The setting that has its commands.
    var key: String {
      switch self {
      case .before: "on_before"
      case .ring: "on_ring"
      case .stop, .snooze, .missed: "on_stop"
      }
    }

    /// What accompanies a ring ends with it, and no later than this.
    private static let longestRing = Duration.hours(1)
    static let longestStop = Duration.minutes(1)

    func commands(of settings: RingSettings) -> [[String]] {
      switch self {
      case .before: settings.onBefore
      case .ring: settings.onRing
      case .stop, .snooze, .missed: settings.onStop
      }
    }

    /// How long a command may take.
    func limit(_ ring: Ring) -> Duration {
      switch self {
      // A light takes until then to get bright.
      case .before: min(Self.longestRing, max(Self.longestStop, ring.due - ring.since))
      case .ring: Self.longestRing
      case .stop, .snooze, .missed: Self.longestStop
      }
    }
  }

  private struct Run {
    var ring: OpenRing.Key
    var event: Event
    var launch: Launch
    var limit: Duration
    var command: Command?

    /// How the log calls it.
    var name: String {
      TerminalText.escaped("\(event.key) of \(ring.id): \(launch.words[0])")
    }
  }

  private let folder: String
  private let mark: CommandMark
  private let left: LeftCommands
  /// Whether commands may run: until what was left running by another agent has been told to end,
  /// the same would run twice. Nil: they may.
  private var gate: Source?
  /// By their numbers, in the order in which they were asked for.
  private var runs: [Int: Run] = [:]
  private var waiting: [Int] = []
  private var lastNumber = 0

  /// Each takes two descriptors; the others wait until one is done.
  private static let mostAtOnce = 50

  /// How long looking for commands of an agent before this one may hold up those of this one.
  private static let longestLook = Duration.seconds(1)

  /// Commands start in `folder`; the agent's state is in `state`.
  init(folder: String, state: String) {
    self.folder = folder
    mark = CommandMark(folder: state)
    left = LeftCommands(mark)
    gate = MainLoop.after(Self.longestLook) { [weak self] in self?.open() }
    left.end { [weak self] in self?.open() }
  }

  private func open() {
    gate = nil
    startWaiting()
  }

  /// Starts the commands of `ring` for `event`, and waits for none.
  func start(_ event: Event, _ ring: OpenRing, due: Moment) {
    var variables = mark.variables
    variables["BELFRY_ID"] = ring.id
    variables["BELFRY_LABEL"] = ring.label ?? ""
    variables["BELFRY_KIND"] = ring.kind.rawValue
    variables[Event.variable] = event.rawValue
    variables["BELFRY_DUE"] = due.text
    variables["BELFRY_DUE_EPOCH"] = String(due.epoch)
    if ring.isRehearsal { variables["BELFRY_REHEARSAL"] = "1" }
    for words in event.commands(of: ring.settings) {
      lastNumber += 1
      runs[lastNumber] = Run(
        ring: ring.key, event: event,
        launch: Launch(words, variables: variables, folder: folder), limit: event.limit(ring.ring))
      waiting.append(lastNumber)
    }
    startWaiting()
  }

  /// Ends what runs of that ring for `event`.
  func end(_ ring: OpenRing.Key, _ event: Event) {
    for (number, run) in runs where run.ring == ring && run.event == event {
      if let command = run.command { command.end() } else { runs[number] = nil }
    }
  }

  /// Ends all of them, in half a second at most.
  func stop() { Command.end(runs.values.compactMap(\.command), within: .milliseconds(500)) }

  private func startWaiting() {
    guard gate == nil else { return }
    var running = runs.values.count { $0.command != nil }
    while running < Self.mostAtOnce, !waiting.isEmpty {
      let number = waiting.removeFirst()
      guard let run = runs[number] else { continue }
      runs[number]?.command = Command(run.launch, limit: run.limit) { [weak self] in
        self?.take($0, number)
      }
      running += 1
    }
  }

  private func take(_ event: Command.Event, _ number: Int) {
    guard let run = runs[number] else { return }
    switch event {
    case .line(let line): Log.info("\(run.name): \(TerminalText.escaped(line))")
    case .talksTooMuch: Log.info("\(run.name): the rest of what it says is not kept")
    case .notStarted(let error): Log.warning("\(run.name) cannot be started: \(error.text)")
    case .failed(let status): Log.warning("\(run.name) ended with status \(status)")
    case .crashed(let signal): Log.warning("\(run.name) was ended by signal \(signal)")
    case .tookTooLong: Log.warning("\(run.name) takes too long, and is ended")
    case .gone:
      runs[number] = nil
      startWaiting()
    }
  }
}
