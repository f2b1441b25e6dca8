// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes the user of a Lab speak Korean. The locale and the translations are made in the Lab's own
// folder.

import Foundation

extension Lab {
  /// Makes programs that are started from now on speak Korean. They find the translations in the
  /// folder `share` of the Lab.
  public func speakKorean() throws {
    let locales = folder.appendingPathComponent("locales")
    try FileManager.default.createDirectory(at: locales, withIntermediateDirectories: true)
    let name = locales.appendingPathComponent("ko_KR.UTF-8").path
    try succeed("localedef", "-i", "ko_KR", "-f", "UTF-8", name)
    try succeed(
      Self.repository.appendingPathComponent("desktop/po/build").path,
      folder.appendingPathComponent("share/belfry/locale").path)
    setVariable("LOCPATH", locales.path)
    setVariable("LANG", "ko_KR.UTF-8")
  }

  private func succeed(_ name: String, _ arguments: String...) throws(LabError) {
    let program = try start(name, arguments: arguments)
    guard try program.waitForExit() == .status(0) else {
      throw .failed(name, reason: program.errors)
    }
  }
}
