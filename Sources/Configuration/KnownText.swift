// SPDX-License-Identifier: GPL-3.0-or-later
//
// A config that was read, and what it says after a save that changed one alarm of many: that alarm
// is read again, and nothing else. Whatever is not surely as good as a reading of the whole is not
// done here. Next: `Configuration.swift`, which reads the whole.

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

  private init(_ bytes: [UInt8], _ reading: Reading, _ blocks: [Block]) {
    (self.bytes, self.reading, self.blocks) = (bytes, reading, blocks)
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

  /// What `bytes` say, where they are this text but for what is in one alarm, and that has no
  /// mistake. Nil: who knows, read all of it.
  func reread(_ bytes: [UInt8], file: String, in context: ReadingContext) -> KnownText? {
    if bytes == self.bytes { return self }
    guard let (block, changed) = changedBlock(in: bytes), let place = blocks[block].alarm,
      reading.configuration.alarms.indices.contains(place),
      let before = alarm(self.bytes[range(of: block)], file, context),
      let after = alarm(bytes[changed], file, context),
      // What it is called depends on the others too, but not on what else it says.
      before.hasID == after.hasID, before.alarm.id == after.alarm.id
    else { return nil }
    var reading = reading
    var alarm = after.alarm
    alarm.id = reading.configuration.alarms[place].id
    reading.configuration.alarms[place] = alarm
    let shift = bytes.count - self.bytes.count
    var blocks = blocks
    for i in blocks.indices.dropFirst(block + 1) {
      blocks[i] = Block(start: blocks[i].start + shift, alarm: blocks[i].alarm)
    }
    return KnownText(bytes, reading, blocks)
  }

  private func range(of block: Int) -> Range<Int> {
    let end = block + 1 < blocks.count ? blocks[block + 1].start : bytes.count
    return blocks[block].start..<end
  }

  /// The one block in which `new` differs, and where that is in `new`.
  private func changedBlock(in new: [UInt8]) -> (block: Int, range: Range<Int>)? {
    let most = min(bytes.count, new.count)
    var same = 0
    while same < most, bytes[same] == new[same] { same += 1 }
    var sameBehind = 0
    while sameBehind < most - same,
      bytes[bytes.count - 1 - sameBehind] == new[new.count - 1 - sameBehind]
    { sameBehind += 1 }
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].start < same { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let old = range(of: low - 1)
    guard bytes.count - sameBehind <= old.upperBound else { return nil }
    let end = old.upperBound + new.count - bytes.count
    // The next header begins a line.
    guard end > old.lowerBound, end == new.count || new[end - 1] == UInt8(ascii: "\n") else {
      return nil
    }
    return (low - 1, old.lowerBound..<end)
  }

  /// The alarm that `text` is, by itself; nil where it is something else, or has a mistake.
  private func alarm(
    _ text: ArraySlice<UInt8>, _ file: String, _ context: ReadingContext
  ) -> (alarm: Alarm, hasID: Bool)? {
    // What is no TOML, the reading of the whole will tell.
    guard let root = try? TOMLDocument.parse(Array(text)).root, root.entries.count == 1,
      case .array(let values)? = root["alarm"]?.kind, values.count == 1,
      case .table(let table) = values[0].kind
    else { return nil }
    let findings = Findings(file: file)
    var reader = ConfigurationReader(context, findings)
    reader.reading.configuration.defaults = reading.configuration.defaults
    reader.readAlarms([Entry(table: table, position: values[0].position)])
    guard findings.diagnostics.isEmpty, let alarm = reader.reading.configuration.alarms.first else {
      return nil
    }
    return (alarm, table["id"] != nil)
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
