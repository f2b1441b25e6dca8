// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes the user of a Lab speak Korean, or live in another region. Locales and translations are
// made in the Lab's own folder.

import Foundation

extension Lab {
  /// Makes programs that are started from now on speak Korean. They find the translations in the
  /// folder `share` of the Lab.
  public func speakKorean() throws {
    try makeLocale("ko_KR")
    try succeed(
      Self.repository.appendingPathComponent("desktop/po/build").path,
      folder.appendingPathComponent("share/belfry/locale").path)
    setVariable("LANG", "ko_KR.UTF-8")
  }

  /// Makes programs that are started from now on speak the language of a locale such as `he_IL`.
  /// `texts` are the translations of a few English texts; the others stay English.
  public func speak(_ locale: String, _ texts: KeyValuePairs<String, String>) throws {
    try makeLocale(locale)
    let language = folder.appendingPathComponent("share/belfry/locale/\(locale)/LC_MESSAGES")
    try FileManager.default.createDirectory(at: language, withIntermediateDirectories: true)
    let header = #"msgid ""\#nmsgstr "Content-Type: text/plain; charset=UTF-8\n"\#n"#
    let entries = texts.map { "msgid \"\($0.key)\"\nmsgstr \"\($0.value)\"\n" }
    let catalogue = folder.appendingPathComponent("\(locale).po")
    try ([header] + entries).joined(separator: "\n")
      .write(to: catalogue, atomically: true, encoding: .utf8)
    try succeed(
      "msgfmt", "--output-file", language.appendingPathComponent("belfry.mo").path, catalogue.path)
    setVariable("LANG", locale + ".UTF-8")
  }

  /// Makes programs that are started from now on write dates and times as in `region`, such as
  /// `en_US`. They go on speaking the same language.
  public func moveTo(region: String) throws {
    try makeLocale(region)
    setVariable("LC_TIME", region + ".UTF-8")
  }

  private func makeLocale(_ name: String) throws {
    let locales = folder.appendingPathComponent("locales")
    try FileManager.default.createDirectory(at: locales, withIntermediateDirectories: true)
    let path = locales.appendingPathComponent(name + ".UTF-8").path
    try succeed("localedef", "-i", name, "-f", "UTF-8", path)
    setVariable("LOCPATH", locales.path)
  }

  private func succeed(_ name: String, _ arguments: String...) throws(LabError) {
    let program = try start(name, arguments: arguments)
    guard try program.waitForExit() == .status(0) else {
      throw .failed(name, reason: program.errors)
    }
  }
}
