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
    public var answer: (Call) -> Void

    /// Creates a method. Without `answer`, the method does nothing and replies with no values.
    public init(
      _ name: String, takes: String = "", gives: String = "",
      _ answer: @escaping (Call) -> Void = { $0.reply() }
    ) {
      (self.name, self.takes, self.gives, self.answer) = (name, takes, gives, answer)
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
  public func export(_ interface: Interface, at path: String) throws(BusError) {
    var error: UnsafeMutablePointer<GError>?
    guard let node = g_dbus_node_info_new_for_xml("<node>\(interface.xml)</node>", &error) else {
      throw BusError(consuming: error)
    }
    defer { g_dbus_node_info_unref(node) }
    var table = GDBusInterfaceVTable()
    table.method_call = { _, sender, _, _, member, arguments, invocation, context in
      guard let arguments, let member, let invocation else { return }
      let call = Call(
        member: String(cString: member), arguments: Variant.children(of: arguments),
        sender: sender.map { String(cString: $0) } ?? "", invocation: invocation)
      CContext<(Call) -> Void>.value(of: context)(call)
    }
    let answers = Dictionary(uniqueKeysWithValues: interface.methods.map { ($0.name, $0.answer) })
    let answer = { (call: Call) in
      if let answer = answers[call.member] { return answer(call) }
      // Every other call is `Get` or `GetAll`, which read properties. GDBus passes these on as
      // calls, because `table` has no function that reads a property (`get_property`).
      let properties = Variant.dictionary(interface.properties())
      let asked = call.member == "Get" ? properties[call.arguments.last?.string ?? ""] : nil
      call.reply([asked.map(Variant.boxed) ?? properties])
    }
    let registration = g_dbus_connection_register_object(
      connection, path, g_dbus_node_info_lookup_interface(node, interface.name), &table,
      CContext<(Call) -> Void>.retained(answer), releaseContext, &error)
    guard registration != 0 else { throw BusError(consuming: error) }
  }
}
