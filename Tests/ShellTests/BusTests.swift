// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests connections to a bus that are released while a call waits, as Belfry's icon in the panel
// does when the panel ends. `HostileBusTests.swift` in ProgramTests tests wrong and frequent calls.

import Lab
import Testing

@testable import Bus

@MainActor @Suite(.realServers) struct BusTests {
  private let lab: Lab

  init() throws { lab = try Lab(.bus) }

  private func connect() throws -> Bus {
    var connection: Bus?
    Bus.connect(address: lab.environment["DBUS_SESSION_BUS_ADDRESS"] ?? "") {
      connection = try? $0.get()
    }
    wait { connection != nil }
    return try #require(connection)
  }

  @Test func `a call that waits when its connection is released gets an error`() throws {
    let caller = try connect()
    var called: Bus? = try connect()
    var isHandled = false
    let ping = Bus.Method("Ping") { _ in isHandled = true }
    let interface = Bus.Interface("org.example.Late", [ping])
    try called?.export(interface, at: "/late")
    var answer: Result<Bus.Reply, BusError>?
    caller.ask(
      Bus.Peer(called?.uniqueName ?? "", path: "/late", interface: interface.name), "Ping",
      gives: nil
    ) { answer = $0 }
    // Messages arrive in order. So after these answers, the call has arrived as well, but the loop
    // has not run yet.
    for bus in [caller, called] { _ = try bus?.call(.daemon, "GetId", gives: "s") }
    called = nil
    wait { answer != nil }
    #expect(throws: BusError.self) { try answer?.get() }
    #expect(!isHandled)
  }
}
