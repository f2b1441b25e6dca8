// SPDX-License-Identifier: GPL-3.0-or-later
//
// The symbol in the panel, by `org.kde.StatusNotifierItem`: there while something rings, is snoozed or
// runs, and gone otherwise. Panels keep the texts that they were given, so these name moments, which
// stay true, and no time left. It draws nothing, and needs nobody to listen. Next: `TrayMenu.swift`.

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
    name: "org.kde.StatusNotifierWatcher", path: "/StatusNotifierWatcher",
    interface: "org.kde.StatusNotifierWatcher")

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
        try bus.export(Self.interface, at: Self.path, xml: Self.xml) { [weak self] in
          self?.answer($0)
        }
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
  private func answer(_ call: Bus.Call) {
    let ringing = agent.schedule.ringing
    switch call.member {
    case "Get", "GetAll": call.replyProperties(Self.properties, property)
    // As a click on a notification: it never stops an alarm.
    case "Activate" where ringing.isEmpty: tell(call)
    case "Activate":
      agent.apply(.answers(ringing.map { .hush($0.id) }))
      call.reply()
    case "SecondaryActivate":
      agent.apply(.answers(ringing.map { .stop($0.id) }))
      call.reply()
    default: call.reply()
    }
  }

  /// How long it all runs yet, which no tooltip knows.
  private func tell(_ call: Bus.Call) {
    let notices = agent.schedule.notices(at: Clock.now())
    agent.tell(Self.notice) { $0.summary(of: notices) }
    call.reply()
  }

  /// How the notifier knows what a click on the symbol shows.
  private static let notice = "tray"

  private func status(of things: [Thing]) -> String {
    things.contains { $0.key.kind == .ringing } ? "NeedsAttention" : "Active"
  }

  private static let properties = [
    "Category", "Id", "Title", "Status", "WindowId", "IconName", "AttentionIconName", "ToolTip",
    "ItemIsMenu", "Menu",
  ]

  private func property(_ name: String) -> Variant {
    switch name {
    case "Category": .string("ApplicationStatus")
    case "Id": .string(BusInterface.name)
    case "Title": .string("Belfry")
    case "Status": .string(status(of: things))
    case "WindowId": .int32(0)
    case "ToolTip":
      .tuple([
        .string(""), .array(of: "(iiay)", []), .string("Belfry"),
        .string(tip),
      ])
    case "ItemIsMenu": .boolean(false)
    case "Menu": .path(Self.path + "/Menu")
    default: .string(agent.locations.iconName)
    }
  }

  /// Panels read markup there, and begin a line at a line break. Plasma's takes what has no tag for plain
  /// text, entities and all, and what has one for HTML, whose line breaks others do not know.
  private var tip: String {
    let lines = things.map { NotificationContent.escaped($0.line) }
    return Self.isInPlasma
      ? "<span>" + lines.joined(separator: "<br/>") + "</span>" : lines.joined(separator: "\n")
  }

  static let isInPlasma =
    Environment.value("XDG_CURRENT_DESKTOP")?.split(separator: ":").contains("KDE") ?? false

  private static let xml = """
    <node>
      <interface name="org.kde.StatusNotifierItem">
        <property name="Category" type="s" access="read"/>
        <property name="Id" type="s" access="read"/>
        <property name="Title" type="s" access="read"/>
        <property name="Status" type="s" access="read"/>
        <property name="WindowId" type="i" access="read"/>
        <property name="IconName" type="s" access="read"/>
        <property name="AttentionIconName" type="s" access="read"/>
        <property name="ToolTip" type="(sa(iiay)ss)" access="read"/>
        <property name="ItemIsMenu" type="b" access="read"/>
        <property name="Menu" type="o" access="read"/>
        <method name="Activate">
          <arg name="x" type="i" direction="in"/>
          <arg name="y" type="i" direction="in"/>
        </method>
        <method name="SecondaryActivate">
          <arg name="x" type="i" direction="in"/>
          <arg name="y" type="i" direction="in"/>
        </method>
        <signal name="NewToolTip"/>
        <signal name="NewStatus"><arg name="status" type="s"/></signal>
      </interface>
    </node>
    """
}

// MARK: - Words

extension Wording {
  /// In a line that stays true.
  fileprivate func thing(_ notice: Notice, _ now: Instant) -> Tray.Thing {
    var told = notification(notice, remark: nil, now: now)
    if case .timer(let timer) = notice {
      told.body = timer.ends.map { rings(at: $0, seenFrom: now) } ?? told.steadyBody ?? told.body
    }
    return Tray.Thing(
      key: notice.key, line: told.line, answers: notice.answers.filter { $0 != .isUpByClick })
  }

  /// What starts it once more.
  fileprivate func again(_ timer: RecentTimer) -> String {
    let length = Self.span(timer.duration)
    let name = timer.label ?? timer.preset
    return NotificationContent.line(
      name.map { tr("Again: \($0), \(length)") } ?? tr("Again: \(length)"), atMost: 80)
  }

  /// All of it, as it is now.
  fileprivate func summary(of notices: [Notice]) -> NotificationContent {
    let now = Clock.now().wall
    let lines = notices.map { notification($0, remark: nil, now: now).line }
    var summary = NotificationContent(
      title: "Belfry", body: lines.joined(separator: "\n"), icon: icon)
    summary.isTransient = true
    return summary
  }
}

extension NotificationContent {
  /// All that it says, in a line.
  fileprivate var line: String { Self.line("\(title): \(body)", atMost: 80) }
}
