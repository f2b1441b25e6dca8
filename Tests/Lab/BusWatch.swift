// SPDX-License-Identifier: GPL-3.0-or-later
//
// Listens to the Lab's bus with dbus-monitor. It keeps every message in order, with its time, and a
// list of the notifications among the messages. Next: `NotificationServer.swift`.

import Foundation

/// A call of `org.freedesktop.Notifications.Notify`, and the server's answer.
public struct PostedNotification: Sendable {
  public struct Action: Hashable, Sendable {
    public let key: String
    public let label: String
  }

  /// When the call went over the bus.
  public let time: Epoch
  /// The unique bus name of the program that posted the notification.
  public let sender: String
  /// The number that the server gave the notification; nil until the server has answered.
  public internal(set) var id: UInt32?
  public let application: String
  public let replaces: UInt32
  public let icon: String
  public let title: String
  public let body: String
  public let actions: [Action]
  public let hints: [String: BusValue]
  /// After how many milliseconds the notification expires. 0 means never, and -1 leaves the time to
  /// the server.
  public let timeout: Int
  fileprivate let serial: Int64

  fileprivate init?(_ message: BusMessage) {
    let body = message.body
    guard message.kind == .call, message.member == "Notify",
      message.interface == "org.freedesktop.Notifications", body.count == 8,
      case .dictionary(let hints) = body[6]
    else { return nil }
    time = message.time
    sender = message.sender ?? ""
    serial = message.serial
    application = body[0].string ?? ""
    replaces = UInt32(body[1].integer ?? 0)
    icon = body[2].string ?? ""
    title = body[3].string ?? ""
    self.body = body[4].string ?? ""
    let words = body[5].array.compactMap(\.string)
    actions = stride(from: 0, to: words.count - 1, by: 2).map {
      Action(key: words[$0], label: words[$0 + 1])
    }
    self.hints = hints
    timeout = Int(body[7].integer ?? -1)
  }
}

extension PostedNotification {
  /// Returns whether `other` is this call, handed on by another program. GNOME's notification
  /// service calls GNOME Shell with each notification before it answers the program that posted it.
  fileprivate func hands(on other: PostedNotification) -> Bool {
    other.id == nil && other.sender != sender && other.replaces == replaces
      && other.title == title && other.body == body
  }
}

/// Reads the output of `dbus-monitor --pcap`. That program sees the calls and replies between other
/// programs, and adds the time to each message.
public final class BusWatch: Sendable {
  private let state: Guarded<BusLog>
  private let monitor: Program

  init(lab: Lab) throws {
    let state = Guarded(BusLog())
    monitor = try lab.start("dbus-monitor", arguments: ["--session", "--pcap"]) { data, _ in
      state.update { $0.take(data) }
    }
    self.state = state
    // dbus-monitor writes the header of the capture once the bus has made it a monitor.
    guard state.wait(within: patience, for: { $0.hasHeader ? true : nil }) != nil else {
      throw LabError.failed("dbus-monitor", reason: monitor.errors)
    }
  }

  /// Every message that was sent on the bus so far.
  public var messages: [BusMessage] { state.read { $0.messages } }

  /// Returns every notification posted so far. A notification that was replaced or posted again
  /// appears several times, once for each call.
  public func notifications(since time: Epoch = 0) -> [PostedNotification] {
    state.read { $0.notifications.filter { $0.time >= time } }
  }

  /// Returns all signals so far with the name `member`, such as `NotificationClosed`.
  public func signals(_ member: String, since time: Epoch = 0) -> [BusMessage] {
    messages.filter { $0.kind == .signal && $0.member == member && $0.time >= time }
  }

  /// Returns all calls so far of the method `member`, such as `CloseNotification`.
  public func calls(_ member: String, since time: Epoch = 0) -> [BusMessage] {
    messages.filter { $0.kind == .call && $0.member == member && $0.time >= time }
  }

  /// Waits for the first notification at `since` or later for which `matches` returns true.
  ///
  /// - Parameter answered: whether to wait until the server has given the notification an id. A
  ///   hung server does not.
  public func waitForNotification(
    since time: Epoch = 0, answered: Bool = true, within seconds: Double = patience,
    where matches: (PostedNotification) -> Bool = { _ in true }
  ) throws(LabError) -> PostedNotification {
    let found = state.wait(within: seconds) { state in
      state.notifications.first {
        $0.time >= time && (!answered || $0.id != nil) && matches($0)
      }
    }
    if let found { return found }
    let seen = notifications(since: time).map { "“\($0.title)” \($0.body)" }
    throw .deadline("a notification", seconds: seconds, seen: seen.joined(separator: ", "))
  }

  /// Waits for the first message at `since` or later for which `matches` returns true.
  @discardableResult
  public func waitForMessage(
    _ awaited: String = "a message", since time: Epoch = 0, within seconds: Double = patience,
    where matches: (BusMessage) -> Bool
  ) throws(LabError) -> BusMessage {
    let found = state.wait(within: seconds) { state in
      state.messages.first { $0.time >= time && matches($0) }
    }
    guard let found else {
      let seen = messages.filter { $0.time >= time }.compactMap(\.member)
      throw .deadline(awaited, seconds: seconds, seen: seen.joined(separator: ", "))
    }
    return found
  }

  /// Waits until the bus name `name` has an owner, or has no owner if `owned` is false.
  func waitForName(
    _ name: String, owned: Bool, since time: Epoch, within seconds: Double = patience
  ) throws(LabError) {
    try waitForMessage("an owner of \(name): \(owned)", since: time, within: seconds) {
      $0.member == "NameOwnerChanged" && $0.body.first?.string == name
        && ($0.body.last?.string?.isEmpty == false) == owned
    }
  }
}

extension Lab {
  /// Waits until the bus has processed all messages that killed programs had sent. Otherwise the
  /// bus might still give a bus name to a killed program.
  public func settleBus() throws {
    let asked = Lab.now
    try run(
      "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
      "org.freedesktop.DBus.GetId")
    try busWatch.waitForMessage("the bus", since: asked) { $0.member == "GetId" }
  }
}

/// The messages that were read from the output of `dbus-monitor --pcap`.
private struct BusLog {
  private var unread: [UInt8] = []
  private(set) var hasHeader = false
  private(set) var messages: [BusMessage] = []
  private(set) var notifications: [PostedNotification] = []

  private static let headerSize = 24
  private static let recordSize = 16

  /// Takes the next bytes of a capture. After the capture's header, each record consists of the
  /// time in seconds and in microseconds, the length of the message twice, and the message
  /// (pcap-savefile(5)).
  mutating func take(_ data: Data) {
    unread += data
    if !hasHeader, unread.count >= Self.headerSize {
      unread.removeFirst(Self.headerSize)
      hasHeader = true
    }
    while hasHeader, unread.count >= Self.recordSize, unread.count >= Self.recordSize + word(2) {
      let end = Self.recordSize + word(2)
      let time = Epoch(word(0)) + Epoch(word(1)) / 1e6
      let message = BusMessage(Array(unread[Self.recordSize..<end]), time: time)
      unread.removeFirst(end)
      if let message { take(message) }
    }
  }

  /// Returns one of the 32-bit numbers before a message. They have this machine's byte order.
  private func word(_ index: Int) -> Int {
    unread.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)) }
  }

  private mutating func take(_ message: BusMessage) {
    messages.append(message)
    if let notification = PostedNotification(message) {
      if !notifications.contains(where: notification.hands(on:)) {
        notifications.append(notification)
      }
    } else if message.kind == .reply, let id = message.body.first?.integer,
      let index = notifications.lastIndex(where: {
        $0.serial == message.replySerial && $0.sender == message.destination
      })
    {
      notifications[index].id = UInt32(id)
    }
  }
}
