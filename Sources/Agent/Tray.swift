// SPDX-License-Identifier: GPL-3.0-or-later
//
// The symbol in the panel, by `org.kde.StatusNotifierItem`: there while something rings, is snoozed
// or runs, and gone otherwise. Panels keep the texts that they were given, so these name moments,
// which stay true, and no time left. It draws nothing, and needs nobody to listen. Next:
// `TrayMenu.swift`.

import Bus
import Configuration
import Files
import Language
import Notifications
import Presentation
import Scheduling
import System

final class Tray {
  private unowned let agent: Agent
  private let bus: Bus
  private let menu: TrayMenu
  private var isExported = false
  /// The watch for somebody to tell of the symbol, while it is wanted.
  private var watch: Bus.Subscription?
  private var isRegistered = false
  private var things: [Thing] = []

  /// Something that rings, is snoozed or runs.
  struct Thing: Equatable {
    var key: Notice.Key
    /// What it is, and until when.
    var line: String
    /// The buttons that its notification has.
    var answers: [Answer]
  }

  /// A menu that is longer helps nobody.
  private static let most = 10
  private static let mostRecents = 3
  private static let interface = "org.kde.StatusNotifierItem"
  /// Panels look for it here, whoever's it is.
  private static let path = "/StatusNotifierItem"
  /// It stands for the symbol: panels drop what loses it.
  private static let busName = "org.kde.StatusNotifierItem-\(Environment.processID)-1"
  private static let watcher = Bus.Peer(
    "org.kde.StatusNotifierWatcher", path: "/StatusNotifierWatcher")

  init(_ agent: Agent, on bus: Bus) {
    (self.agent, self.bus) = (agent, bus)
    menu = TrayMenu(agent, on: bus, at: Self.path + "/Menu")
  }

  /// Brings it to what the schedule says now.
  func follow() {
    let notices = agent.configuration.agent.tray ? agent.schedule.notices(at: Clock.now()) : []
    guard !notices.isEmpty else { return hide() }
    let (old, wording, now) = (things, agent.wording, Clock.now().wall)
    things = notices.prefix(Self.most).map { wording.thing($0, now) }
    if watch == nil { show() }
    menu.follow(things, recents.map { ($0, wording.again($0)) })
    if status(of: old) != status(of: things) { emit("NewStatus", [.string(status(of: things))]) }
    if old.map(\.line) != things.map(\.line) { emit("NewToolTip") }
  }

  /// Those that may be started once more: what is there already is not meant.
  private var recents: ArraySlice<RecentTimer> {
    let there = agent.schedule.timers
    return agent.schedule.recents.filter { recent in
      !there.contains { ($0.duration, $0.label) == (recent.duration, recent.label) }
    }.prefix(Self.mostRecents)
  }

  private func show() {
    do throws(BusError) {
      if !isExported {
        try bus.export(interface, at: Self.path)
        try menu.export()
      }
      isExported = true
      watch = bus.watch(Self.watcher.name) { [weak self] isThere in self?.watcher(isThere) }
    } catch {
      Log.warning("no symbol in the panel: \(error)")
    }
  }

  private func hide() {
    guard watch != nil else { return }
    (watch, things, isRegistered) = (nil, [], false)
    bus.ask(.daemon, "ReleaseName", [.string(Self.busName)]) { _ in }
  }

  /// One that was started anew knows of nobody.
  private func watcher(_ isThere: Bool) {
    isRegistered = isThere
    guard isThere else { return }
    bus.ask(.daemon, "RequestName", [.string(Self.busName), .uint32(0)]) { _ in }
    bus.ask(Self.watcher, "RegisterStatusNotifierItem", [.string(Self.busName)]) { answer in
      if case .failure(let error) = answer { Log.info("no symbol in the panel: \(error)") }
    }
  }

  private func emit(_ signal: String, _ values: [Variant] = []) {
    if isRegistered { bus.emit(signal, of: Self.interface, at: Self.path, values) }
  }
}

// MARK: - What panels ask

extension Tray {
  private var interface: Bus.Interface {
    Bus.Interface(
      Self.interface,
      [
        Bus.Method("Activate", takes: "i x, i y") { [weak self] call in
          self?.activate()
          call.reply()
        },
        Bus.Method("SecondaryActivate", takes: "i x, i y") { [weak self] call in
          self?.answer { .stop($0.id) }
          call.reply()
        },
      ], signals: [Bus.Signal("NewToolTip"), Bus.Signal("NewStatus", carries: "s status")],
      properties: { [weak self] in self?.properties ?? [] })
  }

  /// As a click on a notification: it never stops an alarm. Where none rings, it tells how long it
  /// all runs yet, which no tooltip knows.
  private func activate() {
    guard agent.schedule.ringing.isEmpty else { return answer { .hush($0.id) } }
    let notices = agent.schedule.notices(at: Clock.now())
    agent.tell(Self.notice) { $0.summary(of: notices) }
  }

  private func answer(_ event: (OpenRing) -> Event) {
    agent.apply(.answers(agent.schedule.ringing.map(event)))
  }

  /// How the notifier knows what a click on the symbol shows.
  private static let notice = "tray"

  private func status(of things: [Thing]) -> String {
    things.contains { $0.key.kind == .ringing } ? "NeedsAttention" : "Active"
  }

  private var properties: [Variant.Entry] {
    // Plasma gives it the colour of its text, as it does to the symbols of others. Most other
    // panels would show it as the file has it, which can hardly be seen on a dark panel.
    let icon = Variant.string(Self.isInPlasma ? agent.icons.symbolicName : agent.icons.name)
    return Variant.entries([
      "Category": .string("ApplicationStatus"), "Id": .string(BusInterface.name),
      "Title": .string("Belfry"), "Status": .string(status(of: things)), "WindowId": .int32(0),
      "IconName": icon, "AttentionIconName": icon,
      "ToolTip": .tuple([.string(""), .array(of: "(iiay)", []), .string("Belfry"), .string(tip)]),
      "ItemIsMenu": .boolean(false), "Menu": .path(Self.path + "/Menu"),
    ])
  }

  /// Panels read markup there, and begin a line at a line break. Plasma's takes what has no tag for
  /// plain text, entities and all, and what has one for HTML, whose line breaks others do not know.
  private var tip: String {
    let lines = things.map { NotificationContent.escaped($0.line) }
    return Self.isInPlasma
      ? "<span>" + lines.joined(separator: "<br/>") + "</span>" : lines.joined(separator: "\n")
  }

  static let isInPlasma =
    Environment.value("XDG_CURRENT_DESKTOP")?.split(separator: ":").contains("KDE") ?? false
}

// MARK: - Words

extension Wording {
  /// In a line that stays true.
  fileprivate func thing(_ notice: Notice, _ now: Instant) -> Tray.Thing {
    var told = notification(notice, remark: nil, now: now)
    if case .timer(let timer) = notice {
      told.body =
        timer.ends.map { rings(at: $0, seconds(timer), seenFrom: now) } ?? told.steadyBody
        ?? told.body
    }
    return Tray.Thing(
      key: notice.key, line: told.line, answers: notice.answers.filter { $0 != .isUpByClick })
  }

  /// What starts it once more.
  fileprivate func again(_ timer: RecentTimer) -> String {
    let length =
      timer.until.map { tr("until \(time($0))", context: "timer") }
      ?? Self.span(timer.duration)
    return NotificationContent.line(
      timer.name.map { tr("Again: \($0), \(length)") } ?? tr("Again: \(length)"), atMost: 80)
  }

  /// All of it, as it is now.
  fileprivate func summary(of notices: [Notice]) -> NotificationContent {
    let now = Clock.now().wall
    let lines = notices.map { notification($0, remark: nil, now: now).line }
    return notice("Belfry", lines, isTransient: true)
  }
}

extension NotificationContent {
  /// All that it says, in a line.
  fileprivate var line: String { Self.line("\(title): \(bodyLine)", atMost: 80) }

  /// The body as a line by itself, which needs no full stop.
  var bodyLine: String {
    let line = Self.line(body, atMost: .max)
    return line.hasSuffix(".") ? String(line.dropLast()) : line
  }
}
