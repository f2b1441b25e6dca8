// SPDX-License-Identifier: GPL-3.0-or-later
//
// The doctor's check of the commands that the config sets with `on_before`, `on_ring` and
// `on_stop`. The doctor does not run them, because it does not know what they would do. It only
// runs a script that says that it can check itself.

import Files
import Language
import Presentation
import Scheduling
import System

extension Doctor {
  /// A script that contains the text `BELFRY_EVENT=check` promises the following. If this variable
  /// has this value, the script only checks whether it can work. If it cannot, it prints the reason
  /// and exits with a status other than 0.
  private static let selfCheck = (variable: "BELFRY_EVENT", value: "check")

  func examineHooks() {
    guard awaits(.hooks) else { return }
    let commands = rings.flatMap { $0.1.onBefore + $0.1.onRing + $0.1.onStop }.unique
    let problems = commands.compactMap { words in
      problem(words).map { TerminalText.escaped("\(words[0]): \($0)") }
    }
    if !problems.isEmpty { return found(.hooks, .warning, problems.joined(separator: "; ")) }
    let names = commands.map { TerminalText.escaped($0[0]) }.unique
    found(.hooks, .ok, names.isEmpty ? tr("none") : Wording.list(names))
  }

  /// Returns why the command cannot work; nil if no reason is known.
  private func problem(_ words: [String]) -> String? {
    let (variable, value) = Self.selfCheck
    let launch = Launch(words, variables: [variable: value], folder: locations.home)
    let found = look { disk in
      // If the file cannot be read, or is too large to be a script, treat it as a program that
      // cannot check itself.
      launch.file(on: disk).map { (try? DurableFile.read($0, limit: 1 << 16, on: disk)) ?? [] }
    }
    guard let found else { return tr("does not answer") }
    guard let script = found else { return tr("there is no such program") }
    guard String(decoding: script, as: UTF8.self).includes("\(variable)=\(value)") else {
      return nil
    }
    switch Command.run(launch, within: min(.seconds(5), timeLeft)) {
    case .notStarted(let error): return error.text
    case .ended(.status(0), _): return nil
    case .ended(let end, let line): return line ?? "\(end)"
    case .tookTooLong: return tr("does not answer")
    }
  }
}
