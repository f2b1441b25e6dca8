// SPDX-License-Identifier: GPL-3.0-or-later
//
// Another Debian under the Lab: its programs are started in a tree of that release, the package's
// own among them, and see no other system. How a tree is made: `desktops/debian-tree`.

import Foundation

/// The system that a Lab's programs are of.
public enum LabSystem: String, CaseIterable, Sendable, CustomStringConvertible {
  /// This machine's.
  case here
  case trixie

  public var description: String { self == .here ? "this machine" : "Debian \(rawValue)" }

  /// Where its root is on this machine. It is made where it is not there yet; the error says, in
  /// words for people, why it cannot be had.
  public var root: URL { get throws { self == .here ? URL(filePath: "/") : try Self.made.get() } }

  /// Why it cannot be had.
  public struct Lacking: Error, CustomStringConvertible { public let description: String }

  private static let made = Result {
    let inherited = Lab.inherited
    let home = inherited["HOME"].map { $0 + "/.cache" }
    let folder = (inherited["XDG_CACHE_HOME"] ?? home ?? "/var/tmp") + "/belfry-tests"
    let script = Lab.repository.appendingPathComponent("Tests/Lab/desktops/debian-tree")
    let mirror = inherited.filter { $0.key == "BELFRY_MIRROR" || $0.key == "http_proxy" }
    // One that is full of packages takes its time.
    let (status, output, errors) = try Lab().run(
      script.path, trixie.rawValue, folder, environment: mirror, within: 1200)
    let said = errors.split(separator: "\n").last ?? ""
    guard status == 0 else { throw Lacking(description: String(said)) }
    return URL(filePath: output.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}

extension Lab {
  /// Holds a namespace in which the tree is the root, with this Lab and the package's programs at
  /// their usual places; all others enter it.
  func holdTree(_ root: URL) throws {
    let script = """
      tree=$1; shift
      for folder in "$@"; do mkdir -p "$tree$folder"; done
      mount --bind "$tree" "$tree" && mount -o remount,bind,ro "$tree" \
        && for folder in proc sys dev; do mount --rbind /$folder "$tree/$folder" || exit; done \
        && for folder in tmp run; do mount -t tmpfs none "$tree/$folder" || exit; done \
        && mkdir -p "$tree/run/systemd/seats" "$tree/var/tmp" \
        && for folder in "$@"; do
          mkdir -p "$tree$folder" && mount --bind "$folder" "$tree$folder" || exit
        done && echo ready && exec chroot "$tree" sleep infinity
      """
    let folders = [folder, Self.repository, Self.programs, Self.products] + Self.runtime
    let holder = try start(
      "unshare",
      arguments: ["--mount", "--propagation", "private", "sh", "-c", script, "sh", root.path]
        + Set(folders.map(\.path)).sorted())
    try holder.waitForOutput("ready")
    // It has servers of its own, which are of one version with its libraries.
    setVariable("PATH", Self.path(with: nil))
    entrance.update {
      $0 = ["/usr/bin/nsenter", "--target=\(holder.pid)", "--mount", "--root", "--"]
    }
  }

  /// The folders that hold Swift's runtime, as far as the package is linked with it: a program that
  /// was built here looks for it there.
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
