// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry watch`: connects the agent's status, the clock and the keyboard with the screen.
// `WatchView.swift` decides what the screen shows, and `FullScreen.swift` draws it.

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
    abstract: tr("Show the clock, alarms, timers and stopwatch, live and full-screen."),
    discussion: tr(
      """
      The arrow keys select an alarm or a timer. To add an alarm, press n and type the alarm, for \
      example 7:30 weekdays Work. The last line shows the keys that you can use now. Press ? to \
      see all keys, and q to quit. A click on an alarm or a timer selects it. A click on a key in \
      the last line does the same as the key.

      With --json, the command prints the same lines as `belfry follow`, instead of filling the \
      screen.

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
      throw CommandFailure(tr("watch needs a terminal: use belfry status or belfry follow"))
    }
    try Watch().run()
  }
}

@MainActor private final class Watch {
  private let zones = Zones()
  private var view: WatchView
  private var keys = KeyReader()
  /// A timer that starts at an Escape byte. If no more bytes arrive before it ends, the byte was
  /// the Escape key, and not the beginning of an escape sequence.
  private var escapeWait: Source?
  /// The lines on the screen, to find out what a click was on.
  private var lines: [StyledText] = []
  private var screen: FullScreen?
  private var feed: AgentFeed?
  private var ticks: WallTimer?
  private var remark: Source?
  private var failure: CommandFailure?
  private let palette = Terminal.screenPalette

  init() { view = WatchView(nil, Wording(zones: zones, clock: .automatic)) }

  func run() throws {
    let screen = try FullScreen()
    feed = try AgentFeed(
      onEnd: { [weak self] in self?.end(tr("the session bus is gone")) },
      onChange: { [weak self] in self?.update($0) })
    self.screen = screen
    screen.onRedraw = { [weak self] in self?.draw() }
    screen.onLeave = { MainLoop.quit() }
    screen.onInput = { [weak self] in self?.typed($0) }
    // Open the screen last, so that an error of the agent is printed on the ordinary screen.
    try screen.open()
    defer { screen.close() }
    ticks = try WallTimer { [weak self] in self?.draw() }
    draw()
    MainLoop.run()
    if let failure { throw failure }
  }

  private func end(_ message: String) {
    failure = CommandFailure(message)
    MainLoop.quit()
  }

  private func update(_ status: Status?) {
    view.status = status
    if let agent = status?.agent {
      // If the config has errors, this call reads the config. The screen is not drawn meanwhile.
      view.status?.agent.problems = Disk.here { agent.translatedProblems(on: $0) }
    }
    draw()
  }

  private func draw() {
    guard let screen else { return }
    let now = Clock.now()
    let size = WatchView.Size(columns: screen.columns, rows: screen.rows)
    lines = view.lines(size, at: now)
    screen.draw(lines.map { ($0.rendered(palette), $0.width) })
    // Draw again at the next whole second, or at the next tenth of a second.
    let step: Int64 = view.showsTenths ? 100_000 : 1_000_000
    ticks?.arm(Instant(microseconds: (now.wall.microseconds / step + 1) * step))
  }

  private func typed(_ bytes: [UInt8]) {
    press(keys.keys(bytes))
    // If an Escape byte is the beginning of another key, the rest of it arrives within 50 ms.
    escapeWait =
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
    case .remark(let message): showRemark(message)
    case .enter(let entry, let member, let arguments):
      view.entry = nil
      feed?.call(member, arguments) { [weak self] message in
        // Show the typed line again, so that the user can correct it. But if the user is already
        // typing another line, keep that line.
        self?.view.entry = self?.view.entry ?? entry
        self?.showRemark(message)
      }
    case .timer(let member, let id, let arguments):
      view.selection = .timer(id)
      call(member, [.string(id)] + arguments)
    }
  }

  private func call(_ member: String, _ arguments: [Variant], starting: Bool = false) {
    feed?.call(member, arguments, starting: starting) { [weak self] in self?.showRemark($0) }
  }

  private func showRemark(_ message: String) {
    view.remark = message
    remark = MainLoop.after(.seconds(4)) { [weak self] in
      self?.view.remark = nil
      self?.draw()
    }
    draw()
  }
}
