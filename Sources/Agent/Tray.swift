// SPDX-License-Identifier: GPL-3.0-or-later
//
// Belfry's icon in the desktop's panel (`org.kde.StatusNotifierItem`). The icon exists only while
// something is ringing or snoozed, or a timer is running or paused. Panels do not update texts
// often, so the texts show times of day. Only in GNOME's panel, a label beside the icon shows the
// time left. Without a panel, everything else works as usual. Next: `TrayMenu.swift`, for the menu.

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
  private let menu: TrayMenu
  /// Reports whether a panel that can show the icon is running; nil while Belfry has no icon.
  private var watch: Bus.Subscription?
  /// The unique bus name of the panel that shows the icon; nil if there is none.
  private var panel: String?
  /// The icon's own connection to the session bus; nil while no panel shows the icon. Panels
  /// remove the icon when this connection is closed.
  private var bus: Bus?
  /// The next attempt to announce the icon to the panel; nil unless one has failed.
  private var retry: Source?
  /// Whether the panel is GNOME's, with the extension AppIndicator.
  private var showsLabel = false
  private var label = ""
  private var things: [Thing] = []

  /// A ring, a snoozed ring or a timer, as the panel shows it.
  struct Thing {
    var key: Notice.Key
    /// The title and the text of the notification in one line, such as "Tea: rings at 07:30".
    var line: String
    var answers: [Answer]
  }

  private static let most = 10
  private static let mostRecents = 3
  private static let interface = "org.kde.StatusNotifierItem"
  /// The path of the icon's object on the bus. Panels look for every program's icon at this path.
  private static let path = "/StatusNotifierItem"
  private static let watcher = Bus.Peer(
    "org.kde.StatusNotifierWatcher", path: "/StatusNotifierWatcher")

  init(_ agent: Agent) {
    self.agent = agent
    menu = TrayMenu(at: Self.path + "/Menu") { [weak agent] in agent?.perform($0) }
    // Version 59 of GNOME's extension AppIndicator does not show the label that it reads together
    // with the other properties. Later it ignores a label that has not changed. It reads the menu
    // last. So after it has read the menu, send an empty label, and then the label again.
    menu.onRead = { [weak self] in
      guard let self, showsLabel else { return }
      for text in ["", label] { emit("XAyatanaNewLabel", [.string(text), .string("")]) }
    }
  }

  /// Shows, updates or removes the icon as the schedule now requires.
  func update() {
    let notices = agent.configuration.agent.tray ? agent.schedule.notices(at: Clock.now()) : []
    guard !notices.isEmpty else { return hide() }
    let (old, wording, now) = (things, agent.wording, Clock.now().wall)
    things = notices.prefix(Self.most).map { wording.thing($0, now) }
    if watch == nil {
      watch = agent.bus.watch(Self.watcher.name) { [weak self] in self?.watcher($0) }
    }
    menu.update(things, recents.map { ($0, wording.again($0)) }, wording.next(agent.schedule, now))
    if status(of: old) != status(of: things) { emit("NewStatus", [.string(status(of: things))]) }
    if old.map(\.line) != things.map(\.line) { emit("NewToolTip") }
  }

  /// Shows the time left of the running timer that ends first, if the panel shows such a label.
  /// Returns when the label changes next, on the boot clock; nil if no time is shown.
  func showTimeLeft(at now: Now) -> Duration? {
    let time = showsLabel ? agent.schedule.timeLeft(at: now) : nil
    let text = time.map { Wording.span($0.left) } ?? ""
    if text != label { emit("XAyatanaNewLabel", [.string(text), .string("")]) }
    label = text
    return time?.changes
  }

  private var recents: ArraySlice<RecentTimer> {
    let there = agent.schedule.timers
    return agent.schedule.recents.filter { recent in
      !there.contains { ($0.duration, $0.label) == (recent.duration, recent.label) }
    }.prefix(Self.mostRecents)
  }

  private func hide() {
    (watch, things, panel, bus, retry, showsLabel) = (nil, [], nil, nil, nil, false)
  }

  /// Registers the icon each time a panel appears, because a restarted panel knows no icons.
  private func watcher(_ owner: String?) {
    (panel, bus, retry, showsLabel) = (owner, nil, nil, false)
    guard let owner else { return }
    Bus.connectPrivately { [weak self] answer in
      guard let self, panel == owner, bus == nil else { return }
      do throws(BusError) {
        let bus = try answer.get()
        try bus.export(interface, at: Self.path)
        try menu.export(on: bus)
        self.bus = bus
        register(on: bus, in: owner)
      } catch {
        Log.warning("no icon in the panel: \(error)")
      }
    }
  }

  /// Registers the icon under the unique bus name of its own connection. With another name, GNOME's
  /// panel may find the icon under two names and show it twice, or not at all.
  private func register(on bus: Bus, in panel: String) {
    // The extension AppIndicator runs inside GNOME Shell. So if the panel is GNOME's, the owner of
    // the watcher's name also owns the name of GNOME Shell.
    bus.ask(.daemon, "GetNameOwner", [.string("org.gnome.Shell")], gives: "s") {
      [weak self] answer in
      guard let self, self.bus === bus else { return }
      announce(on: bus, after: Self.retries)
      showsLabel = answer.value?.string == panel
      if showsLabel { agent.apply(.tick) }
    }
  }

  /// A panel may have its name on the bus some tenths of a second before its object can be called.
  /// So the icon is announced again after each of these pauses, unless the panel has accepted it.
  private static let retries: [Duration] = [.milliseconds(500), .seconds(3)]

  private func announce(on bus: Bus, after delays: [Duration]) {
    bus.ask(
      Self.watcher, "RegisterStatusNotifierItem", [.string(bus.uniqueName)], gives: nil
    ) { [weak self] answer in
      guard case .failure(let error) = answer, let self, self.bus === bus else { return }
      guard let delay = delays.first else { return Log.info("no icon in the panel: \(error)") }
      retry = MainLoop.after(delay) { [weak self] in
        self?.announce(on: bus, after: Array(delays.dropFirst()))
      }
    }
  }

  private func emit(_ signal: String, _ values: [Variant] = []) {
    bus?.emit(signal, of: Self.interface, at: Self.path, values)
  }
}

// MARK: - The interface that panels call

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
          self?.agent.answerAll { .stop($0.id) }
          call.reply()
        },
      ],
      signals: [
        Bus.Signal("NewToolTip"), Bus.Signal("NewStatus", carries: "s status"),
        Bus.Signal("XAyatanaNewLabel", carries: "s label, s guide"),
      ],
      properties: { [weak self] in self?.properties ?? [] })
  }

  /// Handles a click on the icon. Like a click on a notification, the click silences an alarm but
  /// never stops it. If nothing is ringing, the click shows how much time is left, which the
  /// tooltip does not show.
  private func activate() {
    guard agent.schedule.ringing.isEmpty else {
      return agent.answerAll { .hush($0.id) }
    }
    let notices = agent.schedule.notices(at: Clock.now())
    agent.notify(Self.notice) { $0.summary(of: notices) }
  }

  /// The id under which the notifier shows the summary after a click on the icon.
  private static let notice = "tray"

  private func status(of things: [Thing]) -> String {
    things.contains { $0.key.kind == .ringing } ? "NeedsAttention" : "Active"
  }

  private var properties: [Variant.Entry] {
    // Plasma draws the symbolic icon in the colour of its text. Most other panels would draw it in
    // its own colour, which is hardly visible on a dark panel.
    let icon = Variant.string(Environment.isInPlasma ? agent.icons.symbolicName : agent.icons.name)
    return Variant.entries([
      "Category": .string("ApplicationStatus"), "Id": .string(BusInterface.name),
      "Title": .string("Belfry"), "Status": .string(status(of: things)), "WindowId": .int32(0),
      "IconName": icon, "AttentionIconName": icon,
      "ToolTip": .tuple([.string(""), .array(of: "(iiay)", []), .string("Belfry"), .string(tip)]),
      "ItemIsMenu": .boolean(false), "Menu": .path(Self.path + "/Menu"),
      "XAyatanaLabel": .string(label), "XAyatanaLabelGuide": .string(""),
    ])
  }

  /// The tooltip. Panels read markup in it and show its line breaks. Plasma shows a text without
  /// tags as plain text, and a text with tags as HTML, where a line break must be a tag.
  private var tip: String {
    let lines = things.map(\.line.markup)
    return Environment.isInPlasma
      ? "<span>" + lines.joined(separator: "<br/>") + "</span>" : lines.joined(separator: "\n")
  }
}

// MARK: - Texts of the icon and its menu

extension Wording {
  /// Describes a notification in a line that stays true as time passes.
  fileprivate func thing(_ notice: Notice, _ now: Instant) -> Tray.Thing {
    var content = notification(notice, remark: nil, now: now)
    content.body = content.steadyBody ?? content.body
    // Leave out the answer for a click on the notification, because the menu already has the button
    // "I'm up".
    let click = Answer.isUpByClick(notice.key.id)
    return Tray.Thing(
      key: notice.key, line: content.line, answers: notice.answers.filter { $0 != click })
  }

  fileprivate func again(_ timer: RecentTimer) -> String {
    let length =
      timer.until.map { tr("until \(time($0))", context: "timer") }
      ?? Self.span(timer.duration)
    return NotificationContent.line(
      timer.name.map { tr("Again: \($0), \(length)") } ?? tr("Again: \(length)"), atMost: 80)
  }

  /// Returns a line about the alarm that rings next; nil if there is none. A day other than today
  /// has its weekday or its date, and is never called `tomorrow`, so the line is still true after
  /// midnight.
  fileprivate func next(_ schedule: Schedule, _ now: Instant) -> String? {
    let coming = schedule.entries.compactMap { entry in entry.wanted.map { (entry.alarm, $0.due) } }
    return coming.min { $0.1 < $1.1 }.map { alarm, due in
      let words = [alarm.label, brief(due, seenFrom: now)].compactMap(\.self)
      return NotificationContent.line(tr("Next: \(Self.list(words))"), atMost: 80)
    }
  }

  fileprivate func summary(of notices: [Notice]) -> NotificationContent {
    let now = Clock.now().wall
    let lines = notices.map { notification($0, remark: nil, now: now).line }
    return notice("Belfry", lines, isTransient: true)
  }
}

extension NotificationContent {
  fileprivate var line: String { Self.line("\(title): \(bodyLine)", atMost: 80) }

  /// The text of the notification in one line, without the full stop at its end.
  var bodyLine: String {
    let line = Self.line(body, atMost: .max)
    return line.hasSuffix(Wording.fullStop) ? String(line.dropLast()) : line
  }
}
