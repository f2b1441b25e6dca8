// SPDX-License-Identifier: GPL-3.0-or-later
//
// An interface that this program offers on the bus, described by a list of methods, signals and
// properties. GDBus gets the list as XML, and checks the number and types of the arguments of each
// call against it. The closures that answer the calls must check the values themselves. Next:
// `Bus.swift`.

import CGLib
import System

extension Bus {
  public struct Method {
    public var name: String
    /// The arguments of the method, each as a D-Bus type and a name: `s id, x seconds`.
    public var takes: String
    /// The results of the method, in the same form as `takes`.
    public var gives: String
    public var turn: Turn
    public var answer: (Call) -> Void

    /// When a call is answered.
    public nonisolated enum Turn: Sendable {
      /// As soon as the call arrives.
      case now
      /// When the main loop has nothing else to do: the timers of rings come first.
      case later
      /// Later, and only if the caller is still on the bus. For methods that only return something.
      case question
    }

    /// Creates a method. Without `answer`, the method does nothing and replies with no values.
    public init(
      _ name: String, takes: String = "", gives: String = "", turn: Turn = .now,
      _ answer: @escaping (Call) -> Void = { $0.reply() }
    ) {
      (self.name, self.takes, self.gives, self.turn) = (name, takes, gives, turn)
      self.answer = answer
    }

    fileprivate var xml: String {
      Interface.element(
        "method", name,
        Interface.arguments(takes, " direction=\"in\"")
          + Interface.arguments(gives, " direction=\"out\""))
    }
  }

  public struct Signal {
    var name: String
    /// The values that the signal carries, in the same form as `Method.gives`.
    var carries: String

    public init(_ name: String, carries: String = "") {
      (self.name, self.carries) = (name, carries)
    }
  }

  public struct Interface {
    public var name: String
    public var methods: [Method]
    var signals: [Signal]
    /// Returns the current properties. The value of a property always has the same type.
    var properties: () -> [Variant.Entry]

    public init(
      _ name: String, _ methods: [Method], signals: [Signal] = [],
      properties: @escaping () -> [Variant.Entry] = { [] }
    ) {
      (self.name, self.methods, self.signals) = (name, methods, signals)
      self.properties = properties
    }
  }
}

// MARK: - Introspection

extension Bus.Interface {
  public var xml: String {
    let properties = properties().map { entry in
      "    <property name=\"\(entry.key)\" type=\"\(entry.value.type)\" access=\"read\"/>"
    }
    let signals = signals.map {
      Self.element("signal", $0.name, Self.arguments($0.carries, ""))
    }
    return
      (["  <interface name=\"\(name)\">"] + properties + methods.map(\.xml) + signals
      + ["  </interface>"]).joined(separator: "\n")
  }

  fileprivate static func arguments(_ list: String, _ direction: String) -> [String] {
    list.split(separator: ",").map { argument in
      let words = argument.split(separator: " ")
      return "      <arg name=\"\(words[1])\" type=\"\(words[0])\"\(direction)/>"
    }
  }

  fileprivate static func element(
    _ tag: String, _ name: String, _ arguments: [String]
  ) -> String {
    arguments.isEmpty
      ? "    <\(tag) name=\"\(name)\"/>"
      : (["    <\(tag) name=\"\(name)\">"] + arguments + ["    </\(tag)>"])
        .joined(separator: "\n")
  }
}

// MARK: - Offering an interface

extension Bus {
  /// Offers the methods and properties of `interface` at `path`
  /// (`g_dbus_connection_register_object`). GDBus itself refuses methods and argument types that
  /// the interface does not have.
  ///
  /// At most `CallLimit.mostOfCaller` calls of each caller wait at a time; GDBus's thread refuses
  /// the others.
  public func export(_ interface: Interface, at path: String) throws(BusError) {
    var error: UnsafeMutablePointer<GError>?
    guard let node = g_dbus_node_info_new_for_xml("<node>\(interface.xml)</node>", &error) else {
      throw BusError(consuming: error)
    }
    defer { g_dbus_node_info_unref(node) }
    var table = GDBusInterfaceVTable()
    table.method_call = { _, _, _, _, member, _, invocation, context in
      guard let member, let invocation else { return }
      CContext<(String, OpaquePointer) -> Void>.value(of: context)(
        String(cString: member), invocation)
    }
    let methods = Dictionary(uniqueKeysWithValues: interface.methods.map { ($0.name, $0) })
    // Every other call is `Get` or `GetAll`, which read properties. GDBus passes these on as calls,
    // because `table` has no function that reads a property (`get_property`).
    let properties = Method("Get") { call in
      let properties = Variant.dictionary(interface.properties())
      let asked = call.member == "Get" ? properties[call.arguments.last?.string ?? ""] : nil
      call.reply([asked.map(Variant.boxed) ?? properties])
    }
    // A call that has arrived keeps the connection alive, and may be handled after this object was
    // released. It gets no answer then: the connection closes, and the bus reports that.
    let handle: (String, OpaquePointer) -> Void = { [weak self] member, invocation in
      guard let self else { return g_object_unref(UnsafeMutableRawPointer(invocation)) }
      answer(invocation, by: methods[member] ?? properties)
    }
    let registration = g_dbus_connection_register_object(
      connection, path, g_dbus_node_info_lookup_interface(node, interface.name), &table,
      CContext<(String, OpaquePointer) -> Void>.retained(handle), releaseContext, &error)
    guard registration != 0 else { throw BusError(consuming: error) }
  }

  private func answer(_ invocation: OpaquePointer, by method: Method) {
    guard method.turn != .now else { return method.answer(Call(invocation, method.turn)) }
    let caller = CallTicket.of(g_dbus_method_invocation_get_message(invocation))?.caller
    // A lone call is answered at once, so its caller is not watched.
    if method.turn == .question, CallLimit.shared.isBusy { caller?.watch(on: self) }
    MainLoop.whenIdle {
      let call = Call(invocation, method.turn)
      if call.isWanted { method.answer(call) } else { call.drop() }
    }
  }
}
