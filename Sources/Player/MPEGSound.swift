// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the frames of an MP3 file, and makes a file of only these frames. libsndfile refuses a file
// with other bytes before the first frame, and stops early if the file does not say how many frames
// it has. Next: `SoundFile.swift`.

/// The header of one frame of MPEG audio, layer III (ISO 11172-3 and 13818-3).
private struct FrameHeader {
  /// The length of the frame in bytes, with the header.
  let length: Int
  /// Where in the frame a Xing header begins, if there is one: after the side information.
  let tagOffset: Int
  /// The bits that are the same in all frames of a sound: version, layer and sample rate.
  let kind: UInt16

  /// Kilobits per second, for MPEG 1 and for the later versions with lower sample rates.
  private static let rates: (first: [Int], later: [Int]) = (
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
  )

  /// Nil if the four bytes at `offset` are no header, or if `bytes` ends before them.
  init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard offset >= 0, offset + 4 <= bytes.count, bytes[offset] == 0xFF else { return nil }
    self.init(bytes[offset + 1], bytes[offset + 2], bytes[offset + 3])
  }

  init?(_ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
    let (version, layer) = (second >> 3 & 3, second >> 1 & 3)
    let (bitRate, sampleRate) = (Int(third >> 4), Int(third >> 2 & 3))
    guard second & 0xE0 == 0xE0, version != 1, layer == 1, (1...14).contains(bitRate),
      sampleRate != 3, fourth & 3 != 2
    else { return nil }
    let isFirst = version == 3
    let hertz = [44_100, 48_000, 32_000][sampleRate] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let kilobits = (isFirst ? Self.rates.first : Self.rates.later)[bitRate - 1]
    length = (isFirst ? 144_000 : 72_000) * kilobits / hertz + Int(third >> 1 & 1)
    let isMono = fourth >> 6 == 3
    tagOffset = 4 + (isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    kind = UInt16(second & 0xFE) << 8 | UInt16(third & 0x0C)
  }
}

struct MPEGSound {
  /// A frame without sound, with the number of frames and bytes of the file.
  private(set) var first: [UInt8] = []
  /// The places of all other frames in the file. Neighbouring frames share a range.
  private(set) var ranges: [Range<Int>] = []

  /// How many bytes are searched for the first frame. Tags do not count: they are skipped by the
  /// length that they give.
  private static let searched = 1 << 20
  /// How many frames in a row show that the bytes are not frames by chance.
  private static let proof = 3
  /// The first bytes of the other formats that libsndfile reads.
  private static let others = [
    "RIFF", "RIFX", "RF64", "FORM", "OggS", "fLaC", ".snd", "dns.", "caff", "riff", "NIST",
  ].map { Array($0.utf8) }

  /// Finds the frames in `bytes`. Returns nil if `bytes` is no MP3 file.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard !Self.others.contains(where: { bytes.starts(with: $0) }),
      let begin = Self.begin(bytes), let kind = FrameHeader(bytes, at: begin)?.kind
    else { return nil }
    var (offset, count) = (begin, 0)
    while offset + 4 <= bytes.count {
      if let frame = FrameHeader(bytes, at: offset), frame.kind == kind {
        // A frame that is cut off at the end of the file is left out.
        let end = offset + frame.length
        guard end <= bytes.count else { break }
        if let last = ranges.last, last.upperBound == offset {
          ranges[ranges.count - 1] = last.lowerBound..<end
        } else {
          ranges.append(offset..<end)
        }
        (offset, count) = (end, count + 1)
      } else if let length = Self.tag(bytes, at: offset) {
        offset += length
      } else {
        offset += 1
        while offset + 4 <= bytes.count, !Self.isRun(bytes, at: offset, 2, kind),
          Self.tag(bytes, at: offset) == nil
        { offset += 1 }
      }
    }
    addHeader(bytes, begin, count)
  }

  /// Returns where the first frame begins.
  private static func begin(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var (offset, left) = (0, searched)
    while left > 0, offset + 4 <= bytes.count {
      if let length = tag(bytes, at: offset) {
        offset += length
        // A FLAC file may have such a tag as well.
        if bytes[min(offset, bytes.count)...].starts(with: "fLaC".utf8) { return nil }
        continue
      }
      if let header = FrameHeader(bytes, at: offset), isRun(bytes, at: offset, proof, header.kind) {
        return offset
      }
      (offset, left) = (offset + 1, left - 1)
    }
    return nil
  }

  /// Whether `count` frames of one kind follow each other at `offset`, or at least two up to the
  /// end of the file.
  private static func isRun(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, _ count: Int, _ kind: UInt16
  ) -> Bool {
    var offset = offset
    for number in 0..<count {
      if number > 1, offset == bytes.count { return true }
      guard let frame = FrameHeader(bytes, at: offset), frame.kind == kind else { return false }
      offset += frame.length
    }
    return offset <= bytes.count
  }

  /// Returns the length of the tag at `offset`: ID3v2 (id3.org), ID3v1 or APEv2. Nil if there is
  /// none.
  private static func tag(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    guard offset < bytes.count, "ITA".utf8.contains(bytes[offset]) else { return nil }
    let rest = bytes[offset...]
    if rest.starts(with: "ID3".utf8), rest.count >= 10 {
      let size = (6..<10).map { Int(bytes[offset + $0]) }
      guard size.allSatisfy({ $0 < 0x80 }), bytes[offset + 3] < 0xFF else { return nil }
      let hasFooter = bytes[offset + 5] & 0x10 != 0
      return size.reduce(0) { $0 << 7 | $1 } + (hasFooter ? 20 : 10)
    }
    if rest.starts(with: "TAG".utf8) { return 128 }
    if rest.starts(with: "APETAGEX".utf8), rest.count >= 32 {
      return 32 + (0..<4).reduce(0) { $0 | Int(bytes[offset + 12 + $1]) << (8 * $1) }
    }
    return nil
  }

  // MARK: - The Xing header

  /// Sets `first`. If the file's first frame is a Xing header, keeps it, because it also says which
  /// samples at the beginning and the end are not part of the sound, and corrects its numbers:
  /// they are wrong if the file was cut or joined. Otherwise makes such a header.
  private mutating func addHeader(
    _ bytes: UnsafeRawBufferPointer, _ begin: Int, _ count: Int
  ) {
    guard let frame = FrameHeader(bytes, at: begin) else { return }
    let total = ranges.reduce(0) { $0 + $1.count }
    let tag = begin + frame.tagOffset
    let name = bytes[min(tag, bytes.count)...].prefix(4)
    let isXing = name.elementsEqual("Xing".utf8) || name.elementsEqual("Info".utf8)
    let flags = isXing && tag + 8 <= bytes.count ? bytes[tag + 7] : 0
    if flags & 3 == 3, frame.tagOffset + 16 <= frame.length {
      first = Array(bytes[begin..<begin + frame.length])
      remove(frame.length)
      return write(count - 1, total, at: frame.tagOffset + 8)
    }
    // Some encoders write another header (VBRI). It begins 36 bytes after the start of its frame.
    let isOther = isXing || bytes[min(begin + 36, bytes.count)...].starts(with: "VBRI".utf8)
    if isOther { remove(frame.length) }
    let (second, fourth) = (bytes[begin + 1] | 1, bytes[begin + 3])
    for bitRate in UInt8(1)...14 {
      let third = bitRate << 4 | bytes[begin + 2] & 0x0C
      guard let made = FrameHeader(second, third, fourth), made.length >= made.tagOffset + 64
      else { continue }
      first = [0xFF, second, third, fourth] + [UInt8](repeating: 0, count: made.length - 4)
      first.replaceSubrange(
        made.tagOffset..<made.tagOffset + 8, with: Array("Xing".utf8) + [0, 0, 0, 3])
      let isShorter = isOther ? 1 : 0
      let size = made.length + total - (isOther ? frame.length : 0)
      return write(count - isShorter, size, at: made.tagOffset + 8)
    }
  }

  /// Removes the first frame, which has this length, from `ranges`.
  private mutating func remove(_ length: Int) {
    ranges[0] = ranges[0].lowerBound + length..<ranges[0].upperBound
  }

  /// Writes the numbers of frames and bytes into `first`, as big-endian numbers of four bytes.
  private mutating func write(_ frames: Int, _ size: Int, at offset: Int) {
    for (place, number) in [frames, size].enumerated() {
      for byte in 0..<4 {
        first[offset + 4 * place + byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * byte))
      }
    }
  }
}
