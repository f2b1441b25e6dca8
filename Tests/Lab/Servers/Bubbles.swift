// SPDX-License-Identifier: GPL-3.0-or-later
//
// Clicks on notifications as Xfce, MATE, LXQt and Plasma draw them on an X display. The positions
// of the buttons were measured on pictures. Next: `OtherNotificationServers.swift`.

import Foundation

/// The position and size of a notification on the screen, in pixels.
struct Bubble: Equatable {
  var x = 0, y = 0, width = 0, height = 0
}

/// Where a server draws the body and the buttons of its bubbles. All positions are in pixels from a
/// bubble's left and top edges, or from its right and bottom edges if they are negative.
private struct BubbleLook: Sendable {
  /// Arguments of xdotool(1) that find the server's windows.
  let windows: [String]
  let widths: ClosedRange<Int>
  let body: (x: Int, y: Int)
  /// The position of the close button; nil if a click on the body closes the notification.
  var close: (x: Int, y: Int)?
  let buttonsY: Int
  /// Returns the horizontal middle of each button.
  let buttons: @Sendable (_ labels: [String], _ width: Int) -> [Int]
  /// The height of a notification, for a server that draws all notifications in one window.
  var partHeight: Int?

  /// Xfce draws buttons of equal width in a row that is as wide as the bubble. A single button is
  /// at the right.
  static let xfce = BubbleLook(
    windows: ["--class", "xfce4-notifyd"], widths: 51...1000, body: (x: 150, y: 25),
    buttonsY: -29,
    buttons: { labels, width in
      let inset = 14
      guard labels.count > 1 else { return [width - inset - 20] }
      return labels.indices.map {
        inset + (width - 2 * inset) * (2 * $0 + 1) / (2 * labels.count)
      }
    })
  static let mate = BubbleLook(
    windows: ["--name", "Notification"], widths: 300...600, body: (x: 100, y: 50),
    close: (x: -32, y: 27), buttonsY: -27,
    buttons: { inRow($0, of: $1, inset: 40, gap: 6, letter: 6.7, padding: 17) })
  /// LXQt draws a row of buttons. The first begins at the left edge, and the last ends at the right
  /// edge.
  static let lxqt = BubbleLook(
    windows: ["--class", "lxqt-notificationd"], widths: 300...300, body: (x: 120, y: 70),
    close: (x: -24, y: 30), buttonsY: -38,
    buttons: { labels, _ in
      switch labels.count {
      case 1: [150]
      case 2: [80, 220]
      default: [80, 154, 220]
      }
    },
    partHeight: 146)
  static let plasma = BubbleLook(
    windows: ["--class", "plasmashell"], widths: 300...600, body: (x: 60, y: 50),
    close: (x: -15, y: 15), buttonsY: -20,
    buttons: { inRow($0, of: $1, inset: 6, gap: 4, letter: 8, padding: 12) })

  /// Returns the horizontal middle of each button in a row that ends at the bubble's right edge.
  /// The width of a button depends on its label.
  private static func inRow(
    _ labels: [String], of width: Int, inset: Int, gap: Int, letter: Double, padding: Int
  ) -> [Int] {
    var right = width - inset
    return labels.reversed().map { label in
      let own = Int(letter * Double(label.count)) + padding
      defer { right -= own + gap }
      return right - own / 2
    }.reversed()
  }
}

extension Lab {
  private var look: BubbleLook {
    switch notificationServerKind {
    case .mate: .mate
    case .lxqt: .lxqt
    case .plasma: .plasma
    default: .xfce
    }
  }

  /// Returns the positions of the server's bubbles, the highest one first.
  func bubbles() throws -> [Bubble] {
    let look = look
    let search = ["search", "--onlyvisible"] + look.windows
    let found = try start("xdotool", arguments: search)
    try found.waitForExit()
    let windows = try Set(found.output.split(separator: "\n").map(String.init)).map(geometry)
      .filter { look.widths.contains($0.width) }
    guard let height = look.partHeight else { return windows.sorted { $0.y < $1.y } }
    return windows.flatMap { window in
      // One window may hold several bubbles, one below the other. Each bubble is at least `height`
      // pixels tall, and taller if its body has two lines.
      let count = max(1, window.height / height)
      return (0..<count).map {
        let y = window.y + window.height * $0 / count
        return Bubble(x: window.x, y: y, width: window.width, height: window.height / count)
      }
    }
  }

  /// Returns the position and size of a window. All numbers are 0 if the window is gone.
  private func geometry(of window: String) throws -> Bubble {
    // xdotool prints lines like `X=759`.
    let lines = try run("xdotool", "getwindowgeometry", "--shell", window).output
      .split(separator: "\n").map { $0.split(separator: "=") }
    var bubble = Bubble()
    for line in lines where line.count == 2 {
      switch line[0] {
      case "X": bubble.x = Int(line[1]) ?? 0
      case "Y": bubble.y = Int(line[1]) ?? 0
      case "WIDTH": bubble.width = Int(line[1]) ?? 0
      case "HEIGHT": bubble.height = Int(line[1]) ?? 0
      default: break
      }
    }
    return bubble
  }

  private func lastBubble() throws -> Bubble {
    try Self.ask(for: "a bubble of \(notificationServerKind)", seen: "none") {
      try bubbles().last
    }
  }

  /// Writes a picture of the last bubble to a PNG file.
  public func pictureOfBubble(to file: URL) throws {
    let bubble = try lastBubble()
    try screenshot(to: file)
    let area = "\(bubble.width)x\(bubble.height)+\(bubble.x)+\(bubble.y)"
    try run("mogrify", "-crop", area, "+repage", file.path)
  }

  /// Clicks on the button of `key` in the last bubble, or on its body if `key` is "default". Xfce
  /// also draws a button for "default".
  func click(_ key: String, on notification: PostedNotification) throws {
    let isBody = key == "default" && notificationServerKind != .xfce
    let drawn = notification.actions.filter {
      $0.key != "default" || notificationServerKind == .xfce
    }
    let look = look
    try clickLast { bubble in
      guard !isBody, let index = drawn.firstIndex(where: { $0.key == key }) else {
        return look.body
      }
      return (x: look.buttons(drawn.map(\.label), bubble.width)[index], y: look.buttonsY)
    }
  }

  /// Clicks on the close button of the last bubble, or on its body if it has no close button.
  func clickClose() throws {
    let look = look
    try clickLast { _ in look.close ?? look.body }
  }

  /// Clicks on the body of the last bubble.
  public func clickBody() throws {
    let look = look
    try clickLast { _ in look.body }
  }

  /// Clicks on a place of the last bubble once the bubble has stopped moving. While Plasma lays out
  /// a bubble, the bubble is already on the screen, but higher up.
  ///
  /// The pointer rests on the bubble neither before nor after the click: 0.7 s after it has come to
  /// a close button, Plasma 5 shows a tooltip, and crashes if the bubble is being removed then.
  private func clickLast(_ place: (Bubble) -> (x: Int, y: Int)) throws {
    var aim: Bubble?
    var still = 0
    try Self.wait(for: "a bubble that stands still", seen: "\(try bubbles())") {
      let bubble = try lastBubble()
      still = bubble == aim ? still + 1 : 0
      aim = bubble
      // Plasma moves a bubble in steps. Between them, a busy machine may take some tenths of a
      // second.
      if still == 4 { return true }
      Thread.sleep(forTimeInterval: 0.2)
      return false
    }
    guard let aim else { return }
    let (x, y) = place(aim)
    let left = aim.x + x + (x < 0 ? aim.width : 0)
    let top = aim.y + y + (y < 0 ? aim.height : 0)
    try run(
      "xdotool", "mousemove", "\(left - 1)", "\(top)", "sleep", "0.1", "mousemove", "\(left)",
      "\(top)", "sleep", "0.1", "click", "1", "mousemove", "0", "0")
  }
}
