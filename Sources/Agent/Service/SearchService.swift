// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent in the desktop's search: as a provider of GNOME Shell's and as a runner of KRunner's.
// Both are found by files in `desktop/search`. Next: `Search.swift`.

import Bus
import Files
import Presentation
import System

enum SearchService {
  static func serve(_ agent: Agent, on bus: Bus) throws(BusError) {
    let search = agent.search
    try bus.export(
      "org.gnome.Shell.SearchProvider2", at: BusInterface.path + "/SearchProvider", xml: shellXML
    ) { call in
      agent.whenReady { shell(call, search, agent) }
    }
    try bus.export("org.kde.krunner1", at: BusInterface.path + "/Runner", xml: runnerXML) { call in
      agent.whenReady { runner(call, search, agent) }
    }
  }

  private static func shell(_ call: Bus.Call, _ search: Search, _ agent: Agent) {
    switch call.member {
    case "GetInitialResultSet", "GetSubsearchResultSet":
      let terms = call.arguments.last?.strings ?? []
      search.look(for: terms.joined(separator: " ")) {
        call.reply([.strings(search.results.map(\.id))])
      }
    case "GetResultMetas":
      let ids = call.arguments.first?.strings ?? []
      let wanted = ids.prefix(Search.most).compactMap { id in
        search.results.first { $0.id == id }
      }
      call.reply([
        .dictionaries(
          wanted.map { result in
            [
              Variant.Entry("id", .string(result.id)), Variant.Entry("name", .string(result.title)),
              Variant.Entry("description", .string(result.detail)),
              Variant.Entry("gicon", .string(agent.locations.icon)),
            ]
          })
      ])
    case "ActivateResult":
      search.take(call.arguments.first?.string ?? "")
      call.reply()
    default: call.reply()
    }
  }

  /// A match that fits the whole phrase, as `KRunner::QueryMatch` counts.
  private static let exactMatch = Variant.int32(100)

  private static func runner(_ call: Bus.Call, _ search: Search, _ agent: Agent) {
    switch call.member {
    case "Match":
      search.look(for: call.arguments.first?.string ?? "") {
        let matches = search.results.map { result in
          Variant.tuple([
            .string(result.id), .string(result.title), .string(agent.locations.icon), exactMatch,
            .double(1), .dictionary([Variant.Entry("subtext", .string(result.detail))]),
          ])
        }
        call.reply([.array(of: "(sssida{sv})", matches)])
      }
    case "Actions": call.reply([.array(of: "(sss)", [])])
    case "Run":
      search.take(call.arguments.first?.string ?? "")
      call.reply()
    default: call.reply()
    }
  }

  private static let shellXML = """
    <node>
      <interface name="org.gnome.Shell.SearchProvider2">
        <method name="GetInitialResultSet">
          <arg name="terms" type="as" direction="in"/>
          <arg name="results" type="as" direction="out"/>
        </method>
        <method name="GetSubsearchResultSet">
          <arg name="previous_results" type="as" direction="in"/>
          <arg name="terms" type="as" direction="in"/>
          <arg name="results" type="as" direction="out"/>
        </method>
        <method name="GetResultMetas">
          <arg name="identifiers" type="as" direction="in"/>
          <arg name="metas" type="aa{sv}" direction="out"/>
        </method>
        <method name="ActivateResult">
          <arg name="identifier" type="s" direction="in"/>
          <arg name="terms" type="as" direction="in"/>
          <arg name="timestamp" type="u" direction="in"/>
        </method>
        <method name="LaunchSearch">
          <arg name="terms" type="as" direction="in"/>
          <arg name="timestamp" type="u" direction="in"/>
        </method>
      </interface>
    </node>
    """

  private static let runnerXML = """
    <node>
      <interface name="org.kde.krunner1">
        <method name="Match">
          <arg name="query" type="s" direction="in"/>
          <arg name="matches" type="a(sssida{sv})" direction="out"/>
        </method>
        <method name="Actions">
          <arg name="actions" type="a(sss)" direction="out"/>
        </method>
        <method name="Run">
          <arg name="match" type="s" direction="in"/>
          <arg name="action" type="s" direction="in"/>
        </method>
      </interface>
    </node>
    """
}
