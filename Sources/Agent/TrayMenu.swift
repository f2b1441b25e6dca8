// SPDX-License-Identifier: GPL-3.0-or-later
//
// The menu of the icon in the panel (`com.canonical.dbusmenu`). It has a line for each ring and
// timer, with the buttons of its notification below. Recent timers, the next alarm and the config
// are at the end. `Answer.swift` defines what each button does.

import Bus
import Configuration
import Notifications
import Scheduling
import System

final class TrayMenu {
  private enum Item: Hashable {
    /// The text of a ring or timer, with the key of its notice; or of the next alarm, without key.
    case line(Notice.Key?, String)
    case answer(Answer)
    case separator(Notice.Key?)
    case again(RecentTimer, line: String)
    case openConfig

    var properties: [Variant.Entry] {
      switch self {
      case .line(_, let text):
        Variant.entries(["label": .string(Self.label(text)), "enabled": .boolean(false)])
      case .answer(let answer):
        Variant.entries(["label": .string(Self.label(answer.button.label))])
      case .separator: Variant.entries(["type": .string("separator")])
      case .again(_, let text): Variant.entries(["label": .string(Self.label(text))])
      case .openConfig:
        Variant.entries(["label": .string(NotificationContent.Action.openConfig.label)])
      }
    }

    /// Doubles each underscore: in a menu, a single underscore would underline the next letter.
    private static func label(_ text: String) -> String {
      text.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "__")
    }
  }

  private let path: String
  private weak var bus: Bus?
  /// Called when the user has chosen an item.
  private let perform: (Operation) -> Void
  /// Called after a panel has read the menu.
  var onRead: (() -> Void)?
  /// The items, each under a number. A number is never used for another item, because a click may
  /// arrive late. The number 0 stands for the menu itself.
  private var items: [(number: Int32, item: Item)] = []
  private var lastNumber: Int32 = 0
  private var revision: UInt32 = 0

  private static let interface = "com.canonical.dbusmenu"

  init(at path: String, perform: @escaping (Operation) -> Void) {
    (self.path, self.perform) = (path, perform)
  }

  func export(on bus: Bus) throws(BusError) {
    try bus.export(interface, at: path)
    self.bus = bus
  }

  /// Replaces the items of the menu, if they have changed. A panel asks only once for the text of
  /// an item, so an item with another text gets another number.
  func update(_ content: TrayContent) {
    var fresh: [Item] = content.things.flatMap { thing in
      [.line(thing.key, thing.line)] + thing.answers.map(Item.answer) + [.separator(thing.key)]
    }
    fresh += content.recents.map { Item.again($0.timer, line: $0.line) }
    if !content.recents.isEmpty { fresh.append(.separator(nil)) }
    fresh += (content.next.map { [.line(nil, $0)] } ?? []) + [.openConfig]
    guard items.map(\.item) != fresh else { return }
    items = fresh.map { item in (items.first { $0.item == item }?.number ?? newNumber(), item) }
    revision += 1
    bus?.emit("LayoutUpdated", of: Self.interface, at: path, [.uint32(revision), .int32(0)])
  }

  private func newNumber() -> Int32 {
    lastNumber += 1
    return lastNumber
  }
}

// MARK: - What panels ask

extension TrayMenu {
  private var interface: Bus.Interface {
    Bus.Interface(
      Self.interface,
      [
        Bus.Method(
          "GetLayout", takes: "i parent, i depth, as properties",
          gives: "u revision, (ia{sv}av) layout"
        ) { [weak self] call in
          guard let self else { return }
          let parent = call.arguments.first?.int32 ?? 0
          call.reply([.uint32(revision), layout(of: parent)])
          onRead?()
        },
        Bus.Method(
          "GetGroupProperties", takes: "ai ids, as names", gives: "a(ia{sv}) properties"
        ) { [weak self] call in
          guard let self else { return }
          let wanted = Set(call.arguments.first?.elements.compactMap(\.int32) ?? [])
          let shown = ([0] + items.map(\.number)).filter { wanted.isEmpty || wanted.contains($0) }
            .map { Variant.tuple([.int32($0), .dictionary(self.properties(of: $0))]) }
          call.reply([.array(of: "(ia{sv})", shown)])
        },
        Bus.Method("Event", takes: "i id, s event, v data, u time") { [weak self] call in
          self?.happened(call.arguments)
          call.reply()
        },
        // A panel asks whether the items are out of date, which is never the case.
        Bus.Method("AboutToShow", takes: "i id", gives: "b is_changed") {
          $0.reply([.boolean(false)])
        },
      ], signals: [Bus.Signal("LayoutUpdated", carries: "u revision, i parent")],
      // From version 3 on, libdbusmenu would call other methods, which take groups of items.
      properties: { Variant.entries(["Version": .uint32(2), "Status": .string("normal")]) })
  }

  /// Handles an event of a panel. The event consists of the number of an item, the kind of event,
  /// and details.
  private func happened(_ event: [Variant]) {
    guard event.count > 1, event[1].string == "clicked",
      let item = items.first(where: { $0.number == event[0].int32 })?.item
    else { return }
    switch item {
    case .answer(let answer): perform(.answer(answer.event))
    case .again(let recent, _): perform(.startAgain(recent))
    case .openConfig: perform(.openConfig)
    case .line, .separator: break
    }
  }

  private func properties(of number: Int32) -> [Variant.Entry] {
    number == 0
      ? Variant.entries(["children-display": .string("submenu")])
      : items.first { $0.number == number }?.item.properties ?? []
  }

  /// Returns the item with this number and its children. Only the menu itself has children.
  private func layout(of number: Int32) -> Variant {
    let children = number == 0 ? items.map { Variant.boxed(layout(of: $0.number)) } : []
    return .tuple([
      .int32(number), .dictionary(properties(of: number)), .array(of: "v", children),
    ])
  }
}
