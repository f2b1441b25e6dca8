// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starts a private desktop of real servers for tests: a session bus, an X display, dunst, and
// PulseAudio with a null sink behind ALSA's `default`. The desktop touches nothing in the user's
// session and leaves nothing behind. Next: `Servers.swift`, which starts each server, and
// `Program.swift` for child processes.

import Foundation
import TestData

/// Servers and programs that share a temporary folder and end together.
///
/// Everything that a Lab starts has `BELFRY_LAB` in its environment, and passes it on. A small
/// shell outside the Lab waits for the end of a pipe that only this process holds. Then it ends
/// every process that has `BELFRY_LAB`, and removes the folder. This cleanup happens if a test
/// stops its Lab, and if the test run ends or is killed. It also finds a daemon that left its
/// parents. (A parent-death signal was rejected: it is tied to the thread that forked, and does not
/// reach grandchildren.)
public final class Lab: Sendable {
  public enum Part: Hashable, Sendable {
    /// A session bus that activates only services that tests put into `activationFolder`, or
    /// install.
    case bus
    /// An X server with a screen of 1280 x 1024 pixels and no window manager.
    case display
    /// The notification server dunst. Includes the bus and the display.
    case notifications
    /// Another notification server, with the display that it needs. Includes the bus.
    case notificationsBy(NotificationServerKind)
    /// A system bus with stand-ins for the login manager and the clock settings, which a test
    /// controls.
    case system
    /// systemd's user manager, on the session bus. Includes the bus.
    case userManager
    /// GNOME Shell without a screen. It is also a notification server. Includes both buses.
    case gnomeShell
    /// PulseAudio with a null sink, to which ALSA's `default` device plays.
    case sound
    /// PipeWire instead of PulseAudio. ALSA's `default` device reaches it in the given way.
    /// Includes the bus.
    case pipeWire(PipeWire.Way)
  }

  /// The time of the system clock.
  public static var now: Epoch { Date().timeIntervalSince1970 }
  /// The folder that contains `belfryd`, `belfry` and their parts: the folder in the variable
  /// `BELFRY_PROGRAMS`, or else the folder in which the tests were built.
  public static let programs =
    inherited["BELFRY_PROGRAMS"].map { URL(fileURLWithPath: $0) } ?? products
  /// The folder in which the package was built.
  public static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()
  /// The top folder of the source tree.
  public static var repository: URL { TestData.repository }

  /// The temporary folder of this Lab, which is removed when the Lab ends.
  public let folder: URL
  public let home: URL
  /// The root folder of the system in which this Lab's programs run.
  public let systemRoot: URL
  /// A folder in `XDG_DATA_DIRS` that only this Lab uses.
  var systemData: URL { folder.appendingPathComponent("share") }
  /// The folder in which this Lab's bus looks for `.service` files.
  public let activationFolder: URL
  let servers = Guarded(Servers())
  private let variables: Guarded<[String: String]>
  /// The command with which a program enters the folder tree of another Debian release; empty if
  /// the Lab uses this machine's system.
  let entrance = Guarded<[String]>([])
  private let warden: Program
  private let lifeline: Guarded<Int32?>

  public convenience init(_ parts: Part..., in system: LabSystem = .here) throws {
    try self.init(Set(parts), in: system)
  }

  public init(_ parts: Set<Part>, in system: LabSystem = .here) throws {
    systemRoot = try system.root
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("belfry-lab-\(UUID().uuidString.prefix(8))")
    self.folder = folder
    home = folder.appendingPathComponent("home")
    let data = folder.appendingPathComponent("share")
    activationFolder = data.appendingPathComponent("dbus-1/services")
    for new in [home, activationFolder, folder.appendingPathComponent("run")] {
      try FileManager.default.createDirectory(
        at: new, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let machine = folder.appendingPathComponent("machine")
    try FileManager.default.createDirectory(at: machine, withIntermediateDirectories: true)
    for name in Self.borrowed {
      try FileManager.default.createSymbolicLink(
        atPath: machine.appendingPathComponent(name).path, withDestinationPath: "/usr/share/" + name
      )
    }
    let installed = data.appendingPathComponent("belfry")
    let sounds = installed.appendingPathComponent("sounds")
    try FileManager.default.createDirectory(at: sounds, withIntermediateDirectories: true)
    // Copies in memory, because a program gives up a disk that does not answer within seconds.
    // `copyItem` would keep the owner, which only root may do with the files of another user.
    let source = Self.repository.appendingPathComponent("Sounds")
    for name in try FileManager.default.contentsOfDirectory(atPath: source.path) {
      try Data(contentsOf: source.appendingPathComponent(name))
        .write(to: sounds.appendingPathComponent(name))
    }
    try Data(contentsOf: Self.repository.appendingPathComponent("desktop/cities/cities.tsv"))
      .write(to: installed.appendingPathComponent("cities.tsv"))
    variables = Guarded(Self.variables(in: folder))
    let pipe = try Program.Pipe(for: "sh")
    warden = try Program(
      "sh", arguments: ["-c", Self.lastWill, "sh", folder.path],
      environment: ["PATH": Self.systemPath], folder: URL(fileURLWithPath: "/"),
      input: pipe.reading)
    close(pipe.reading)
    lifeline = Guarded(pipe.writing)
    do {
      if system != .here { try holdTree(systemRoot) }
      try configureSound()
      try startServers(parts)
    } catch {
      stop()
      throw error
    }
  }

  deinit { stop() }

  /// Returns a Lab for code that is tested inside the test process. The Lab's variables are also
  /// set in this process, so that the code connects to the Lab's servers. Call this before anything
  /// connects to a server.
  public static func shared() throws -> Lab { try sharedLab.get() }

  private static let sharedLab = Result {
    let lab = try Lab(.bus, .display, .notifications, .sound)
    for (name, value) in lab.environment where name != "PATH" { setenv(name, value, 1) }
    return lab
  }

  /// The environment of programs in this Lab; they get no other variables.
  public var environment: [String: String] { variables.read { $0 } }

  /// Sets a variable for programs that are started from now on.
  public func setVariable(_ name: String, _ value: String) { variables.update { $0[name] = value } }

  /// Writes a text file, and makes its folder if there is none. `path` is relative to the Lab's
  /// home.
  @discardableResult
  public func write(_ text: String, to path: String) throws -> URL {
    let file = home.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file
  }

  /// Returns the text of a file, or an empty text if there is no such file yet. `path` is relative
  /// to the Lab's home.
  public func text(_ path: String) -> String {
    (try? String(contentsOf: home.appending(path: path), encoding: .utf8)) ?? ""
  }

  /// Starts a program of the package or of the system, in the Lab's home with the Lab's
  /// environment.
  ///
  /// - Parameters:
  ///   - changes: variables to add to those of the Lab, or to replace.
  ///   - isGroup: whether signals go to all processes of the program's group.
  public func start(
    _ name: String, arguments: [String] = [], environment changes: [String: String] = [:],
    isGroup: Bool = false, onOutput: (@Sendable (Data, Epoch) -> Void)? = nil
  ) throws(LabError) -> Program {
    try Program(
      name, arguments: arguments, environment: environment.merging(changes) { $1 }, folder: home,
      entrance: entrance.read { $0 }, isGroup: isGroup, onOutput: onOutput)
  }

  /// Runs a program, and waits until it ends.
  @discardableResult
  public func run(
    _ name: String, _ arguments: String..., environment changes: [String: String] = [:],
    within seconds: Double = patience
  ) throws(LabError) -> (status: Int32, output: String, errors: String) {
    let program = try start(name, arguments: arguments, environment: changes)
    let exit: Program.Exit
    do { exit = try program.waitForExit(within: seconds) } catch {
      program.kill()
      throw error
    }
    // A program that was ended by a signal gets the status that a shell reports: 128 + the signal.
    let status =
      switch exit {
      case .status(let status): status
      case .signal(let signal): 128 + signal
      }
    return (status, program.output, program.errors)
  }

  /// Ends everything that this Lab started, and removes its folder.
  public func stop() {
    lifeline.update { lifeline in
      if let lifeline { close(lifeline) }
      lifeline = nil
    }
    // The warden is a shell outside the Lab, which ends all processes of the Lab. If that takes
    // longer than `patience`, the warden continues on its own.
    _ = try? warden.waitForExit(within: patience)
  }

  private static let systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

  /// The folder with servers that were only unpacked here, because the machine does not have them
  /// installed: see `desktop/packaging/packages`.
  static let servers = repository.appendingPathComponent(".build/servers")

  /// The shell script that ends all processes of the Lab. It sends SIGTERM first, because an X
  /// server that is killed leaves its lock file behind. SIGKILL follows a second or two later.
  private static let lastWill = """
    cat >/dev/null
    ours() { grep -lszxF -- "BELFRY_LAB=$1" /proc/[0-9]*/environ | cut -d/ -f3; }
    kill -s TERM $(ours "$1") 2>/dev/null
    kill -s CONT $(ours "$1") 2>/dev/null
    tries=50
    while left=$(ours "$1"); [ -n "$left" ]; do
      [ $((tries -= 1)) -gt 0 ] || kill -s KILL $left 2>/dev/null
      sleep 0.02
    done
    rm -rf -- "$1"
    for folder in \(controlGroups.joined(separator: " ")); do
      [ ! -d $folder/${1##*/} ] || find $folder/${1##*/} -depth -type d -delete
    done
    """

  /// The environment of the test run. It is read once, before `shared` changes it: no other thread
  /// may read the environment during that change.
  static let inherited = ProcessInfo.processInfo.environment

  /// The folders of /usr/share that the Lab shows to its servers, which need them for drawing and
  /// for their settings. The machine's sounds, launchers and bus services are left out.
  private static let borrowed = ["glib-2.0", "icons", "mime", "themes"]

  /// Returns the `PATH` for programs of a Lab. `folder` contains programs that the machine may
  /// lack.
  static func path(with folder: String?) -> String {
    [programs.path, products.path, folder, systemPath].compactMap(\.self).joined(separator: ":")
  }

  private static func variables(in folder: URL) -> [String: String] {
    let home = folder.path + "/home"
    var variables = [
      "BELFRY_LAB": folder.path,
      "HOME": home,
      "LANG": "C.UTF-8",
      "PATH": path(with: servers.path + "/bin"),
      "XDG_CONFIG_HOME": home + "/.config",
      "XDG_DATA_HOME": home + "/.local/share",
      "XDG_STATE_HOME": home + "/.local/state",
      "XDG_CACHE_HOME": home + "/.cache",
      // The next four variables hide the machine's own settings and data. The folder `xdg` does not
      // exist. `configureSound` writes the two files for PulseAudio.
      "XDG_CONFIG_DIRS": folder.path + "/xdg",
      "XDG_DATA_DIRS": folder.path + "/share:" + folder.path + "/machine",
      "PULSE_CLIENTCONFIG": folder.path + "/pulse-client.conf",
      "PULSE_CONFIG": folder.path + "/pulse-daemon.conf",
      "GSETTINGS_BACKEND": "keyfile",
      "XDG_RUNTIME_DIR": folder.path + "/run",
      // The machine's own system bus must not be used. Nothing answers at this address unless the
      // Lab has its own system bus.
      "DBUS_SYSTEM_BUS_ADDRESS": systemBus(in: folder),
      "NO_AT_BRIDGE": "1",
    ]
    // `LD_PRELOAD` and `CLOCK_AHEAD` set another time of day: see Tests/clock.c.
    let passed = ["USER", "LOGNAME", "LD_LIBRARY_PATH", "LD_PRELOAD", "CLOCK_AHEAD"]
    for name in passed {
      variables[name] = inherited[name]
    }
    // Tests calculate in UTC. If the machine's own time zone is UTC already, `TZ` stays unset,
    // because most users' sessions do not set it either.
    if !["UTC", "GMT", "Etc/UTC"].contains(TimeZone.current.identifier) { variables["TZ"] = "UTC" }
    return variables
  }
}
