// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry watch`: puts together the agent's status, the terminal, the clock and the keys. How the
// screen looks is `WatchView.swift`'s, how it is drawn `FullScreen.swift`'s.

import ArgumentParser
import Configuration
import Language
import Presentation
import Scheduling
import Screen
import System

struct WatchCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: tr("Show clock, alarms, timers and stopwatch on the whole screen, live."),
    discussion: tr(
      """
      The arrow keys choose an alarm or a timer, n adds an alarm that you type, as 7:30 weekdays \
      Work. \
      The last line tells the keys that do something now; ? shows all of them, q quits. The mouse \
      chooses, too, and does what a key does that is clicked on. With --json it prints the lines \
      of belfry follow.

      Examples:
        belfry watch
        belfry watch --color=never
        tmux split-window -h -l 40 belfry watch
      """))

  @OptionGroup var config: ConfigOption
  @OptionGroup var table: TableOption

  @MainActor func perform() throws {
    if table.json { return try FollowLines.run(isForWaybar: false, config) }
    guard FullScreen.isPossible else {
      throw Failure(tr("watch needs a terminal to draw on: belfry status, or belfry follow"))
    }
    try Watch().run()
  }
}

@MainActor private final class Watch {
  private let zones = Zones()
  private var view: WatchView
  private var keys = KeyReader()
  private var alone: Source?
  /// What is to be seen now, and clicked on.
  private var lines: [StyledText] = []
  private var screen: FullScreen?
  private var feed: AgentFeed?
  private var ticks: WallTimer?
  private var remark: Source?
  private var failure: Failure?
  private var translated: (problems: [String], words: [String]) = ([], [])
  private let palette = Terminal.screenPalette

  init() { view = WatchView(nil, Wording(zones: zones, clock: .automatic)) }

  func run() throws {
    // Before the bus, which starts threads.
    let screen = try FullScreen()
    feed = try AgentFeed(
      onEnd: { [weak self] in self?.end(tr("the session bus is gone")) },
      onChange: { [weak self] in self?.take($0) })
    self.screen = screen
    screen.onRedraw = { [weak self] in self?.draw() }
    screen.onLeave = { MainLoop.quit() }
    screen.onInput = { [weak self] in self?.typed($0) }
    // Only now: what was wrong with the agent is told on a terminal that is as it was.
    try screen.open()
    defer { screen.close() }
    ticks = try WallTimer { [weak self] in self?.draw() }
    draw()
    MainLoop.run()
    if let failure { throw failure }
  }

  private func end(_ message: String) {
    failure = Failure(message)
    MainLoop.quit()
  }

  private func take(_ change: AgentFeed.Change) {
    switch change {
    case .lost: view.status = nil
    case .status(let status, _): show(status)
    }
    draw()
  }

  /// The agent reports problems in English; those in the user's language come from the config.
  private func show(_ status: Status) {
    view.status = status
    let agent = status.agent
    if agent.problems.isEmpty || agent.problems == translated.problems {
      view.status?.agent.problems = agent.problems.isEmpty ? [] : translated.words
      return
    }
    Worker.once("reader") {
      let words = agent.translatedProblems()
      Worker.onMain { [weak self] in
        guard let self, view.status?.agent.problems == agent.problems else { return }
        translated = (agent.problems, words)
        view.status?.agent.problems = words
        draw()
      }
    }
  }

  private func draw() {
    guard let screen else { return }
    let now = Clock.now()
    let size = WatchView.Size(columns: screen.columns, rows: screen.rows)
    lines = view.lines(size, at: now)
    screen.draw(lines.map { ($0.rendered(palette), $0.width) })
    // The next whole second, or tenth of one.
    let step: Int64 = view.showsTenths ? 100_000 : 1_000_000
    ticks?.arm(Instant(microseconds: (now.wall.microseconds / step + 1) * step))
  }

  private func typed(_ bytes: [UInt8]) {
    press(keys.keys(bytes))
    // Of a key that begins like Escape, the rest is there by then.
    alone =
      keys.isUndecided
      ? MainLoop.after(.milliseconds(50)) { [weak self] in
        guard let self else { return }
        press(keys.alone())
      } : nil
  }

  private func press(_ keys: [KeyPress]) {
    for key in keys {
      view.remark = nil
      view.action(key, on: lines).map(grant)
    }
    draw()
  }

  private func grant(_ action: KeyAction) {
    switch action {
    case .quit: MainLoop.quit()
    case .showKeys: view.showsKeys.toggle()
    case .select(let id): view.selection = id
    case .startAgent: call("Status", [], starting: true)
    case .call(let member, let arguments): call(member, arguments)
    case .type(let entry): view.entry = entry
    case .tell(let message): tell(message)
    case .enter(let entry, let member, let arguments):
      view.entry = nil
      feed?.call(member, arguments) { [weak self] message in
        // To be mended, unless something else is typed by now.
        self?.view.entry = self?.view.entry ?? entry
        self?.tell(message)
      }
    case .timer(let member, let id, let arguments):
      view.selection = .timer(id)
      call(member, [.string(id)] + arguments)
    }
  }

  private func call(_ member: String, _ arguments: [Variant], starting: Bool = false) {
    feed?.call(member, arguments, starting: starting) { [weak self] in self?.tell($0) }
  }

  /// Shows why something could not be done, for as long as it takes to read.
  private func tell(_ message: String) {
    view.remark = message
    remark = MainLoop.after(.seconds(4)) { [weak self] in
      self?.view.remark = nil
      self?.draw()
    }
    draw()
  }
}
