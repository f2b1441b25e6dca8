// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bus without waiting: the system bus, calls whose answer comes later, signals, and names
// that come and go. Everything is told on the main loop. Next: `Login.swift`.

import CGLib
import Glibc
import Scheduling
import System

extension Bus {
  /// Connects to the system bus, at `DBUS_SYSTEM_BUS_ADDRESS` or its usual place (`g_bus_get`).
  public static func connectToSystem(_ done: @escaping (Result<Bus, BusError>) -> Void) {
    connect(G_BUS_TYPE_SYSTEM, done)
  }

  /// As `init`, without waiting for a bus that hangs.
  public static func connectToSession(_ done: @escaping (Result<Bus, BusError>) -> Void) {
    connect(G_BUS_TYPE_SESSION, done)
  }

  private static func connect(_ type: GBusType, _ done: @escaping (Result<Bus, BusError>) -> Void) {
    g_bus_get(
      type, nil,
      { _, result, context in
        var error: UnsafeMutablePointer<GError>?
        let connection = g_bus_get_finish(result, &error)
        let done = CContext<(Result<Bus, BusError>) -> Void>.take(context)
        done(connection.map { .success(Bus(adopting: $0)) } ?? .failure(BusError(consuming: error)))
      }, CContext.retained(done))
  }

  /// What a peer answered.
  public struct Reply {
    public var values: [Variant]
    /// The first of the descriptors that came with it.
    public var descriptor: OpenDescriptor?
  }

  /// Calls `peer`, which only where `starting` is started if it does not run, and goes on; `done`
  /// gets the answer, or the error that none came within `timeout`
  /// (`g_dbus_connection_call_with_unix_fd_list`).
  public func ask(
    _ peer: Peer, _ member: String, _ arguments: [Variant] = [], starting: Bool = false,
    timeout: Duration = .seconds(25), _ done: @escaping (Result<Reply, BusError>) -> Void
  ) {
    let children = arguments.map { Optional($0.gvariant) }
    let flags = starting ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START
    g_dbus_connection_call_with_unix_fd_list(
      connection, peer.name, peer.path, peer.interface, member,
      g_variant_new_tuple(children, gsize(children.count)), nil, flags,
      gint(timeout.components.seconds * 1000), nil, nil,
      { source, result, context in
        let done = CContext<(Result<Reply, BusError>) -> Void>.take(context)
        done(Bus.reply(to: OpaquePointer(source), result))
      }, CContext.retained(done))
  }

  private static func reply(
    to connection: OpaquePointer?, _ result: OpaquePointer?
  ) -> Result<Reply, BusError> {
    var error: UnsafeMutablePointer<GError>?
    var descriptors: UnsafeMutablePointer<GUnixFDList>?
    guard
      let answer = g_dbus_connection_call_with_unix_fd_list_finish(
        connection, &descriptors, result, &error)
    else { return .failure(BusError(consuming: error)) }
    defer { g_variant_unref(answer) }
    guard g_variant_get_size(answer) <= longestMessage else {
      return .failure(.tooLong(longestMessage))
    }
    var reply = Reply(values: Variant.children(of: answer))
    if let descriptors {
      defer { g_object_unref(UnsafeMutableRawPointer(descriptors)) }
      // A duplicate; there is none where the peer sent an empty list, or this process has no more.
      let number =
        g_unix_fd_list_get_length(descriptors) > 0 ? g_unix_fd_list_get(descriptors, 0, nil) : -1
      if number >= 0 { reply.descriptor = OpenDescriptor(adopting: number) }
    }
    return .success(reply)
  }

  /// Something of the bus that is told until this is released.
  public final class Subscription {
    private let end: @Sendable () -> Void
    fileprivate init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  /// Calls `handle` with the values of each `signal` that `peer` sends
  /// (`g_dbus_connection_signal_subscribe`).
  public func listen(
    to peer: Peer, _ signal: String, _ handle: @escaping ([Variant]) -> Void
  ) -> Subscription {
    let id = g_dbus_connection_signal_subscribe(
      connection, peer.name, peer.interface, signal, peer.path, nil, G_DBUS_SIGNAL_FLAGS_NONE,
      { _, _, _, _, _, values, context in
        guard let values, g_variant_get_size(values) <= Bus.longestMessage else { return }
        CContext<([Variant]) -> Void>.value(of: context)(Variant.children(of: values))
      },
      CContext.retained(handle), releaseContext)
    // It holds the connection, which must not go first.
    return Subscription { [self] in g_dbus_connection_signal_unsubscribe(connection, id) }
  }

  /// Tells whether somebody has `name`, now and whenever that changes
  /// (`g_bus_watch_name_on_connection`).
  public func watch(_ name: String, _ handle: @escaping (Bool) -> Void) -> Subscription {
    let id = g_bus_watch_name_on_connection(
      connection, name, G_BUS_NAME_WATCHER_FLAGS_NONE,
      { _, _, _, context in CContext<(Bool) -> Void>.value(of: context)(true) },
      { _, _, context in CContext<(Bool) -> Void>.value(of: context)(false) },
      CContext.retained(handle), releaseContext)
    return Subscription { g_bus_unwatch_name(id) }
  }
}

extension Bus {
  /// Asks for a property; nil where there is no answer within `timeout`.
  public func property(
    _ name: String, of peer: Peer, starting: Bool = false, timeout: Duration = .seconds(2),
    _ done: @escaping (Variant?) -> Void
  ) {
    let arguments = [peer.interface, name].map(Variant.string)
    ask(peer.properties, "Get", arguments, starting: starting, timeout: timeout) { done($0.value) }
  }
}

extension Result<Bus.Reply, BusError> {
  /// The first value of an answer, where there is one.
  public var value: Variant? { (try? get())?.values.first }
}
