// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the installer, `desktop/install`, in a home folder and for a package. The tests check which
// files exist after it ran once, ran again, and uninstalled Belfry, and how the installed agent is
// started. They install the programs of this build. `UserManagerTests.swift` tests with a real
// systemd user manager, and `Tests/debian` tests in a whole Debian.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct InstallTests {
  /// The files that are installed in the data folder, except the sounds.
  private static let data =
    [
      "applications/org.belfry.Belfry.desktop", "bash-completion/completions/belfry",
      "belfry/cities.tsv", "belfry/output.schema.json", "belfry/schema.json",
      "dbus-1/interfaces/org.belfry.Belfry1.xml", "dbus-1/services/org.belfry.Belfry.service",
      "doc/belfry/belfryd-hardened.conf", "doc/belfry/brighten", "doc/belfry/cities.md",
      "doc/belfry/example.toml", "doc/belfry/flash", "doc/belfry/i3blocks.conf", "doc/belfry/speak",
      "doc/belfry/waybar.jsonc",
      "fish/vendor_completions.d/belfry.fish",
      "gnome-shell/search-providers/org.belfry.Belfry.search-provider.ini",
      "icons/hicolor/scalable/apps/org.belfry.Belfry.svg",
      "icons/hicolor/symbolic/apps/org.belfry.Belfry-symbolic.svg",
      "krunner/dbusplugins/org.belfry.Belfry.desktop",
      "man/ko/man5/belfry.toml.5", "man/man1/belfry.1",
      "man/man1/belfryd.1", "man/man5/belfry.toml.5", "metainfo/org.belfry.Belfry.metainfo.xml",
      "zsh/site-functions/_belfry",
    ] + languages.map { "belfry/locale/\($0)/LC_MESSAGES/belfry.mo" }

  private static let languages = [
    "de", "es", "fr", "it", "ja", "ko", "pl", "pt_BR", "ru", "uk", "zh_CN",
  ]

  private static let sounds = [
    "Beeper.ogg", "Birds.ogg", "Carillon.ogg", "Clock.ogg", "Dawn.ogg", "Gayageum.ogg",
    "Harp.ogg", "Kettle.ogg", "LICENSE.CC0", "Marimba.ogg", "Musicbox.ogg",
  ].map { "belfry/sounds/\($0)" }

  private static func below(_ folder: String, _ paths: [String]) -> [String] {
    paths.map { "\(folder)/\($0)" }
  }

  @Test func `installing and uninstalling for one user leaves the user's own files alone`() throws {
    let home = try Installation()
    let said = try home.install()
    #expect(said.contains("Belfry is installed in \(home.bin).\n"))
    #expect(said.contains("There is no desktop session here"))
    let own = [".config/belfry/config.toml"]
    #expect(
      try home.files()
        == (own + [".config/autostart/org.belfry.Belfry.desktop"]
        + Self.below(".local/bin", ["belfry", "belfryd"])
        + Self.below(".local/lib/belfry", ["belfry-sound", "belfry-wake", "restart-after-crash"])
        + Self.below(
          ".local/share",
          Self.data + Self.sounds + ["belfry/installed", "systemd/user/belfryd.service"])).sorted())
    #expect(try home.lab.run("\(home.bin)/belfry", "config", "check").status == 0)
    #expect(try home.lab.run("\(home.bin)/belfry", "list").output == "No alarm is set.\n")

    try home.install("--uninstall")
    #expect(try home.files() == own)
  }

  @Test func `a second installation changes no file`() throws {
    let home = try Installation()
    func moments() throws -> [String: Date] {
      Dictionary(
        uniqueKeysWithValues: try home.files().map { path in
          let attributes = try FileManager.default.attributesOfItem(
            atPath: home.lab.home.appendingPathComponent(path).path)
          return (path, try #require(attributes[.modificationDate] as? Date))
        })
    }
    try home.install()
    let first = try moments()
    #expect(try home.install().contains("Nothing changed in \(home.bin).\n"))
    #expect(try moments() == first)
  }

  @Test func `a Korean user gets a first config in Korean, and the same other files as anyone`()
    throws
  {
    let (korean, english) = (try Installation(), try Installation())
    try korean.lab.speakKorean()
    try korean.install()
    try english.install()
    #expect(try korean.files() == english.files())
    for made in ["belfry/schema.json", "bash-completion/completions/belfry"] {
      #expect(try korean.text(".local/share/\(made)") == english.text(".local/share/\(made)"))
    }
    let config = ".config/belfry/config.toml"
    #expect(try korean.text(config).hasPrefix("# Belfry의 알람입니다."))
    #expect(try english.text(config).hasPrefix("# Belfry's alarms."))
    let setting = /(?m)^(?:# )?(\[+\w+\]+|\w+ *= *[^#\n]*)/
    #expect(
      try korean.text(config).matches(of: setting).map(\.1)
        == english.text(config).matches(of: setting).map(\.1))
    #expect(try korean.lab.run("\(korean.bin)/belfry", "config", "check").status == 0)
  }

  @Test
  func `an upgrade removes files that only the older Belfry had installed, and no other files`()
    throws
  {
    let home = try Installation()
    try home.install()
    let record = home.lab.home.appendingPathComponent(".local/share/belfry/installed")
    let old = home.lab.home.appendingPathComponent(".local/share/belfry/old").path
    let other = home.lab.home.appendingPathComponent(".local/share/belfry/other").path
    for path in [old, other] { try Data().write(to: URL(fileURLWithPath: path)) }
    try (try String(contentsOf: record, encoding: .utf8) + "file \(old)\n").write(
      to: record, atomically: true, encoding: .utf8)
    try home.install()
    #expect(!FileManager.default.fileExists(atPath: old))
    try home.install("--uninstall")
    #expect(
      try home.files() == [".config/belfry/config.toml", ".local/share/belfry/other"])
  }

  @Test(.enabled(if: getuid() == 0, "only root can give a program a capability"))
  func `an upgrade takes the right to wake the machine from belfryd, and gives it to belfry-wake`()
    throws
  {
    let home = try Installation()
    try home.install()
    let programs = [home.bin + "/belfryd", home.lab.home.path + "/.local/lib/belfry/belfry-wake"]
    try home.lab.run("setcap", "cap_wake_alarm=ep", programs[0])
    try home.lab.run("setcap", "-r", programs[1])
    try home.install()
    #expect(
      try home.lab.run("getcap", programs[0], programs[1]).output
        == "\(programs[1]) cap_wake_alarm=ep\n")
  }

  @Test func `the installer uses the folders that the XDG variables name`() throws {
    let home = try Installation()
    let elsewhere = home.lab.folder.appendingPathComponent("elsewhere")
    try home.install(environment: [
      "XDG_DATA_HOME": elsewhere.path + "/data", "XDG_CONFIG_HOME": elsewhere.path + "/config",
    ])
    #expect(
      try home.files() == [
        ".local/bin/belfry", ".local/bin/belfryd", ".local/lib/belfry/belfry-sound",
        ".local/lib/belfry/belfry-wake", ".local/lib/belfry/restart-after-crash",
      ])
    #expect(
      try Installation.files(elsewhere)
        == (["config/autostart/org.belfry.Belfry.desktop", "config/belfry/config.toml"]
        + Self.below(
          "data", Self.data + Self.sounds + ["belfry/installed", "systemd/user/belfryd.service"]))
        .sorted())
  }

  @Test func `a package gets all files below its prefix, without a path of the build machine`()
    throws
  {
    let home = try Installation()
    let package = home.lab.folder.appendingPathComponent("package")
    try home.install("--system", "--prefix", "/usr", "--destdir", package.path)
    #expect(try home.files() == [])
    #expect(
      try Installation.files(package)
        == (["etc/xdg/autostart/org.belfry.Belfry.desktop"]
        + Self.below("usr/bin", ["belfry", "belfryd"])
        + Self.below("usr/share", Self.data + Self.sounds)
        + Self.below("usr/lib/belfry", ["belfry-sound", "belfry-wake", "restart-after-crash"])
        + ["usr/lib/systemd/user/belfryd.service"]).sorted())
    #expect(
      try home.lab.run("grep", "-rlI", home.lab.folder.path, package.path).output == "")
    #expect(
      try home.lab.run("grep", "-rhI", "/usr/bin/belfryd", package.path).output
        .split(separator: "\n").sorted() == [
          #"Exec="/usr/lib/belfry/restart-after-crash" "/usr/bin/belfryd""#,
          #"Exec="/usr/lib/belfry/restart-after-crash" "/usr/bin/belfryd" --start"#,
          #"ExecStart="/usr/bin/belfryd""#,
          "TryExec=/usr/bin/belfryd",
        ])
  }

  /// Makes a folder with the same contents as a release's archive, with the programs in `built`.
  private static func archive(in home: Installation, built: String) throws -> String {
    let archive = home.lab.folder.appendingPathComponent("archive").path
    let done = try home.lab.run(
      "sh", "-ec",
      "mkdir $0; cp -R $1/desktop $0; ln -s $1/Sounds $2 $0; ln -s desktop/install $0",
      archive, Lab.repository.path, built)
    try #require(done.status == 0, "\(done.errors)")
    return archive
  }

  @Test func `the installer in a release's archive installs the programs beside it`() throws {
    let home = try Installation()
    let built = home.lab.folder.path + "/built"
    try FileManager.default.createSymbolicLink(
      atPath: built, withDestinationPath: Lab.programs.path)
    let archive = try Self.archive(in: home, built: built)
    for (arguments, files) in [([], Self.data), (["--uninstall"], [])] {
      let program = try home.lab.start(archive + "/install", arguments: arguments)
      #expect(try program.waitForExit() == .status(0), "\(program.errors)")
      #expect(try Set(home.files()).isSuperset(of: Self.below(".local/share", files)))
    }
    #expect(try home.files() == [".config/belfry/config.toml"])
  }

  @Test func `programs that do not run here are not installed`() throws {
    let home = try Installation()
    let built = home.lab.folder.appendingPathComponent("built")
    try FileManager.default.createDirectory(at: built, withIntermediateDirectories: true)
    try "#!/bin/sh\necho lacks a library >&2; exit 127\n".write(
      to: built.appendingPathComponent("belfry"), atomically: true, encoding: .utf8)
    try home.lab.run("chmod", "+x", built.path + "/belfry")
    let program = try home.lab.start(Self.archive(in: home, built: built.path) + "/install")
    #expect(try program.waitForExit() == .status(1))
    #expect(program.errors.contains("the programs do not run here, and nothing was installed."))
    #expect(program.errors.hasSuffix("lacks a library\n"))
    #expect(try home.files() == [])
  }

  // MARK: - Starting the agent

  @Test func `in a session, the installer starts the agent, and uninstalling ends it`() throws {
    let home = try Installation(.bus)
    #expect(try home.install().contains("The agent is running, and starts at each login.\n"))
    let first = try #require(try home.agent())
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(first)/exe")
        == home.bin + "/belfryd")
    // A second installation changes nothing, so the agent is not restarted.
    try home.install()
    #expect(try home.agent() == first)
    // If an installed program differs from the new one, the agent is restarted.
    try FileManager.default.removeItem(atPath: home.bin + "/belfry")
    try home.install()
    let second = try #require(try home.agent())
    #expect(second != first)

    try home.install("--uninstall")
    #expect(try home.agent() == nil)
  }

  /// Starts the agent in three ways, each after the end of the agent: through the bus, through
  /// autostart, and with the command of the systemd unit.
  /// dbus-broker leaves the start to systemd, which `UserManagerTests.swift` tests.
  @Test(.enabled(if: !Lab.usesBroker))
  func `only one agent runs, whether the bus, autostart or systemd starts it`() throws {
    let home = try Installation(.bus)
    try home.install()
    let data = ".local/share"
    let unit = try home.command("\(data)/systemd/user/belfryd.service", "ExecStart")
    let activated = try home.command(
      "\(data)/dbus-1/services/org.belfry.Belfry.service", "Exec")
    #expect(unit == [home.bin + "/belfryd"] && Array(activated.dropFirst()) == unit)
    let autostart = try home.command(".config/autostart/org.belfry.Belfry.desktop", "Exec")

    func end() throws {
      kill(try #require(try home.agent()), SIGTERM)
      _ = try home.waitForAgent("no agent") { $0 == nil }
    }
    try end()
    #expect(try home.lab.run("\(home.bin)/belfry", "status").status == 0)
    #expect(try home.agent() != nil)

    try end()
    let login = try home.lab.start(autostart[0], arguments: Array(autostart.dropFirst()))
    #expect(try login.waitForExit() == .status(0))
    let agent = try home.agent()
    #expect(agent != nil && agent != login.pid)

    // If an agent is running, all commands end at once, with success.
    for command in [unit, activated, autostart] {
      let again = try home.lab.start(command[0], arguments: Array(command.dropFirst()))
      #expect(try again.waitForExit() == .status(0))
      #expect(try home.agent() == agent)
    }

    try end()
    let direct = try home.lab.start(unit[0])
    #expect(try home.waitForAgent("an agent") { $0 != nil } == direct.pid)
  }

  @Test func `without systemd, an agent that crashes is started again, whatever started it`()
    throws
  {
    let home = try Installation(.bus)
    try home.install()
    // First the bus has started the agent, for the installer. Then the bus cannot start it.
    let autostart = try home.command(".config/autostart/org.belfry.Belfry.desktop", "Exec")
    for isByBus in [true, false] {
      var login: Program?
      if !isByBus {
        try FileManager.default.removeItem(
          at: home.lab.home.appendingPathComponent(
            ".local/share/dbus-1/services/org.belfry.Belfry.service"))
        try home.lab.run(
          "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
          "org.freedesktop.DBus.ReloadConfig")
        login = try home.lab.start(autostart[0], arguments: Array(autostart.dropFirst()))
      }
      var agent = try #require(home.waitForAgent("an agent") { $0 != nil })
      for number in [SIGKILL, SIGSEGV] {
        kill(agent, number)
        agent = try #require(home.waitForAgent("the next agent") { $0 != nil && $0 != agent })
      }
      // After SIGTERM, the agent is not started again. Autostart's command passes the signal on.
      if let login { login.terminate() } else { kill(agent, SIGTERM) }
      _ = try home.waitForAgent("no agent") { $0 == nil }
      try login?.waitForExit()
      // The script would start the next agent after one second.
      Thread.sleep(forTimeInterval: 1.5)
      #expect(try home.agent() == nil)
    }
  }

  @Test func `the script that restarts the agent ends with the session bus`() throws {
    let home = try Installation(.bus)
    try home.install()
    _ = try home.waitForAgent("an agent") { $0 != nil }
    try home.lab.stopBus()
    try Lab.wait(for: "the end of the script") {
      try home.lab.run("pgrep", "--full", "\(home.lab.home.path)/.local/lib/belfry/").status == 1
    }
  }

  @Test func `if the bus cannot start the agent, autostart starts it directly`() throws {
    let lab = try Lab(.bus)
    let agent = try lab.start("belfryd", arguments: ["--start"])
    try agent.waitForErrors(
      "the session bus does not start the agent, so this process is the agent")
    let desk = try Desk(lab)
    try desk.waitForOwner(since: 0)
    #expect(try desk.status().agent.pid == agent.pid)
  }

  // MARK: - Validators

  @Test func `other projects' validators accept the installed files`() throws {
    let home = try Installation()
    try home.install()
    for line in [
      "desktop-file-validate .local/share/applications/org.belfry.Belfry.desktop",
      "desktop-file-validate .config/autostart/org.belfry.Belfry.desktop",
      "appstreamcli validate --no-net .local/share/metainfo/org.belfry.Belfry.metainfo.xml",
      "man --warnings --local-file .local/share/man/man1/belfry.1",
      "man --warnings --local-file .local/share/man/man1/belfryd.1",
      "man --warnings --local-file .local/share/man/man5/belfry.toml.5",
      "man --warnings --local-file .local/share/man/ko/man5/belfry.toml.5",
    ] {
      let words = line.split(separator: " ").map(String.init)
      let program = try home.lab.start(words[0], arguments: Array(words.dropFirst()))
      #expect(try program.waitForExit() == .status(0), "\(line)")
      // man(1) uses groff. Version 1.23 prints a Korean heading correctly, but warns that the
      // heading has no Latin letters that it could set in small capitals.
      let said = program.errors.split(separator: "\n")
        .filter { !$0.hasSuffix("warning: macro 'doc-str-tmp2' not defined") }
      #expect(said == [], "\(line)")
    }
  }

  @Test func `the newest release in the metainfo is this version`() throws {
    let metainfo = try String(
      contentsOf: Lab.repository.appendingPathComponent(
        "desktop/session/org.belfry.Belfry.metainfo.xml"), encoding: .utf8)
    let newest = try #require(metainfo.firstMatch(of: /<release version="([^"]*)"/)).1
    #expect(try Lab().run("belfry", "--version").output == "belfry \(newest)\n")
  }
}
