// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests which words the shells bash, zsh and fish offer if a user presses Tab. The tests run these
// shells, with the files for completion in the folders into which the installer puts them.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct CompletionTests {
  private let home: Installation

  init() throws {
    home = try Installation()
    try home.install()
    try """
    [[alarm]]
    id = "work"
    time = 07:30
    [[alarm]]
    label = "Wort des Tages"
    time = 08:30
    [[timer]]
    name = "tea"
    duration = "4m"
    """.write(
      to: home.lab.home.appendingPathComponent(".config/belfry/config.toml"), atomically: true,
      encoding: .utf8)
  }

  /// Command lines as typed, each with the words that the shell must offer to complete it.
  private static let lines = [
    (line: "belfry stop wo", offered: ["work", "wort-des-tages"]),
    (line: "belfry skip work", offered: ["work"]),
    (line: "belfry sounds play C", offered: ["Carillon", "Clock"]),
    (line: "belfry snooze work 1", offered: ["10m", "15m", "1h"]),
    (line: "belfry timer start t", offered: ["tea"]),
    (line: "belfry world add seou", offered: ["seoul"]),
    (line: "belfry unsk", offered: ["unskip"]),
    (line: "belfry config ch", offered: ["check"]),
    (line: "belfry edit work --sound H", offered: ["Harp"]),
    (line: "belfry add 7:30 --days week", offered: ["weekdays", "weekends"]),
    (line: "belfry next --timezone Asia/Seo", offered: ["Asia/Seoul"]),
  ]

  /// Words that a shell would run if it evaluated them, each with another file to make.
  private static let hostile = [
    "Cgood", "C$(touch ran-1)", "C`touch ran-2`", "C;touch ran-3", "C\u{0D4E}`touch ran-4`",
    "$(touch ran-5)", "C:$(touch ran-6)", "C'`touch ran-7`'", "C\"$(touch ran-8)\"",
    "C)touch ran-9",
  ]

  /// A program in place of the command, which offers `hostile`: the scripts must not rely on what
  /// the command leaves out.
  private func replaceCommand() throws {
    let folder = home.lab.home.appendingPathComponent("bin")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let words = Self.hostile.joined(separator: "\n")
    let program = folder.appendingPathComponent("belfry")
    try "#!/bin/sh\ncat <<'END'\n\(words)\n\nEND\n".write(
      to: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
  }

  private var ran: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: home.lab.home.path)
    return (names ?? []).filter { $0.hasPrefix("ran-") }
  }

  @Test func `no shell evaluates the words that it offers`() throws {
    try replaceCommand()
    let bash = try run(
      "bash", "--norc", "script",
      input: """
        PATH=~/bin:$PATH; cd
        . /usr/share/bash-completion/bash_completion
        _completion_loader belfry
        COMP_WORDS=(belfry skip --group C) COMP_CWORD=3 COMP_LINE="belfry skip --group C"
        COMP_POINT=${#COMP_LINE} COMPREPLY=()
        _belfry belfry C --group
        printf '%s\\n' "${COMPREPLY[@]}"
        """)
    #expect(bash.contains("Cgood\n"), "\(bash)")
    #expect(ran == [], "bash")
    let zsh = try run(
      "zsh", "-f", "script",
      input: """
        zmodload zsh/zpty
        zpty shell zsh -f -i
        zpty -w shell "PS1= PS2=; PATH=~/bin:\\$PATH; cd"
        zpty -w shell "fpath=(~/.local/share/zsh/site-functions \\$fpath)"
        zpty -w shell "autoload -Uz compinit; compinit -u -D"
        zpty -w shell "bindkey '^I' list-choices; echo RE''ADY"
        zpty -r -m shell seen '*READY*'
        zpty -w -n shell $'belfry skip --group C\\t'
        zpty -r -m shell seen '*Cgood*'
        print -r -- "$seen"
        """)
    #expect(zsh.contains("Cgood"), "\(zsh)")
    #expect(ran == [], "zsh")
    let fish = try run(
      "sh", "-c", "script --quiet --return --command fish /dev/null <script",
      input: """
        set -x PATH ~/bin $PATH; cd
        complete -C 'belfry skip --group C' >offered
        exit

        """)
    let offered = try home.text("offered")
    #expect(offered.contains("Cgood"), "\(offered) \(fish)")
    #expect(ran == [], "fish")
  }

  private func run(_ shell: String, _ arguments: String..., input: String) throws -> String {
    try input.write(
      to: home.lab.home.appendingPathComponent("script"), atomically: true, encoding: .utf8)
    let program = try home.lab.start(
      shell, arguments: arguments, environment: ["TERM": "dumb", "SHELL": "/bin/sh"])
    try program.waitForExit()
    return program.output + program.errors
  }

  @Test func `bash completes commands, options and the names in the config`() throws {
    let tries = Self.lines.map { "try \($0.line)\n" }.joined()
    let output = try run(
      "bash", "--norc", "script",
      input: """
        . /usr/share/bash-completion/bash_completion
        _completion_loader belfry
        try() {
          COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE=$* COMP_POINT=${#COMP_LINE}
          COMPREPLY=()
          _belfry belfry "${@: -1}" "${@: -2:1}"
          echo "${COMPREPLY[@]}"
        }
        \(tries)
        """)
    #expect(
      output == Self.lines.map { $0.offered.joined(separator: " ") + "\n" }.joined())
  }

  /// zsh completes only on a terminal, so the test types into a pseudoterminal.
  @Test func `zsh completes commands, options and the names in the config`() throws {
    for (line, offered) in Self.lines where offered.count > 1 {
      let output = try run(
        "zsh", "-f", "script",
        input: """
          zmodload zsh/zpty
          zpty shell zsh -f -i
          zpty -w shell "PS1= PS2=; fpath=(~/.local/share/zsh/site-functions \\$fpath)"
          zpty -w shell "autoload -Uz compinit; compinit -u -D"
          zpty -w shell "bindkey '^I' list-choices; echo RE''ADY"
          zpty -r -m shell seen '*READY*'
          zpty -w -n shell $'\(line)\\t'
          zpty -r -m shell seen '*\(offered.last!)*'
          print -r -- "$seen"
          """)
      let words = output.split(whereSeparator: \.isWhitespace).map(String.init)
      for word in offered { #expect(words.contains(word), "\(line): \(output)") }
    }
  }

  @Test func `fish completes commands, options and the names in the config`() throws {
    let tries = Self.lines.map { "complete -C '\($0.line)' >>offered; echo >>offered\n" }.joined()
    let said = try run(
      "sh", "-c", "script --quiet --return --command fish /dev/null <script",
      input: tries + "exit\n")
    let offered = try home.text("offered").components(separatedBy: "\n\n").dropLast()
      .map { $0.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) } }
    #expect(Array(offered) == Self.lines.map(\.offered), "\(said)")
  }

  /// bash expands the words that it gets for completion, so a `$(command)` in a word would run.
  @Test func `a word that a shell would run or split is not offered`() throws {
    let sounds = home.lab.home.appendingPathComponent(".local/share/belfry/sounds")
    // The letter U+0D4E and the "`" after it make one `Character`.
    for name in ["C$(touch evil).flac", "C;x.flac", "C&d.flac", "C\u{0D4E}`touch evil`.flac"] {
      try Data().write(to: sounds.appendingPathComponent(name))
    }
    let program = try home.lab.start(
      "belfry", arguments: ["---completion", "sounds", "play", "--", "positional@0", "3", "0"])
    try program.waitForExit()
    let offered = program.output.split(separator: "\n")
    #expect(offered.contains("Carillon"))
    #expect(offered.filter { $0.hasPrefix("C") } == ["Carillon", "Clock"])
  }
}
