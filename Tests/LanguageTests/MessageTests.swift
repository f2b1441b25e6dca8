// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `Message`, a text that can be translated: the key by which translations find it, and how
// its values are inserted.

import Language
import Testing

struct MessageTests {
  @Test func `the key of a message has a placeholder for each value`() {
    let message = Message("\("tea") rings at \(7):30")
    #expect(message.key == "%1$s rings at %2$s:30")
    #expect(message.description == "tea rings at 7:30")
  }

  @Test func `a translation may reorder the placeholders, or use one of them twice`() {
    let message = Message("\("tea") of \(3)")
    #expect(message.text { _ in "%2$s: %1$s, %1$s" } == "3: tea, tea")
  }

  @Test(arguments: [
    (Message("100%"), "100%", "100%"),
    (Message("\(50)% of \("all")"), "%1$s%% of %2$s", "50% of all"),
    (Message(verbatim: "100% %1$s"), "%1$s", "100% %1$s"),
  ])
  func `a percent sign in a message is shown as one percent sign`(
    message: Message, key: String, english: String
  ) {
    #expect(message.key == key)
    #expect(message.description == english)
  }

  @Test func `text that looks like a placeholder but is not one is left as it is`() {
    #expect(Message("\(1)").text { _ in "%3$s %1$d %0$s % %1$s" } == "%3$s %1$d %0$s % 1")
  }

  @Test(arguments: [(0, "0 alarms"), (1, "1 alarm"), (2, "2 alarms")])
  func `an English message has a singular and a plural form`(count: Int, text: String) {
    #expect(Message("\(count) alarm", plural: "\(count) alarms", count: count).description == text)
  }

  @Test func `a message within a message is translated too`() {
    let message = Message("\(Message("inner")), \("name")")
    #expect(message.text { $0.key == "inner" ? "INNER" : $0.key } == "INNER, name")
  }

  @Test func `several messages can be joined by a separator`() {
    let parts = [Message("one"), Message("two \(2)")]
    #expect(Message(joining: parts, by: "% ").description == "one% two 2")
    #expect(Message(joining: [], by: ", ").description == "")
  }
}
