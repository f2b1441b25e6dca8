// SPDX-License-Identifier: GPL-3.0-or-later
//
// The message buses through GDBus: owning a name, answering calls, emitting signals, and calling
// others. Next: `Interface.swift`, for the methods of this program, and `BusListening.swift`, for
// callers that must not wait.

import CGLib
import Glibc
import Language
import System

public struct BusError: Error, Equatable, CustomStringConvertible {
  /// The D-Bus error name, such as `org.freedesktop.DBus.Error.ServiceUnknown`; empty where the
  /// failure is neither a peer's nor a lack of its answer.
  public var name: String
  public var message: String

  public init(name: String = "", message: String) { (self.name, self.message) = (name, message) }

  public var description: String { message }

  /// Nobody answered in time, or whoever was to is gone; what was asked for may be done all the
  /// same.
  public static let noReply = "org.freedesktop.DBus.Error.NoReply"

  /// A message of more than `limit` bytes came, and is not read.
  static func tooLong(_ limit: Int) -> BusError {
    BusError(
      name: "org.freedesktop.DBus.Error.LimitsExceeded",
      message: "a message of more than \(limit) bytes is not read")
  }

  /// Takes over `error`, which C handed out.
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

  /// Called when the bus goes away, as it does at the end of a session.
  public var onClosed: (() -> Void)?

  /// Connects to the session bus, the one that `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR`
  /// leads to (`g_bus_get_sync`).
  public convenience init() throws(BusError) {
    var error: UnsafeMutablePointer<GError>?
    guard let connection = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, &error) else {
      throw BusError(consuming: error)
    }
    self.init(adopting: connection)
  }

  /// Takes over a reference to `connection`.
  init(adopting connection: OpaquePointer) {
    self.connection = connection
    // GDBus would end the process, and what must be remembered with it.
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
    g_signal_handlers_disconnect_matched(
      UnsafeMutableRawPointer(connection), G_SIGNAL_MATCH_DATA, 0, 0, nil, nil,
      Unmanaged.passUnretained(self).toOpaque())
    g_object_unref(UnsafeMutableRawPointer(connection))
  }

  /// What became of asking for a name.
  public enum Ownership: Sendable { case acquired, lost }

  /// Asks for `name` (`g_bus_own_name_on_connection`). Nobody can take it away while this
  /// connection lives. `lost` comes if another connection has the name; then this one waits in the
  /// bus's queue, and `acquired` follows as soon as the name is free.
  public func own(_ name: String, _ onChange: @escaping (Ownership) -> Void) {
    self.name = g_bus_own_name_on_connection(
      connection, name, G_BUS_NAME_OWNER_FLAGS_NONE,
      { _, _, context in CContext<(Ownership) -> Void>.value(of: context)(.acquired) },
      { _, _, context in CContext<(Ownership) -> Void>.value(of: context)(.lost) },
      CContext.retained(onChange), releaseContext)
  }

  /// Sends what waits to be sent, as far as the bus reads it within `limit`
  /// (`g_dbus_connection_flush_sync`); for the end of a program.
  public func flush(within limit: Duration) {
    let worker = Worker(name: "flush")
    worker.perform { [self] in g_dbus_connection_flush_sync(connection, nil, nil) }
    _ = worker.finish(within: limit)
  }
}

// MARK: - Being called

extension Bus {
  /// A method call that waits for its answer; exactly one of `reply` and `fail` ends it.
  public nonisolated struct Call: Sendable {
    public let member: String
    public let arguments: [Variant]
    /// The unique name of who calls.
    public let sender: String
    // One end answers it, on whichever thread that is.
    nonisolated(unsafe) let invocation: OpaquePointer

    public func reply(_ values: [Variant] = []) {
      let children = values.map { Optional($0.gvariant) }
      g_dbus_method_invocation_return_value(
        invocation, g_variant_new_tuple(children, gsize(children.count)))
    }

    /// The same for a long answer, on the thread that made it: this puts it into the bytes of the
    /// bus.
    public func reply(_ rows: PackedRows) {
      var children: [OpaquePointer?] = [rows.gvariant]
      g_dbus_method_invocation_return_value(invocation, g_variant_new_tuple(&children, 1))
    }

    /// Answers with the error `name`, a D-Bus name such as `org.example.Error.NotThere`.
    public func fail(_ name: String, _ message: String) {
      g_dbus_method_invocation_return_dbus_error(invocation, name, message)
    }

    func fail(_ error: BusError) { fail(error.name, error.message) }
  }

  /// The longest call that is read, in bytes, and the longest of other messages.
  nonisolated static let longestCall = 1 << 16
  nonisolated static let longestMessage = 1 << 20

  /// Sends a signal to whoever listens.
  public func emit(
    _ signal: String, of interface: String, at path: String, _ values: [Variant] = []
  ) {
    let children = values.map { Optional($0.gvariant) }
    g_dbus_connection_emit_signal(
      connection, nil, path, interface, signal,
      g_variant_new_tuple(children, gsize(children.count)), nil)
  }
}

// MARK: - Calling

extension Bus {
  /// Where a call goes.
  public struct Peer: Sendable {
    public var name: String
    public var path: String
    public var interface: String

    /// Most services have a path and an interface that are called as they are.
    public init(_ name: String, path: String? = nil, interface: String? = nil) {
      self.name = name
      self.path = path ?? "/" + name.split(separator: ".").joined(separator: "/")
      self.interface = interface ?? name
    }

    /// The bus itself.
    public static let daemon = Peer("org.freedesktop.DBus")
    /// The server of the Desktop Notifications Specification.
    public static let notifications = Peer("org.freedesktop.Notifications")
    /// systemd, as the manager of the session or of the machine.
    public static let systemd = Peer(
      "org.freedesktop.systemd1", interface: "org.freedesktop.systemd1.Manager")

    /// The same, for what it tells of its properties.
    var properties: Peer { Peer(name, path: path, interface: "org.freedesktop.DBus.Properties") }
  }

  /// Calls and waits for the answer, for programs that have nothing else to do
  /// (`g_dbus_connection_call_sync`). A peer that is not running is started by activation unless
  /// `starting` is false.
  public func call(
    _ peer: Peer, _ member: String, _ arguments: [Variant] = [], starting: Bool = true,
    timeout: Duration = .seconds(10)
  ) throws(BusError) -> [Variant] {
    var error: UnsafeMutablePointer<GError>?
    let children = arguments.map { Optional($0.gvariant) }
    let flags = starting ? G_DBUS_CALL_FLAGS_NONE : G_DBUS_CALL_FLAGS_NO_AUTO_START
    guard
      let answer = g_dbus_connection_call_sync(
        connection, peer.name, peer.path, peer.interface, member,
        g_variant_new_tuple(children, gsize(children.count)), nil, flags,
        gint(timeout.components.seconds * 1000), nil, &error)
    else { throw BusError(consuming: error) }
    defer { g_variant_unref(answer) }
    return Variant.children(of: answer)
  }

  /// Has the bus start whoever serves `name`, and waits until that is there
  /// (`StartServiceByName`).
  public func start(_ name: String) throws(BusError) {
    _ = try call(.daemon, "StartServiceByName", [.string(name), .uint32(0)], timeout: .seconds(30))
  }
}
