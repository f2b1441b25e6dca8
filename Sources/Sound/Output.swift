// SPDX-License-Identifier: GPL-3.0-or-later
//
// The output that a sound goes to, why the sound may not be heard there, and the output's volume.
// `OutputWatch.swift` and `OutputVolume.swift` in Player find out these facts.

/// Belfry's stream at the sound server.
public struct OutputStream: Codable, Equatable, Sendable {
  public var index: UInt32
  /// How many volumes the stream has, one for each channel; nil if they cannot be set.
  public var channels: Int?

  package init(index: UInt32, channels: Int?) { (self.index, self.channels) = (index, channels) }
}

public struct Output: Codable, Equatable, Sendable {
  /// Why no one hears the sound.
  public enum Silence: Codable, Equatable, Sendable {
    /// There is no output, so the sound goes to a stand-in that the sound server made.
    case dummy
    /// The output with this description is muted or turned down to nothing.
    case muted(String)
    /// Belfry's own stream is muted.
    case streamMuted
  }

  /// The mixer of the output: the name of an ALSA control, or the value of `control(sink:port:)`.
  public var control: String
  public var stream: OutputStream?
  public var silence: Silence?

  public init(control: String, stream: OutputStream? = nil, silence: Silence? = nil) {
    (self.control, self.stream, self.silence) = (control, stream, silence)
  }

  private static let sinkPrefix = "sink:"
  private static let portMark: Character = "|"

  /// Returns the control for an output of the sound server, such as "sink:hda|headphones". An
  /// output may have several ports, for example speakers and headphones. Sound servers keep a
  /// volume for each port, so each port counts as an output of its own.
  package static func control(sink: String, port: String?) -> String {
    sinkPrefix + sink + (port.map { "\(portMark)\($0)" } ?? "")
  }

  /// Returns the sound server's name of the output in `control`; nil if `control` is an ALSA
  /// control.
  public static func sink(of control: String) -> String? {
    guard control.hasPrefix(sinkPrefix) else { return nil }
    return String(control.dropFirst(sinkPrefix.count).prefix { $0 != portMark })
  }
}

/// The volume that an output is set to.
public struct OutputLevel: Codable, Equatable, Sendable {
  /// The volume on the scale that desktops and alsamixer(1) show; nil if the output has no volume.
  public var percent: Int?
  public var isMuted: Bool
  /// The mixer's name for the element that was read, such as "Master".
  public var element: String

  package init(percent: Int?, isMuted: Bool, element: String) {
    (self.percent, self.isMuted, self.element) = (percent, isMuted, element)
  }
}
