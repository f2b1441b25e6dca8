// SPDX-License-Identifier: GPL-3.0-or-later
//
// A config that was read, and what it says after a save that changed, added or removed a few alarms
// of many: these are read again, and nothing else. Whatever is not surely as good as a reading of
// the whole is not done here. Next: `Configuration.swift`, which reads the whole.

import Scheduling
import TOML

/// A text of many alarms and nothing wrong, what it says, and where its tables begin.
public struct KnownText: Sendable {
  public let bytes: [UInt8]
  public let reading: Reading
  /// In the order of the text; never empty.
  private let blocks: [Block]

  /// The lines from one header up to the next. At the beginning of each the text above is over: TOML
  /// has nothing that reaches across a header.
  private struct Block {
    /// There may be a hundred thousand, and no text is that long.
    private let offset: Int32
    private let number: Int32

    /// `alarm` is the number of the alarm that it is; nil: another table.
    init(start: Int, alarm: Int?) { (offset, number) = (Int32(start), Int32(alarm ?? -1)) }

    var start: Int { Int(offset) }
    var alarm: Int? { number < 0 ? nil : Int(number) }

    func moved(by bytes: Int, alarms: Int) -> Block {
      Block(start: start + bytes, alarm: alarm.map { $0 + alarms })
    }
  }

  /// Smaller texts are read as a whole each time: that is done at once, and notices as well what
  /// else has changed, such as a sound that is gone.
  public static let leastBytes = 100_000

  /// Nil for a text that has something wrong.
  init?(_ bytes: [UInt8], _ reading: Reading, _ root: TOMLTable) {
    guard reading.isTOML, reading.diagnostics.isEmpty, let blocks = Self.blocks(of: root, in: bytes)
    else { return nil }
    (self.bytes, self.reading, self.blocks) = (bytes, reading, blocks)
  }

  private init(_ bytes: [UInt8], _ reading: Reading, _ blocks: some Sequence<Block>) {
    (self.bytes, self.reading, self.blocks) = (bytes, reading, Array(blocks))
  }

  /// Nil where there is a table without a header of its own.
  private static func blocks(of root: TOMLTable, in bytes: [UInt8]) -> [Block]? {
    var headers: [(position: TOMLPosition, alarm: Int?)] = []
    for entry in root.entries {
      switch entry.value.kind {
      case .table: headers.append((entry.value.position, nil))
      case .array(let values):
        for (i, value) in values.enumerated() {
          headers.append((value.position, entry.key == "alarm" ? i : nil))
        }
      default: return nil
      }
    }
    headers.sort { $0.position < $1.position }
    var blocks: [Block] = []
    var (line, start) = (1, TOMLDocument.start(of: bytes))
    for header in headers {
      while line < header.position.line {
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        (line, start) = (line + 1, end + 1)
      }
      // A header has nothing but white space before it, so that columns are bytes.
      let place = start + header.position.column - 1
      guard place < bytes.count, bytes[place] == UInt8(ascii: "["),
        bytes[start..<place].allSatisfy(ConfigText.isSpace)
      else { return nil }
      blocks.append(Block(start: start, alarm: header.alarm))
    }
    return blocks.isEmpty ? nil : blocks
  }

  /// What `bytes` say, where they are this text but for a run of alarms, and these have no mistake.
  /// Nil: who knows, read all of it.
  func reread(_ bytes: [UInt8], file: String, in context: ReadingContext) -> KnownText? {
    if bytes == self.bytes { return self }
    guard let (run, changed) = changedRun(in: bytes), let first = blocks[run.lowerBound].alarm,
      reading.configuration.alarms.count == reading.alarmNames.count,
      let before = alarms(Array(self.bytes[range(of: run)]), file, context),
      let after = alarms(Array(bytes[changed]), file, context), before.alarms.count == run.count,
      let names = names(at: first, before.alarms, after.alarms)
    else { return nil }
    let places = first..<first + run.count
    var reading = reading
    reading.alarmNames.replaceSubrange(places, with: names)
    reading.configuration.alarms.replaceSubrange(
      places, with: zip(after.alarms, names).map { $0.alarm(called: $1) })
    let more = (bytes: bytes.count - self.bytes.count, alarms: names.count - run.count)
    let fresh = after.blocks.map { $0.moved(by: changed.lowerBound, alarms: first) }
    let rest = blocks[run.upperBound...].map { $0.moved(by: more.bytes, alarms: more.alarms) }
    return KnownText(bytes, reading, blocks[..<run.lowerBound] + fresh + rest)
  }

  /// What the alarms `after` are called in the place of `before`, which begin at `first`. Nil where
  /// others might be called otherwise then.
  private func names(at first: Int, _ before: [Known], _ after: [Known]) -> [String]? {
    let places = first..<first + before.count
    if before.map(\.name) == after.map(\.name) {
      return reading.alarmNames[places].compactMap(\.self)
    }
    // Where all names differ, each is what its own alarm says.
    let names = after.map(\.name.text)
    let others = [reading.alarmNames[..<first], reading.alarmNames[places.upperBound...]]
    guard !reading.hasCountedNames, Set(names).count == names.count,
      !names.contains(where: { name in others.contains { $0.contains(name) } })
    else { return nil }
    return names
  }

  private func range(of run: Range<Int>) -> Range<Int> {
    let end = run.upperBound < blocks.count ? blocks[run.upperBound].start : bytes.count
    return blocks[run.lowerBound].start..<end
  }

  /// More are read as quickly with all the others.
  private static let longestRun = 100

  /// The blocks in which `new` differs, all of them alarms, and where what takes their place is in
  /// `new`.
  private func changedRun(in new: [UInt8]) -> (run: Range<Int>, range: Range<Int>)? {
    let most = min(bytes.count, new.count)
    var same = 0
    while same < most, bytes[same] == new[same] { same += 1 }
    var sameBehind = 0
    while sameBehind < most - same,
      bytes[bytes.count - 1 - sameBehind] == new[new.count - 1 - sameBehind]
    { sameBehind += 1 }
    // The block whose beginning is the last that is the same for sure.
    let first = place { $0.start < same } - 1
    let end = place { $0.start < bytes.count - sameBehind }
    guard first >= 0 else { return nil }
    let run = first..<max(first + 1, end)
    let old = range(of: run)
    let newEnd = old.upperBound + new.count - bytes.count
    guard run.count <= Self.longestRun, blocks[run].allSatisfy({ $0.alarm != nil }),
      newEnd > old.lowerBound,
      // The next header begins a line.
      newEnd == new.count || new[newEnd - 1] == UInt8(ascii: "\n")
    else { return nil }
    return (run, old.lowerBound..<newEnd)
  }

  /// How many of the blocks, from the first on, have `isBefore`.
  private func place(_ isBefore: (Block) -> Bool) -> Int {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(blocks[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// An alarm by itself.
  private struct Known {
    var alarm: Alarm
    var name: Name

    /// Its own id, or what is made of its label or time.
    struct Name: Equatable {
      var text: String
      var isOwn: Bool
    }

    func alarm(called name: String) -> Alarm {
      var alarm = alarm
      alarm.id = name
      return alarm
    }
  }

  /// The alarms that `text` is, by themselves; nil where it is something else, or has a mistake.
  private func alarms(
    _ text: [UInt8], _ file: String, _ context: ReadingContext
  ) -> (alarms: [Known], blocks: [Block])? {
    // What is no TOML, the reading of the whole will tell.
    guard let root = try? TOMLDocument.parse(text).root, root.entries.count == 1,
      case .array(let values)? = root["alarm"]?.kind, let blocks = Self.blocks(of: root, in: text)
    else { return nil }
    let entries = values.enumerated().compactMap { i, value -> Entry? in
      guard case .table(let table) = value.kind else { return nil }
      return Entry(table: table, position: value.position, index: i)
    }
    let findings = Findings(file: file)
    var reader = ConfigurationReader(context, findings)
    reader.reading.configuration.defaults = reading.configuration.defaults
    reader.readAlarms(entries)
    let alarms = reader.reading.configuration.alarms
    guard findings.diagnostics.isEmpty, alarms.count == values.count else { return nil }
    let known = zip(alarms, entries).map { alarm, entry in
      let isOwn = entry.table["id"] != nil
      let made = Identity.name(label: alarm.label, time: alarm.recurrence.time)
      return Known(alarm: alarm, name: Known.Name(text: isOwn ? alarm.id : made, isOwn: isOwn))
    }
    return (known, blocks)
  }

  // MARK: - Editing

  /// The text after `edits`, where each changes an alarm, made and proved on the lines of that alarm
  /// alone: they say the same by themselves as where they stand. Nil: edit all of it.
  func bytes(after edits: [ConfigEdit]) -> [UInt8]? {
    var editsOfAlarms: [Int: [ConfigEdit]] = [:]
    for edit in edits {
      guard case .change(of: "alarm", at: let place, let settings) = edit else { return nil }
      editsOfAlarms[place, default: []].append(.change(of: "alarm", at: 0, settings))
    }
    var (result, done): ([UInt8], Int) = ([], 0)
    result.reserveCapacity(bytes.count + 1000)
    for (i, block) in blocks.enumerated() {
      guard let alarm = block.alarm, let edits = editsOfAlarms.removeValue(forKey: alarm) else {
        continue
      }
      let range = range(of: i..<i + 1)
      guard let edited = try? ConfigEdit.apply(edits, to: Array(bytes[range])) else { return nil }
      result += bytes[done..<range.lowerBound]
      result += edited
      done = range.upperBound
    }
    result += bytes[done...]
    return editsOfAlarms.isEmpty && result.count <= Configuration.largestFile ? result : nil
  }
}

extension ConfigEdit {
  /// Makes `edits` as `apply` does, by what is known of the text as far as possible.
  public static func apply(
    _ edits: [ConfigEdit], to bytes: [UInt8], knowing known: KnownText?
  ) throws(Failure) -> [UInt8] {
    if let known, known.bytes == bytes, let edited = known.bytes(after: edits) { return edited }
    return try apply(edits, to: bytes)
  }
}

extension Configuration {
  /// Reads `bytes` as `read` does, by what is known of an earlier text as far as possible; and what
  /// is known then, for the next time. `known` was read in the same context.
  public static func read(
    _ bytes: [UInt8], file: String, in context: ReadingContext, knowing known: KnownText?,
    leastBytes: Int = KnownText.leastBytes
  ) -> (reading: Reading, known: KnownText?) {
    if let new = known?.reread(bytes, file: file, in: context) { return (new.reading, new) }
    let findings = Findings(file: file)
    var reading = Reading()
    var root: TOMLTable?
    do {
      let document = try TOMLDocument.parse(bytes)
      root = document.root
      reading = ConfigurationReader(context, findings).read(document.root)
    } catch {
      reading.isTOML = false
      findings.report(error)
    }
    reading.diagnostics = findings.diagnostics
    guard bytes.count >= leastBytes else { return (reading, nil) }
    // After one mistake the text is mostly what it was.
    return (reading, root.flatMap { KnownText(bytes, reading, $0) } ?? known)
  }
}
