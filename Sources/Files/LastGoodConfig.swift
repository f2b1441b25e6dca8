// SPDX-License-Identifier: GPL-3.0-or-later
//
// The config as it was when it last had no error: a copy among what the agent remembers, so that an
// agent that is started while the config has one rings what it would have rung had it gone on. It
// stands in for nothing else: a config that is gone has no alarms.

import Configuration
import Language
import System

nonisolated struct LastGoodConfig {
  private let path: String
  /// Its first line says whose copy it is: another config has other alarms.
  private let heading: [UInt8]

  init(_ locations: Locations) {
    path = locations.lastGoodConfig
    heading = Array("# \(TerminalText.quoted(locations.config)) without an error\n".utf8)
  }

  /// Keeps `bytes`, where they are not what is kept already.
  func keep(_ bytes: [UInt8]) {
    let copy = heading + bytes
    if DurableFile.size(of: path) == copy.count,
      (try? DurableFile.read(path, limit: copy.count)) == copy
    {
      return
    }
    do throws(FileError) { try DurableFile.replace(path, with: copy) } catch {
      Log.warning("a restart could not go by this config, should it have an error then: \(error)")
    }
  }

  /// What it says; nil where there is none.
  func configuration(in context: ReadingContext) -> Configuration? {
    let limit = Configuration.largestFile + heading.count
    // There being none is as good as its being damaged: the config itself is there.
    guard let copy = try? DurableFile.read(path, limit: limit), copy.starts(with: heading) else {
      return nil
    }
    let reading = Configuration.read(Array(copy.dropFirst(heading.count)), file: path, in: context)
    return reading.isTOML ? reading.configuration : nil
  }
}
