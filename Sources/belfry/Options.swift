// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every command takes, and how a command that cannot be done ends.

import ArgumentParser
import Files
import Language
import Presentation
import System

struct ConfigOption: ParsableArguments {
  @Option(help: .tr("Read this config.", valueName: "file"), completion: .configFile)
  var config: String?

  @MainActor var locations: Locations { Locations(config: config) }
}

struct OutputOption: ParsableArguments {
  @Flag(help: .tr("Print JSON, for other programs."))
  var json = false
}

nonisolated extension ArgumentHelp {
  /// In the user's language.
  static func tr(_ text: Message.Template, valueName: String? = nil) -> Self {
    Self(System.tr(text), valueName: valueName)
  }
}

/// Why a command could not be done, and what to do: one line on standard error, exit status 1.
struct Failure: Error {
  var message: String
  init(_ message: String) { self.message = message }
}

/// ArgumentParser calls commands from no actor in particular; this program has one thread, and the
/// desktop's parts want to be on it.
nonisolated func onMain<T: Sendable>(_ body: @MainActor () throws -> T) throws -> T {
  try MainActor.assumeIsolated(body)
}
