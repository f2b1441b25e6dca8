// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opens a terminal window without a screen, in tmux. A test can read the text that programs draw in
// the window, type keys, and change the window's size. Next: `Lab.swift`.

import Foundation

/// A window with its own tmux server, which ends together with the Lab.
public final class Window {
  private let lab: Lab
  private let socket: String
  /// The file with everything that programs sent to the window, including escape sequences.
  private let record: URL

  /// Opens a window in which a shell runs `command`.
  public init(
    _ lab: Lab, columns: Int, rows: Int, running command: String,
    environment: [String: String] = [:]
  ) throws {
    self.lab = lab
    let name = "tmux-\(UUID().uuidString.prefix(8))"
    socket = lab.folder.appendingPathComponent(name).path
    record = lab.home.appendingPathComponent(name + ".raw")
    // The command waits until the recording has begun.
    try "cat >/dev/null <ready; \(command)\n".write(
      to: lab.home.appendingPathComponent(name + ".sh"), atomically: true, encoding: .utf8)
    try lab.run("mkfifo", "ready")
    try tmux(
      "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh \(name).sh",
      // Do not use the `TERM` of the test run, which may have no terminal.
      environment: environment.merging(["TERM": "xterm-256color", "SHELL": "/bin/bash"]) { $1 })
    try tmux("pipe-pane", "-o", "cat >>\(record.path)")
    try lab.run("sh", "-c", "echo >ready; rm ready")
  }

  @discardableResult
  private func tmux(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> String {
    try tmux(arguments, environment: environment)
  }

  @discardableResult
  private func tmux(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> String {
    let program = try lab.start(
      "tmux", arguments: ["-u", "-S", socket, "-f", "/dev/null"] + arguments,
      environment: environment)
    guard try program.waitForExit() == .status(0) else {
      throw LabError.failed("tmux \(arguments[0])", reason: program.errors)
    }
    return program.output
  }

  /// Returns the lines of text in the window, without spaces at their ends. If `styles` is true,
  /// the lines contain escape sequences for colors and other styles.
  public func text(styles: Bool = false) throws -> [String] {
    let output = try styles ? tmux("capture-pane", "-p", "-e") : tmux("capture-pane", "-p")
    return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  /// Waits until `matches` accepts the lines of the window, by reading them repeatedly.
  @discardableResult
  public func wait(
    for awaited: String, where matches: ([String]) -> Bool
  ) throws -> [String] {
    try Lab.ask(for: awaited, seen: try text().joined(separator: "\n")) {
      let text = try text()
      return matches(text) ? text : nil
    }
  }

  /// Waits until a line of the window contains `words`.
  @discardableResult
  public func wait(for words: String) throws -> [String] {
    try wait(for: words) { $0.contains { $0.contains(words) } }
  }

  /// Types keys, which have tmux's names, such as `q`, `Space` or `C-c`.
  public func type(_ keys: String...) throws {
    for key in keys { try tmux("send-keys", key) }
  }

  /// Sends `bytes` to the program, as a terminal does for a click, for example.
  public func send(_ bytes: String) throws {
    // Send everything in one piece: if an escape sequence came in parts, the program would take the
    // first part for the Escape key.
    try tmux(["send-keys", "-H"] + bytes.utf8.map { String($0, radix: 16) })
  }

  /// Clicks on the first place in the window that shows `words`. Fails if the program has not asked
  /// the terminal for clicks.
  public func click(_ words: String) throws {
    let text = try wait(for: words)
    guard try isMouseTaken else { throw LabError.failed("click", reason: "nobody asks for clicks") }
    for (row, line) in text.enumerated() {
      guard let place = line.range(of: words) else { continue }
      let column = line.distance(from: line.startIndex, to: place.lowerBound)
      let at = "0;\(column + 1);\(row + 1)"
      return try send("\u{1B}[<\(at)M\u{1B}[<\(at)m")
    }
  }

  /// Whether the program has asked the terminal for clicks (modes 1000 and 1006).
  public var isMouseTaken: Bool {
    get throws {
      try tmux("display-message", "-p", "#{mouse_standard_flag}#{mouse_sgr_flag}")
        .hasPrefix("11")
    }
  }

  public func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// Waits until programs have sent `words` to the terminal, and returns everything sent so far. A
  /// text is recorded a moment after it is shown.
  public func sent(with words: String) throws -> String {
    func sent() -> String { (try? String(decoding: Data(contentsOf: record), as: UTF8.self)) ?? "" }
    return try Lab.ask(for: "\(words.debugDescription) to be sent", seen: sent()) {
      let sent = sent()
      return sent.contains(words) ? sent : nil
    }
  }
}
