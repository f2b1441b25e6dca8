// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the exact text that commands print, and their exit status, with the transcripts in the
// folder `Transcripts`. `ConfigEditTests.swift` tests how an edit changes the bytes of a file, and
// `CitySearchTests.swift` how cities are found. Next: `CommandRulesTests.swift`.

import Testing

@Suite(.realServers) struct TranscriptTests {
  @Test(arguments: Transcript.chosen)
  func `commands print what the transcript says`(transcript: Transcript) throws {
    try transcript.play()
  }
}
