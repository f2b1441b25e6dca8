// SPDX-License-Identifier: GPL-3.0-or-later
//
// Connects to a D-Bus message bus through GDBus: takes a name on the bus, answers calls, emits
// signals, and calls other programs. Next: `Interface.swift`, for the methods that this program
// offers, and `BusListening.swift`, for callers that must not wait.

import CGLib
import Glibc
import Language
import Scheduling
import System

public nonisolated struct BusError: Error, Equatable, CustomStringConvertible {
  /// The D-Bus error name, such as `org.freedesktop.DBus.Error.ServiceUnknown`. Empty if the error
  /// did not come from the bus or a program on it, for example if the connection is closed.
  public var name: String
  public var message: String

  public init(name: String = "", message: String) { (self.name, self.message) = (name, message) }

  public var description: String { message }

  /// The called program did not answer in time, or has exited. It may still have carried out the
  /// call.
  public static let noReply = "org.freedesktop.DBus.Error.NoReply"

  /// No program has the name that was called, and the bus cannot start one.
  public static let unknownService = "org.freedesktop.DBus.Error.ServiceUnknown"

  /// Whether the called program has no such object, interface or method.
  public var isUnknown: Bool {
    name.hasPrefix("org.freedesktop.DBus.Error.Unknown")
  }

  /// Takes ownership of `error`, which comes from C, and frees it.
  init(consuming error: UnsafeMutablePointer<GError>?) {
    guard let error else {
      self.init(message: tr("the bus gave no reason"))
      return
    }
    defer { g_error_free(error) }
    let name = g_dbus_error_get_remote_error(error).map { pointer in
      defer { g_free(pointer) }
      return String(cString: pointer)
    }
    g_dbus_error_strip_remote_error(error)
    let timedOut = gint(G_IO_ERROR_TIMED_OUT.rawValue)
    let isOver = g_error_matches(error, g_io_error_quark(), timedOut) != 0
    self.init(
      name: name ?? (isOver ? Self.noReply : ""), message: String(cString: error.pointee.message))
  }
}

/// A connection to a message bus (`GDBusConnection`).
public final class Bus {
  nonisolated(unsafe) let connection: OpaquePointer
  private var name: guint = 0
  private let limit: guint

  /// The longest message that is read from a bus, in bytes of its values: a call, a reply or a
  /// signal. A longer one is ignored. Programs that call the agent raise
  /// the limit, before the first connection.
  public static var longestMessage = 1 << 16

  /// The limit for programs that read the agent's lists, such as a history of 10000 long labels.
  public static let longestOfAgent = 64 << 20

  /// Called when the connection to the bus ends, for example at the end of a session.
  public var onClosed: (() -> Void)?

  /// Connects to the session bus, whose address comes from `DBUS_SESSION_BUS_ADDRESS` or
  /// `XDG_RUNTIME_DIR` (`g_bus_get_sync`).
  public convenience init() throws(BusError) {
    var error: UnsafeMutablePointer<GError>?
    guard let connection = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, &error) else {
      throw BusError(consuming: error)
    }
    self.init(adopting: connection)
  }

  init(adopting connection: OpaquePointer) {
    self.connection = connection
    limit = MessageLimit.set(Self.longestMessage, on: connection)
    // By default, GDBus ends the process when the connection to the bus closes. Unsaved state would
    // be lost then.
    g_dbus_connection_set_exit_on_close(connection, 0)
    let closed: @convention(c) (OpaquePointer?, gboolean, OpaquePointer?, gpointer?) -> Void = {
      _, _, _, context in
      Unmanaged<Bus>.fromOpaque(context!).takeUnretainedValue().onClosed?()
    }
    g_signal_connect_data(
      UnsafeMutableRawPointer(connection), "closed", unsafeBitCast(closed, to: GCallback.self),
      Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(rawValue: 0))
  }

  deinit {
    g_dbus_connection_remove_filter(connection, limit)
    g_signal_handlers_disconnect_matched(
      UnsafeMutableRawPointer(connection), G_SIGNAL_MATCH_DATA, 0, 0, nil, nil,
      Unmanaged.passUnretained(self).toOpaque())
    g_object_unref(UnsafeMutableRawPointer(connection))
  }

  /// The unique id of the bus. It tells whether two connections lead to the same bus.
  public var id: String { String(cString: g_dbus_connection_get_guid(connection)) }

  /// The name that the bus has given to this connection, such as `:1.42`.
  public var uniqueName: String { String(cString: g_dbus_connection_get_unique_name(connection)) }

  public enum Ownership: Sendable { case acquired, lost }

  /// Asks the bus for `name` (`g_bus_own_name_on_connection`). No other program can take the name
  /// away while this connection lives. If another connection has the name, `onChange` gets `lost`.
  /// This connection then waits in the bus's queue, and `onChange` gets `acquired` as soon as the
  /// name is free.
  public func own(_ name: String, _ onChange: @escaping (Ownership) -> Void) {
    self.name = g_bus_own_name_on_connection(
      connection, name, G_BUS_NAME_OWNER_FLAGS_NONE,
      { _, _, context in CContext<(Ownership) -> Void>.value(of: context)(.acquired) },
      { _, _, context in CContext<(Ownership) -> Void>.value(of: context)(.lost) },
      CContext.retained(onChange), releaseContext)
  }

  /// Sends all messages that are still in the queue, and waits at most `limit` for that
  /// (`g_dbus_connection_flush_sync`). Use this at the end of a program.
  public func flush(within limit: Duration) {
    let worker = Worker(name: "flush")
    worker.perform { [self] _ in g_dbus_connection_flush_sync(connection, nil, nil) }
    _ = worker.finish(within: limit)
  }
}

// MARK: - Calls from other programs

extension Bus {
  /// A method call from another program. It must be answered by exactly one call of `reply`, `fail`
  /// or `drop`.
  public nonisolated struct Call: Sendable {
    public let member: String
    public let arguments: [Variant]
    public let sender: String
    // Any thread may answer the call, but only one thread does.
    private nonisolated(unsafe) let invocation: OpaquePointer
    private let turn: Method.Turn
    /// The program that called; nil if a program calls its own method.
    private let caller: Caller?

    /// Encodes answers, one after another, so that a long answer does not hold up the main loop.
    private static let answers = Worker(name: "answers")

    init(_ invocation: OpaquePointer, _ turn: Method.Turn) {
      (self.invocation, self.turn) = (invocation, turn)
      member = String(cString: g_dbus_method_invocation_get_method_name(invocation))
      arguments =
        g_dbus_method_invocation_get_parameters(invocation).map(Variant.children) ?? []
      sender = g_dbus_method_invocation_get_sender(invocation).map { String(cString: $0) } ?? ""
      caller = CallTicket.of(g_dbus_method_invocation_get_message(invocation))?.caller
    }

    /// Whether the call is to be carried out: false for a question whose caller has left the bus.
    public var isWanted: Bool { turn != .question || caller?.hasLeft != true }

    public func reply(_ values: [Variant] = []) {
      guard turn != .now else { return give(values) }
      Self.answers.perform { _ in if isWanted { give(values) } else { drop() } }
    }

    /// Answers on this thread, which must not be the main loop's, and waits until the answer is
    /// sent: long answers do not pile up.
    public func replyHere(_ values: [Variant], on disk: Disk) {
      let connection = g_object_ref(
        UnsafeMutableRawPointer(g_dbus_method_invocation_get_connection(invocation)))
      defer { g_object_unref(connection) }
      give(values)
      g_dbus_connection_flush_sync(OpaquePointer(connection), nil, nil)
    }

    private func give(_ values: [Variant]) {
      g_dbus_method_invocation_return_value(invocation, Variant.tuple(values).gvariant)
    }

    /// Answers with the error `name`, a D-Bus name such as `org.example.Error.NotThere`.
    public func fail(_ name: String, _ message: String) {
      g_dbus_method_invocation_return_dbus_error(invocation, name, message)
    }

    /// Gives no answer, because the caller has left the bus.
    public func drop() { g_object_unref(UnsafeMutableRawPointer(invocation)) }
  }

  public func emit(
    _ signal: String, of interface: String, at path: String, _ values: [Variant] = []
  ) {
    g_dbus_connection_emit_signal(
      connection, nil, path, interface, signal, Variant.tuple(values).gvariant, nil)
  }
}

// MARK: - Calls to other programs

extension Bus {
  /// The program, object and interface that a call goes to.
  public nonisolated struct Peer: Sendable {
    public var name: String
    public var path: String
    public var interface: String

    /// Creates a peer. The defaults fit most services, whose path and interface equal their name:
    /// for "org.example.Clock", the path "/org/example/Clock" and the interface
    /// "org.example.Clock".
    public init(_ name: String, path: String? = nil, interface: String? = nil) {
      self.name = name
      self.path = path ?? "/" + name.split(separator: ".").joined(separator: "/")
      self.interface = interface ?? name
    }

    public static let daemon = Peer("org.freedesktop.DBus")
    /// The notification server, as the Desktop Notifications Specification defines it.
    public static let notifications = Peer("org.freedesktop.Notifications")
    /// The part of GNOME Shell that locks and blanks the screen.
    public static let gnomeScreenShield = Peer(
      "org.gnome.Shell.ScreenShield", path: "/org/gnome/ScreenSaver",
      interface: "org.gnome.ScreenSaver")
    /// systemd, as the manager of the user's session or, on the system bus, of the machine.
    public static let systemd = Peer(
      "org.freedesktop.systemd1", interface: "org.freedesktop.systemd1.Manager")

    /// The same object as this peer, with the interface for reading its properties.
    public var properties: Peer {
      Peer(name, path: path, interface: "org.freedesktop.DBus.Properties")
    }
  }

  /// Calls `peer` and waits for the answer, for programs that have nothing else to do
  /// (`g_dbus_connection_call_sync`). Unless `starting` is false, the bus starts a peer that is not
  /// running. For `gives`, see `ask`.
  public func call(
    _ peer: Peer, _ member: String, _ arguments: [Variant] = [], gives types: String,
    starting: Bool = true, timeout: Duration = .seconds(10)
  ) throws(BusError) -> [Variant] {
    var error: UnsafeMutablePointer<GError>?
    let flags = starting ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START
    guard
      let answer = g_dbus_connection_call_sync(
        connection, peer.name, peer.path, peer.interface, member,
        Variant.tuple(arguments).gvariant, Bus.type(types), flags,
        gint(clamping: max(1, timeout.wholeMicroseconds / 1000)), nil, &error)
    else { throw BusError(consuming: error) }
    defer { g_variant_unref(answer) }
    return Variant.children(of: answer)
  }

  /// Reads a property of `peer`, and waits for the answer, for programs that have nothing else to
  /// do. Returns nil if the call fails.
  public func callForProperty(
    _ name: String, of peer: Peer, starting: Bool = false, timeout: Duration = .seconds(2)
  ) -> Variant? {
    let arguments = [peer.interface, name].map(Variant.string)
    return try? call(
      peer.properties, "Get", arguments, gives: "v", starting: starting, timeout: timeout
    ).first
  }

  /// The type of an answer with values of `types`; nil, which stands for any type, if `types` is
  /// nil. It stays allocated: there are only a few types.
  static func type(_ types: String?) -> OpaquePointer? {
    guard let types else { return nil }
    if let known = knownTypes[types] { return known }
    let type = g_variant_type_new(types == anyValues ? "r" : "(\(types))")
    knownTypes[types] = type
    return type
  }

  private static var knownTypes: [String: OpaquePointer] = [:]

  /// Stands for answers of any type, for the agent's answers to the command `belfry`.
  public nonisolated static let anyValues = "*"
}
