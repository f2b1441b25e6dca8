// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bus for callers that must not wait: the system bus, calls that are answered later, signals,
// and names that appear and disappear. All callbacks run on the main loop. Next: `Login.swift`.

import CGLib
import Glibc
import Scheduling
import System

extension Bus {
  /// Connects to the session bus (`g_bus_get`). Does not block if the bus hangs. All callers share
  /// one connection.
  public static func connectToSession(_ done: @escaping (Result<Bus, BusError>) -> Void) {
    g_bus_get(
      G_BUS_TYPE_SESSION, nil,
      { _, result, context in Bus.pass(result, of: g_bus_get_finish, context) },
      CContext.retained(done))
  }

  /// Opens a connection to the system bus. Does not block if the bus hangs. The connection is not
  /// shared: as long as anyone holds a shared connection that was closed, `g_bus_get` returns that
  /// one instead of a new one.
  public static func connectToSystem(_ done: @escaping (Result<Bus, BusError>) -> Void) {
    connect(address: systemAddress, done)
  }

  /// Opens a private connection to the bus at `address`, and waits for it, for programs that have
  /// nothing else to do (`g_dbus_connection_new_for_address_sync`). Returns nil if the bus does not
  /// answer within `limit`.
  public static func connect(
    address: Result<String, BusError>, within limit: Duration
  ) -> Result<Bus, BusError>? {
    let connection = BackgroundResult("bus") { disk -> Result<Connection, BusError> in
      Result { () throws(BusError) in try Connection(address: address.get(), on: disk) }
    }
    return connection.wait(within: limit)?.map { Bus(adopting: $0.connection) }
  }

  /// A connection that one thread opens and another one uses.
  private nonisolated struct Connection: Sendable {
    nonisolated(unsafe) let connection: OpaquePointer

    init(address: String, on disk: Disk) throws(BusError) {
      var error: UnsafeMutablePointer<GError>?
      guard
        let connection = g_dbus_connection_new_for_address_sync(
          address, Bus.clientFlags, nil, nil, &error)
      else { throw BusError(consuming: error) }
      self.connection = connection
    }
  }

  private nonisolated static var clientFlags: GDBusConnectionFlags {
    GDBusConnectionFlags(
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
        | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
  }

  /// Opens a private connection to the session bus. All other users of the session bus in this
  /// program share one connection.
  public static func connectPrivately(_ done: @escaping (Result<Bus, BusError>) -> Void) {
    connect(address: sessionAddress, done)
  }

  /// The address of the session bus, from `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR`.
  public static var sessionAddress: Result<String, BusError> { address(of: G_BUS_TYPE_SESSION) }

  /// The address of the system bus, from `DBUS_SYSTEM_BUS_ADDRESS`, if that variable is set.
  public static var systemAddress: Result<String, BusError> { address(of: G_BUS_TYPE_SYSTEM) }

  /// The path of the system bus's socket, such as `/run/dbus/system_bus_socket`; nil if the bus has
  /// another kind of address.
  public static var systemSocket: String? {
    guard case .success(let address) = systemAddress else { return nil }
    let prefix = "unix:path="
    let place = address.split(separator: ";").first { $0.hasPrefix(prefix) }
    return place.map { String($0.dropFirst(prefix.count).prefix { $0 != "," }) }
  }

  /// Returns the address of a bus (`g_dbus_address_get_for_bus_sync`).
  private static func address(of type: GBusType) -> Result<String, BusError> {
    var error: UnsafeMutablePointer<GError>?
    guard let address = g_dbus_address_get_for_bus_sync(type, nil, &error) else {
      return .failure(BusError(consuming: error))
    }
    defer { g_free(address) }
    return .success(String(cString: address))
  }

  private static func connect(
    address: Result<String, BusError>, _ done: @escaping (Result<Bus, BusError>) -> Void
  ) {
    switch address {
    case .success(let address): connect(address: address, done)
    case .failure(let error): done(.failure(error))
    }
  }

  /// Opens a private connection to the bus at `address` (`g_dbus_connection_new_for_address`). It
  /// is closed when the `Bus` that `done` gets is released.
  public static func connect(
    address: String, _ done: @escaping (Result<Bus, BusError>) -> Void
  ) {
    g_dbus_connection_new_for_address(
      address, clientFlags, nil, nil,
      { _, result, context in
        Bus.pass(result, of: g_dbus_connection_new_for_address_finish, context)
      }, CContext.retained(done))
  }

  /// Gets the connection, or the error, from `result` by calling `finish`, and passes it to the
  /// closure in `context`.
  private static func pass(
    _ result: OpaquePointer?,
    of finish: (OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?)
      -> OpaquePointer?, _ context: gpointer?
  ) {
    var error: UnsafeMutablePointer<GError>?
    let connection = finish(result, &error)
    let done = CContext<(Result<Bus, BusError>) -> Void>.take(context)
    done(connection.map { .success(Bus(adopting: $0)) } ?? .failure(BusError(consuming: error)))
  }

  public struct Reply {
    public var values: [Variant]
    /// The first of the file descriptors in the answer; nil if there is none.
    public var descriptor: OpenDescriptor?
  }

  /// Calls `peer` without waiting. `done` gets the answer or, if none comes within `timeout`, an
  /// error. Only the whole seconds of `timeout` count. The bus starts a peer that is not running
  /// only if `starting` is true (`g_dbus_connection_call_with_unix_fd_list`).
  ///
  /// `gives` has the D-Bus types of the values that the answer must have, such as `s` or `a{sv}`.
  /// An answer with other types is an error. With nil, the answer may have any types, and none of
  /// its values is read.
  public func ask(
    _ peer: Peer, _ member: String, _ arguments: [Variant] = [], gives types: String?,
    starting: Bool = false, timeout: Duration = .seconds(25),
    _ done: @escaping (Result<Reply, BusError>) -> Void
  ) {
    let flags = starting ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START
    g_dbus_connection_call_with_unix_fd_list(
      connection, peer.name, peer.path, peer.interface, member,
      Variant.tuple(arguments).gvariant, Self.type(types), flags,
      gint(timeout.components.seconds * 1000), nil, nil,
      { source, result, context in
        let (isRead, done) = CContext<Pending>.take(context)
        done(Bus.reply(to: OpaquePointer(source), result, isRead: isRead))
      }, CContext<Pending>.retained((types != nil, done)))
  }

  /// A call whose answer is awaited, and whether the values of the answer are read.
  private typealias Pending = (isRead: Bool, done: (Result<Reply, BusError>) -> Void)

  private static func reply(
    to connection: OpaquePointer?, _ result: OpaquePointer?, isRead: Bool
  ) -> Result<Reply, BusError> {
    var error: UnsafeMutablePointer<GError>?
    var descriptors: UnsafeMutablePointer<GUnixFDList>?
    guard
      let answer = g_dbus_connection_call_with_unix_fd_list_finish(
        connection, &descriptors, result, &error)
    else { return .failure(BusError(consuming: error)) }
    defer { g_variant_unref(answer) }
    var reply = Reply(values: isRead ? Variant.children(of: answer) : [])
    if let descriptors {
      defer { g_object_unref(UnsafeMutableRawPointer(descriptors)) }
      // `g_unix_fd_list_get` returns a duplicate of the descriptor. It fails if the list is empty
      // or this process has no descriptor left.
      let number =
        g_unix_fd_list_get_length(descriptors) > 0 ? g_unix_fd_list_get(descriptors, 0, nil) : -1
      if number >= 0 { reply.descriptor = OpenDescriptor(adopting: number) }
    }
    return .success(reply)
  }

  /// Watches a signal or a name as long as this object lives.
  public final class Subscription {
    private let end: @Sendable () -> Void
    fileprivate init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  /// Calls `handle` with the values of each `signal` that `peer` sends
  /// (`g_dbus_connection_signal_subscribe`). If `ofAnyObject` is true, the path of `peer` does not
  /// matter. `carries` has the D-Bus types of the values; a signal with other types is ignored.
  /// With nil, the signal may have any values, and none of them is read.
  public func listen(
    to peer: Peer, _ signal: String, carries types: String?, ofAnyObject: Bool = false,
    _ handle: @escaping ([Variant]) -> Void
  ) -> Subscription {
    let type = types.map { "(\($0))" }
    let id = g_dbus_connection_signal_subscribe(
      connection, peer.name, peer.interface, signal, ofAnyObject ? nil : peer.path, nil,
      G_DBUS_SIGNAL_FLAGS_NONE,
      { _, _, _, _, _, values, context in
        guard let values else { return }
        let (type, handle) = CContext<Listener>.value(of: context)
        guard let type else { return handle([]) }
        guard type == String(cString: g_variant_get_type_string(values)) else { return }
        handle(Variant.children(of: values))
      },
      CContext<Listener>.retained((type, handle)), releaseContext)
    // The closure holds the connection, which must live until the end of the subscription.
    return Subscription { [self] in g_dbus_connection_signal_unsubscribe(connection, id) }
  }

  private typealias Listener = (type: String?, handle: ([Variant]) -> Void)

  /// Calls `handle` with the unique bus name of the program that owns `name`, or with nil if no
  /// program owns it. Does this once at the beginning, then at each change
  /// (`g_bus_watch_name_on_connection`).
  public func watch(
    _ name: String, _ handle: @escaping (_ owner: String?) -> Void
  ) -> Subscription {
    let id = g_bus_watch_name_on_connection(
      connection, name, G_BUS_NAME_WATCHER_FLAGS_NONE,
      { _, _, owner, context in
        CContext<(String?) -> Void>.value(of: context)(owner.map { String(cString: $0) })
      },
      { _, _, context in CContext<(String?) -> Void>.value(of: context)(nil) },
      CContext.retained(handle), releaseContext)
    return Subscription { g_bus_unwatch_name(id) }
  }
}

extension Bus {
  /// Reads a property; `done` gets nil if the call fails, or if there is no answer within
  /// `timeout`.
  public func property(
    _ name: String, of peer: Peer, starting: Bool = false, timeout: Duration = .seconds(2),
    _ done: @escaping (Variant?) -> Void
  ) {
    let arguments = [peer.interface, name].map(Variant.string)
    ask(peer.properties, "Get", arguments, gives: "v", starting: starting, timeout: timeout) {
      done($0.value)
    }
  }
}

extension Bus {
  /// Finds out which process has the bus name `name`; `done` gets nil if there is none, or if the
  /// bus cannot determine it.
  public func askProcess(of name: String, _ done: @escaping (OtherProcess?) -> Void) {
    ask(.daemon, "GetConnectionUnixProcessID", [.string(name)], gives: "u") { answer in
      done(answer.value?.uint32.flatMap(Int32.init(exactly:)).map(OtherProcess.init))
    }
  }
}

extension Result<Bus.Reply, BusError> {
  /// The first value of an answer; nil if the call failed or the answer is empty.
  public var value: Variant? { (try? get())?.values.first }
}
