// SPDX-License-Identifier: GPL-3.0-or-later
//
// The doctor's look at the libraries that are loaded when they are needed: without one of them Belfry
// runs all the same, and lacks what it is for.

import Language
import System

extension Doctor {
  private nonisolated static let libraries: [(Check.Name, Library)] = [
    (.device, .alsa), (.sounds, .sndfile),
  ]

  /// Those of what is awaited that cannot be loaded, and why.
  nonisolated static func missing(
    _ awaited: Set<Check.Name>
  ) -> [(Check.Name, Library, trouble: String)] {
    libraries.compactMap { name, library in
      guard awaited.contains(name), let trouble = library.trouble else { return nil }
      return (name, library, trouble)
    }
  }

  func found(missing library: Library, _ trouble: String, for name: Check.Name) {
    let mend = tr("install the package that holds \(library.rawValue)")
    switch library {
    case .alsa:
      found(name, .error, tr("nothing plays: \(trouble)"), mend: mend)
      found(.mixer, .unknown, tr("no device plays"))
    case .sndfile:
      found(name, .warning, tr("\(trouble + ".") Another sound plays instead."), mend: mend)
    // Only a sound server is asked by it, and one that is there brings it.
    case .pulse: break
    // What is wrong with the config says it, where one names a calendar.
    case .ical: break
    }
  }
}
