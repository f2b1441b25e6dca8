// SPDX-License-Identifier: GPL-3.0-or-later
//
// Takes the calls of the desktop's search: GNOME Shell's, as a search provider, and KRunner's, as a
// runner. Both desktops find this service through files in `desktop/session/search`. Next:
// `Search.swift`, which finds the results.

import Bus
import Files
import Presentation
import System

enum SearchService {
  static func serve(_ agent: Agent) throws(BusError) {
    let search = Search(agent.locations)
    try agent.bus.export(shell(search, agent), at: BusInterface.path + "/SearchProvider")
    try agent.bus.export(runner(search, agent), at: BusInterface.path + "/Runner")
  }

  /// Returns the interface for GNOME Shell, which first asks for the ids of the results, then for
  /// their texts.
  private static func shell(_ search: Search, _ agent: Agent) -> Bus.Interface {
    let look: (Bus.Call) -> Void = { call in
      let terms = call.arguments.last?.strings ?? []
      find(terms.joined(separator: " "), search, agent) { call.reply([.strings($0.map(\.id))]) }
    }
    return Bus.Interface(
      "org.gnome.Shell.SearchProvider2",
      [
        Bus.Method(
          "GetInitialResultSet", takes: "as terms", gives: "as results", turn: .question, look),
        Bus.Method(
          "GetSubsearchResultSet", takes: "as previous_results, as terms", gives: "as results",
          turn: .question, look),
        Bus.Method(
          "GetResultMetas", takes: "as identifiers", gives: "aa{sv} metas", turn: .question
        ) { call in
          let wanted = call.texts.prefix(Search.most).compactMap(search.offer)
          call.reply([.dictionaries(wanted.map { meta(of: $0, agent) })])
        },
        Bus.Method(
          "ActivateResult", takes: "s identifier, as terms, u timestamp", turn: .later
        ) { call in
          activate(call, search, agent)
        },
        Bus.Method("LaunchSearch", takes: "as terms, u timestamp"),
      ])
  }

  private static func meta(of result: Search.Result, _ agent: Agent) -> [Variant.Entry] {
    Variant.entries([
      "id": .string(result.id), "name": .string(result.title),
      "description": .string(result.detail), "gicon": .string(agent.icon),
    ])
  }

  /// The relevance of a result that matches the whole phrase, as KRunner defines it in
  /// `KRunner::QueryMatch`.
  private static let exactMatch = Variant.int32(100)

  private static func runner(_ search: Search, _ agent: Agent) -> Bus.Interface {
    Bus.Interface(
      "org.kde.krunner1",
      [
        Bus.Method(
          "Match", takes: "s query", gives: "a(sssida{sv}) match", turn: .question
        ) { call in
          find(call.text, search, agent) { results in
            let matches = results.map { result in
              Variant.tuple([
                .string(result.id), .string(result.title), .string(agent.icon),
                exactMatch, .double(1),
                .dictionary(["subtext": .string(result.detail)]),
              ])
            }
            call.reply([.array(of: "(sssida{sv})", matches)])
          }
        },
        Bus.Method("Actions", gives: "a(sss) actions") { $0.reply([.array(of: "(sss)", [])]) },
        Bus.Method("Run", takes: "s match, s action", turn: .later) { call in
          activate(call, search, agent)
        },
      ])
  }

  private static func find(
    _ text: String, _ search: Search, _ agent: Agent,
    _ done: @escaping @MainActor ([Search.Result]) -> Void
  ) {
    agent.whenReady {
      let context = Search.Context(
        overview: agent.overview, wording: agent.wording, config: agent.locations.config,
        tryAdding: agent.tryAdding)
      search.search(for: text, in: context, done)
    }
  }

  private static func activate(_ call: Bus.Call, _ search: Search, _ agent: Agent) {
    agent.whenReady {
      // An id that was not offered is ignored, because it could ask for anything.
      guard let operation = search.offer(call.text)?.operation else { return call.reply() }
      agent.perform(operation) { call.reply() }
    }
  }
}
