// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that `desktop/packaging/packages` is the only list of the Debian packages with which Belfry
// is built. If a script in Tests installed some of them itself, the tests would pass even if the
// list lacked them.

import Foundation
import Testing

struct PackageListTests {
  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: repository.appendingPathComponent(path), encoding: .utf8)
  }

  /// The packages in the group `build` of `desktop/packaging/packages`.
  private static var built: Set<String> {
    get throws {
      let script = try text("desktop/packaging/packages")
      let group = try #require(script.firstMatch(of: /\nbuild=\(\n(?<lines>(?: .*\n)+)\)/)).lines
      return Set(
        group.split(separator: "\n").compactMap {
          $0.split(separator: " ").first.map(String.init)
        })
    }
  }

  @Test func `the Debian package is built with the packages of the group build`() throws {
    let control = try Self.text("desktop/packaging/debian/control")
    let match = try #require(control.firstMatch(of: /Build-Depends:\n(?<lines>(?: .*\n)+)/))
    var needed = Set(match.lines.matches(of: /(?m)^ ([^ ,]+)/).map { String($0.1) })
    // debhelper is for making packages. The scripts expect any Swift, and find it themselves.
    needed.subtract(["debhelper-compat", "swiftlang"])
    // A package that is built may expect a C++ compiler. Debian 12 has another name for pkgconf.
    needed.remove("pkgconf")
    try #expect(needed.union(["g++", "pkg-config"]) == Self.built)
  }

  @Test(arguments: ["arm64", "debian", "recipes", "source"])
  func `a script that builds on a bare system installs the packages of the list`(name: String)
    throws
  {
    let script = try Self.text("Tests/\(name)").replacing(#/ \\\n */#, with: " ")
    let installed = script.matches(of: /(?m)^ *apt install (.*)$/)
      .flatMap { $0.1.split(separator: " ").map(String.init) }
    let own = try Set(installed).intersection(Self.built.union(["build-essential"]))
    #expect(
      own == [],
      "Tests/\(name) must get these from desktop/packaging/packages, which could lack them"
    )
  }
}
