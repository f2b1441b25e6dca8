// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lets the programs of a Lab run in a folder tree with another Debian release. They see nothing of
// this machine's own system. The tree also contains the programs of Belfry's package.
// `desktops/debian-tree` makes the tree.

import Foundation

/// The system in which a Lab's programs run.
public enum LabSystem: String, CaseIterable, Sendable, CustomStringConvertible {
  /// This machine's system.
  case here
  case trixie
  /// Debian's next release, and Debian unstable. Their desktops change from week to week.
  case forky, sid

  /// The systems on which the tests run: this machine and trixie, or those that the variable
  /// `BELFRY_SYSTEMS` names, as `Tests/desktops` does.
  public static let allCases: [Self] = {
    guard let names = Lab.inherited["BELFRY_SYSTEMS"] else { return [.here, .trixie] }
    return names.split(separator: " ").map { name in
      guard let system = Self(rawValue: String(name)) else {
        fatalError("BELFRY_SYSTEMS: there is no system \(name)")
      }
      return system
    }
  }()

  public var description: String { self == .here ? "this machine" : "Debian \(rawValue)" }

  /// The path of the system's root folder on this machine. The tree of a Debian release is made if
  /// it does not exist. The error explains why it cannot be made.
  public var root: URL {
    get throws { self == .here ? URL(filePath: "/") : try Self.made[self]!.get() }
  }

  /// The reason why another Debian release is not available.
  public struct Lacking: Error, CustomStringConvertible { public let description: String }

  private static let made = Dictionary(
    uniqueKeysWithValues: allCases.filter { $0 != .here }.map { system in
      (system, Result { try system.make() })
    })

  private func make() throws -> URL {
    let script = Lab.repository.appendingPathComponent("Tests/Lab/desktops/debian-tree")
    // The script must look into the user's folders, and not into those of the Lab.
    let changes = ["HOME", "XDG_CACHE_HOME", "BELFRY_MIRROR", "http_proxy"]
      .map { ($0, Lab.inherited[$0] ?? "") }
    // Making a tree with many packages takes a long time.
    let (status, output, errors) = try Lab().run(
      script.path, rawValue, environment: Dictionary(uniqueKeysWithValues: changes),
      within: 1200)
    let said = errors.split(separator: "\n").last ?? ""
    guard status == 0 else { throw Lacking(description: String(said)) }
    return URL(filePath: output.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}

extension Lab {
  /// Starts a process that holds a mount namespace whose root folder is the tree `root`. In this
  /// namespace, the Lab and the package's programs have their usual paths. All programs that are
  /// started later enter the namespace.
  func holdTree(_ root: URL) throws {
    // A program that enters the namespace gets the root that the process has at that moment, so the
    // process must not say `ready` before it has the tree as its root.
    let script = """
      tree=$1; shift
      for folder in "$@"; do mkdir -p "$tree$folder"; done
      mount --bind "$tree" "$tree" && mount -o remount,bind,ro "$tree" \
        && for folder in proc sys dev; do mount --rbind /$folder "$tree/$folder" || exit; done \
        && for folder in tmp run; do mount -t tmpfs none "$tree/$folder" || exit; done \
        && mkdir -p "$tree/run/systemd/seats" "$tree/var/tmp" \
        && for folder in "$@"; do
          mkdir -p "$tree$folder" && mount --bind "$folder" "$tree$folder" || exit
        done && exec chroot "$tree" sh -c 'echo ready && exec sleep infinity'
      """
    let folders = [folder, Self.repository, Self.programs, Self.products] + Self.runtime
    let holder = try start(
      "unshare",
      arguments: ["--mount", "--propagation", "private", "sh", "-c", script, "sh", root.path]
        + Set(folders.map(\.path)).sorted())
    try holder.waitForOutput("ready")
    // Leave this machine's servers out of `PATH`: the tree has its own servers, whose versions fit
    // the libraries of the tree.
    setVariable("PATH", Self.path(with: nil))
    entrance.update {
      $0 = ["/usr/bin/nsenter", "--target=\(holder.pid)", "--mount", "--root", "--"]
    }
  }

  /// The folders in which Belfry's programs look for the libraries of Swift's runtime; empty if the
  /// programs are linked statically.
  private static let runtime: [URL] = {
    let maps = (try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()) ?? Data()
    let paths = String(decoding: maps, as: UTF8.self).split(separator: "\n")
      .compactMap { $0.split(separator: " ").last }
      .filter { $0.hasPrefix("/") && $0.contains("/libswift") }
    return Set(paths.map { URL(filePath: String($0)).deletingLastPathComponent() }).sorted {
      $0.path < $1.path
    }
  }()
}
