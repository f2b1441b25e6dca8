// SPDX-License-Identifier: GPL-3.0-or-later
//
// Acts as a person in front of a Lab's GNOME Shell: clicks, types, searches and takes screenshots.
// `GnomeShell.swift` starts the session itself.

import Foundation

extension GnomeShell {
  /// Clicks on the first text or button of the banner that contains `words`.
  @discardableResult
  public func pressInBanner(_ words: String) throws -> Epoch {
    // A banner that is not critical shows its buttons only under the pointer.
    let banner = try Lab.ask(for: "a banner", seen: "\(try kept())") { try self.banner().first }
    try point(at: banner)
    return try click(words, in: "the banner", seen: "\(try kept())") { try self.banner() }
  }

  /// Opens the list of notifications, and clicks on the first text or button in it that contains
  /// `words`.
  @discardableResult
  public func pressInList(_ words: String) throws -> Epoch {
    try openList()
    return try click(words, in: "the list", seen: "\(try list())") { try list() }
  }

  /// Clicks on the first of `widgets` whose text contains `words`.
  private func click(
    _ words: String, in place: String, seen: @autoclosure () throws -> String,
    _ widgets: () throws -> [ShellWidget]
  ) throws -> Epoch {
    var last: ShellWidget?
    let widget = try Lab.ask(for: "\(words) in \(place)", seen: try seen()) {
      let found = try widgets().first { $0.text.contains(words) && $0.height > 1 }
      defer { last = found }
      // The notification may still be moving, so wait until the widget is found at the same place
      // twice.
      if found == nil || found != last { usleep(100_000) }
      return found == last ? found : nil
    }
    return try click(widget)
  }

  public func openList(_ isOpen: Bool = true) throws { try act("global.lab.openList(\(isOpen))") }

  /// Clicks on a widget, and returns the time at which the mouse button was released.
  @discardableResult
  public func click(_ widget: ShellWidget?) throws -> Epoch {
    try point(at: widget)
    try act("global.lab.button(true)")
    // A person holds the mouse button down for about this long.
    usleep(80_000)
    let time = Lab.now
    try act("global.lab.button(false)")
    return time
  }

  public func point(at widget: ShellWidget?) throws {
    guard let widget else { throw LabError.failed("point", reason: "there is no such widget") }
    let (x, y) = (widget.x + widget.width / 2, widget.y + widget.height / 2)
    try act("global.lab.move(\(x - 2), \(y - 2))")
    try act("global.lab.move(\(x), \(y))")
    usleep(120_000)
  }

  /// Moves the pointer away from all widgets.
  public func movePointerAway() throws { try act("global.lab.move(300, 700)") }

  /// Presses the key that Clutter calls `key`, such as `Return`.
  public func press(key: String) throws { try act("global.lab.key('\(key)')") }

  /// Types `words` into the search of the overview, and waits until Enter would open the result
  /// `expected`.
  public func search(_ words: String, for expected: String) throws {
    try Lab.wait(for: "the shell to read the list of programs") {
      try !ask("global.lab.mustReadPrograms")
    }
    try act("Main.overview.show()")
    try Lab.wait(for: "the overview") {
      try evaluate("Main.overview.visible && !Main.overview.animationInProgress ? 1 : 0") == "1"
    }
    for letter in words { try press(key: letter == " " ? "space" : String(letter)) }
    try Lab.wait(for: "\(expected) in the search", seen: try evaluate("global.lab.searchState()")) {
      try found() == expected
    }
  }

  /// Presses Enter to open the search result, and waits until the overview closes. Returns the time
  /// just before Enter was pressed first.
  @discardableResult
  public func takeFound() throws -> Epoch {
    try Lab.wait(for: "the shell to end the start of Belfry") {
      try !ask("global.lab.isStarting()")
    }
    let time = Lab.now
    try Lab.wait(for: "the overview to close", seen: try found()) {
      try press(key: "Return")
      return
        (try? Lab.wait(for: "it", within: 3) {
          try evaluate("Main.overview.visible && !Main.overview.animationInProgress ? 1 : 0") == "0"
        }) != nil
    }
    return time
  }

  private func found() throws -> String {
    try (ask("[global.lab.found()]") as [String]).joined()
  }

  public func lock() throws { try act("Main.screenShield.lock(false)") }
  public func unlock() throws { try act("Main.screenShield.deactivate(false)") }

  /// Closes the overview, the list and all notifications, as at the beginning of a session.
  public func clear() throws {
    try act("global.lab.clear()")
    try movePointerAway()
  }

  /// Writes a picture of the screen, without the pointer, to a PNG file.
  public func screenshot(to file: URL) throws {
    let made = lab.folder.appendingPathComponent("screen.png")
    try lab.send(
      "org.gnome.Shell.Screenshot.Screenshot",
      ["boolean:false", "boolean:false", "string:\(made.path)"],
      to: "org.gnome.Shell.Screenshot", at: "/org/gnome/Shell/Screenshot")
    try Data(contentsOf: made).write(to: file)
  }

  /// Writes a picture of the banner alone to a PNG file.
  public func pictureOfBanner(to file: URL) throws {
    let area: [Int] = try ask("global.lab.bannerArea()")
    try screenshot(to: file)
    // Use this machine's mogrify(1): GNOME Shell's own Debian system may not have that program.
    let cut = "\(area[2])x\(area[3])+\(area[0])+\(area[1])"
    try Lab().run("mogrify", "-crop", cut, "+repage", "-strip", file.path)
  }
}
