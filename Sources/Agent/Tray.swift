// SPDX-License-Identifier: GPL-3.0-or-later
//
// Belfry's icon in the desktop's panel (`org.kde.StatusNotifierItem`). The icon exists only while
// something is ringing or snoozed, or a timer is running or paused. Panels do not update texts
// often, so the texts show times of day. Only in GNOME's panel, a label beside the icon shows the
// time left. Without a panel, everything else works as usual. Next: `TrayContent.swift`, for the
// texts, and `TrayMenu.swift`, for the menu.

import Bus
import Configuration
import Files
import Language
import Notifications
import Presentation
import Scheduling
import System

final class Tray {
  private let sessionBus: Bus
  /// The name of the icon in the icon theme.
  private let icon: String
  private let onAct: (Act) -> Void
  private let menu: TrayMenu
  /// The content that the icon shows; nil while Belfry has no icon.
  private var content: TrayContent?
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

  /// A task for the agent.
  enum Act {
    /// The user has clicked on the icon.
    case activate
    case perform(Operation)
    /// From now on, the panel shows a label: call `showTimeLeft`.
    case beginLabel
  }

  private static let interface = "org.kde.StatusNotifierItem"
  /// The path of the icon's object on the bus. Panels look for every program's icon at this path.
  private static let path = "/StatusNotifierItem"
  private static let watcher = Bus.Peer(
    "org.kde.StatusNotifierWatcher", path: "/StatusNotifierWatcher")

  init(on sessionBus: Bus, _ icons: Icons, onAct: @escaping (Act) -> Void) {
    (self.sessionBus, self.onAct) = (sessionBus, onAct)
    // Plasma draws the symbolic icon in the colour of its text. Most other panels would draw it in
    // its own colour, which is hardly visible on a dark panel.
    icon = Environment.isInPlasma ? icons.symbolicName : icons.name
    menu = TrayMenu(at: Self.path + "/Menu") { onAct(.perform($0)) }
    // Version 59 of GNOME's extension AppIndicator does not show the label that it reads together
    // with the other properties. Later it ignores a label that has not changed. It reads the menu
    // last. So after it has read the menu, send an empty label, and then the label again.
    menu.onRead = { [weak self] in
      guard let self, showsLabel else { return }
      for text in ["", label] { emit("XAyatanaNewLabel", [.string(text), .string("")]) }
    }
  }

  /// Shows or updates the icon, or removes it if `content` is nil.
  func update(_ content: TrayContent?) {
    let old = self.content
    self.content = content
    guard let content else { return hide() }
    if watch == nil {
      watch = sessionBus.watch(Self.watcher.name) { [weak self] in self?.watcher($0) }
    }
    menu.update(content)
    if old?.isRinging ?? false != content.isRinging { emit("NewStatus", [.string(status)]) }
    if old?.things.map(\.line) != content.things.map(\.line) { emit("NewToolTip") }
  }

  /// Shows `time`, the time left of a timer, if the panel shows such a label. Returns when the
  /// label changes next, on the boot clock; nil if no time is shown.
  func showTimeLeft(_ time: (left: Duration, changes: Duration)?) -> Duration? {
    let time = showsLabel ? time : nil
    let text = time.map { Wording.span($0.left) } ?? ""
    if text != label { emit("XAyatanaNewLabel", [.string(text), .string("")]) }
    label = text
    return time?.changes
  }

  private func hide() {
    (watch, panel, bus, retry, showsLabel) = (nil, nil, nil, nil, false)
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
      if showsLabel { onAct(.beginLabel) }
    }
  }

  /// A panel may have its name on the bus some tenths of a second before its object can be called.
  /// If the panel has not accepted the icon, it is announced again after each of these pauses.
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
          self?.onAct(.activate)
          call.reply()
        },
        Bus.Method("SecondaryActivate", takes: "i x, i y") { [weak self] call in
          self?.onAct(.perform(.answerAll(.stop)))
          call.reply()
        },
      ],
      signals: [
        Bus.Signal("NewToolTip"), Bus.Signal("NewStatus", carries: "s status"),
        Bus.Signal("XAyatanaNewLabel", carries: "s label, s guide"),
      ],
      properties: { [weak self] in self?.properties ?? [] })
  }

  private var status: String { content?.isRinging == true ? "NeedsAttention" : "Active" }

  private var properties: [Variant.Entry] {
    let icon = Variant.string(icon)
    return Variant.entries([
      "Category": .string("ApplicationStatus"), "Id": .string(BusInterface.name),
      "Title": .string("Belfry"), "Status": .string(status), "WindowId": .int32(0),
      "IconName": icon, "AttentionIconName": icon,
      "ToolTip": .tuple([.string(""), .array(of: "(iiay)", []), .string("Belfry"), .string(tip)]),
      "ItemIsMenu": .boolean(false), "Menu": .path(Self.path + "/Menu"),
      "XAyatanaLabel": .string(label), "XAyatanaLabelGuide": .string(""),
    ])
  }

  /// The tooltip. Panels read markup in it and show its line breaks. Plasma shows a text without
  /// tags as plain text, and a text with tags as HTML, where a line break must be a tag.
  private var tip: String {
    let lines = content?.things.map(\.line.markup) ?? []
    return Environment.isInPlasma
      ? "<span>" + lines.joined(separator: "<br/>") + "</span>" : lines.joined(separator: "\n")
  }
}

// MARK: - In the agent

extension Agent {
  private static let trayNotice = "tray"

  /// The content that the icon in the panel should show now; nil if there should be no icon.
  var trayContent: TrayContent? {
    configuration.agent.tray ? TrayContent(of: schedule, in: wording, at: Clock.now()) : nil
  }

  func perform(_ act: Tray.Act) {
    switch act {
    // Like a click on a notification, a click on the icon silences an alarm but never stops it. If
    // nothing is ringing, the click shows how much time is left, which the tooltip does not show.
    case .activate where !schedule.ringing.isEmpty: perform(.answerAll(.silence))
    case .activate:
      let now = Clock.now()
      notify(Self.trayNotice) { $0.summary(of: schedule.notices(at: now), now.wall) }
    case .perform(let operation): perform(operation)
    case .beginLabel: apply(.tick)
    }
  }
}
