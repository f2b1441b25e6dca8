// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text for a terminal: pieces with a style and a known width, without control characters, and
// tables of such texts. The colours are the sixteen colours of the terminal, which users can change
// in the terminal's settings.

import Language

public struct Style: Hashable, Sendable {
  /// The colours of the terminal. The raw value is the colour's number in SGR (ECMA-48).
  public enum Colour: Int, Sendable {
    case red = 31
    case green, yellow, blue, magenta, cyan
  }

  public var colour: Colour?
  public var isBold = false
  public var isDim = false
  public var isReversed = false

  public static let plain = Style()
  public static let bold = Style(isBold: true)
  public static let dim = Style(isDim: true)
  public static func colour(_ colour: Colour) -> Style { Style(colour: colour) }

  public init(
    colour: Colour? = nil, isBold: Bool = false, isDim: Bool = false, isReversed: Bool = false
  ) {
    (self.colour, self.isBold, self.isDim, self.isReversed) = (colour, isBold, isDim, isReversed)
  }

  public func bold() -> Style {
    var style = self
    style.isBold = true
    return style
  }
}

/// Says which styles an output shows. All other styles are left out.
public enum Palette: Sendable {
  /// No styles, for files, pipes, `TERM=dumb`, and tables with `NO_COLOR`.
  case none
  /// Only bold and reversed, for a full screen with `NO_COLOR`. Dim is left out, because many
  /// terminals show it as a colour.
  case monochrome
  case colour

  /// Returns the escape sequence that begins `style`, or an empty text for a plain style.
  func begin(_ style: Style) -> String {
    var codes: [Int] = []
    if self != .none {
      if style.isBold { codes.append(1) }
      if style.isReversed { codes.append(7) }
    }
    if self == .colour {
      if style.isDim { codes.append(2) }
      if let colour = style.colour { codes.append(colour.rawValue) }
    }
    return codes.isEmpty ? "" : "\u{1B}[\(codes.map(String.init).joined(separator: ";"))m"
  }
}

public struct StyledText: Hashable, Sendable {
  struct Piece: Hashable, Sendable {
    var text: String
    var style: Style
    var action: KeyAction?
  }

  private(set) var pieces: [Piece] = []
  public private(set) var width = 0

  public init() {}

  /// Makes a text, and escapes the control characters in `text`.
  public init(_ text: String, _ style: Style = .plain) {
    guard !text.isEmpty else { return }
    let safe = TerminalText.escaped(text)
    pieces = [Piece(text: safe, style: style)]
    width = Self.width(safe)
  }

  public static func spaces(_ count: Int) -> StyledText {
    StyledText(String(repeating: " ", count: max(0, count)))
  }

  public static func + (a: StyledText, b: StyledText) -> StyledText {
    var sum = a
    sum.pieces += b.pieces
    sum.width += b.width
    return sum
  }

  public static func += (a: inout StyledText, b: StyledText) { a = a + b }

  public var isEmpty: Bool { pieces.isEmpty }

  public var plain: String { pieces.map(\.text).joined() }

  public func rendered(_ palette: Palette) -> String {
    pieces.map { piece in
      let begin = palette.begin(piece.style)
      return begin.isEmpty ? piece.text : "\(begin)\(piece.text)\u{1B}[0m"
    }.joined()
  }

  public func styled(_ style: Style) -> StyledText {
    var text = self
    for index in pieces.indices { text.pieces[index].style = style }
    return text
  }

  func clicked(_ action: KeyAction?) -> StyledText {
    var text = self
    for index in pieces.indices { text.pieces[index].action = action }
    return text
  }

  func action(at column: Int) -> KeyAction? {
    var end = 0
    return pieces.first { piece in
      end += Self.width(piece.text)
      return column < end
    }?.action
  }

  // MARK: - Fitting

  public enum Edge: Sendable { case left, centre, right }

  /// Returns the text with a width of exactly `columns`: cut if it is longer, filled up with spaces
  /// if it is shorter. `edge` says where the text stands among the spaces.
  public func fitted(_ columns: Int, _ edge: Edge = .left) -> StyledText {
    let text = cut(to: columns)
    let room = columns - text.width
    switch edge {
    case .left: return text + .spaces(room)
    case .right: return .spaces(room) + text
    case .centre: return .spaces(room / 2) + text + .spaces(room - room / 2)
    }
  }

  /// Returns the text, cut to at most `columns`. A text that was cut ends with `…`.
  public func cut(to columns: Int) -> StyledText {
    guard width > columns else { return self }
    guard columns > 0 else { return StyledText() }
    var result = StyledText()
    for piece in pieces {
      var kept = ""
      for character in piece.text {
        let wide = Self.width(String(character))
        guard result.width + wide < columns else {
          result.append(kept, of: piece)
          result.append("…", of: piece, 1)
          return result
        }
        kept.append(character)
        result.width += wide
      }
      result.append(kept, of: piece)
    }
    return result
  }

  private mutating func append(_ text: String, of piece: Piece, _ columns: Int = 0) {
    if !text.isEmpty { pieces.append(Piece(text: text, style: piece.style, action: piece.action)) }
    width += columns
  }

  private static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + TerminalText.width(of: $1) }
  }
}

public enum Columns {
  /// The greatest width of a label in a table. Longer labels are cut, so that the cells to the
  /// right of the label stay on the screen.
  public static let longestLabel = 60

  /// Returns the lines of a table, with two spaces between columns and none at the end of a line.
  /// `edge` says where a cell's text stands in its column. The last cell of a line always stands at
  /// the left.
  public static func lines(
    _ rows: [[StyledText]], _ edge: StyledText.Edge = .left
  ) -> [StyledText] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0
    }
    return rows.map { row in
      let last = row.lastIndex { !$0.isEmpty } ?? 0
      return row.prefix(last + 1).enumerated().reduce(StyledText()) { line, cell in
        // Leave out a column that is empty in all rows.
        guard widths[cell.offset] > 0 else { return line }
        return cell.offset == last
          ? line + cell.element
          : line + cell.element.fitted(widths[cell.offset], edge) + .spaces(2)
      }
    }
  }
}
