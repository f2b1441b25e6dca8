// SPDX-License-Identifier: GPL-3.0-or-later
//
// What rings, as a media player (`org.mpris.MediaPlayer2`): there as long as something does, so that the
// keys of keyboards and headphones answer it, and lock screens show it. Play and pause snooze, stop stops.
// See the MPRIS D-Bus Interface Specification 2.2. Others' players are `MediaPlayers.swift`'s in Bus.

import Bus
import Configuration
import Files
import Language
import Notifications
import Presentation
import Scheduling
import System

final class RingPlayer {
  private unowned let agent: Agent
  private let bus: Bus
  private var isExported = false
  /// What is told of what rings; nil while nothing does.
  private var track: Track?

  private struct Track: Equatable {
    var title: String
    var line: String
    var isQuiet: Bool
  }

  private static let path = MediaPlayers.path
  private static let root = "org.mpris.MediaPlayer2"
  private static let player = MediaPlayers.interface

  init(_ agent: Agent, on bus: Bus) { (self.agent, self.bus) = (agent, bus) }

  /// Brings it to what the schedule says now.
  func follow() {
    let ringing = agent.schedule.ringing
    guard !ringing.isEmpty else { return hide() }
    let old = track
    track = track(of: ringing)
    if old == nil { show() } else if old != track { tell() }
  }

  /// Says once more that it plays: desktops give their keys to whatever did so last, or alone.
  func tell() {
    guard isExported else { return }
    let changed = ["PlaybackStatus", "Metadata", "CanPlay", "CanPause"].map {
      Variant.Entry($0, property($0))
    }
    bus.emit(
      "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: Self.path,
      [.string(Self.player), .dictionary(changed), .strings([])])
  }

  private func show() {
    do throws(BusError) {
      if !isExported {
        for interface in [Self.root, Self.player] {
          try bus.export(interface, at: Self.path, xml: Self.xml) { [weak self] in self?.answer($0)
          }
        }
      }
      isExported = true
      bus.ask(.daemon, "RequestName", [.string(MediaPlayers.own), .uint32(0)]) { [weak self] _ in
        self?.tell()
      }
    } catch {
      Log.warning("no media player: \(error)")
    }
  }

  private func hide() {
    guard track != nil else { return }
    track = nil
    // Plasma 5 gives no key to a player that went and came again. There it stays, stopped, and the keys
    // go to any other before it; elsewhere it would keep them from the others.
    if Tray.isInPlasma { return tell() }
    bus.ask(.daemon, "ReleaseName", [.string(MediaPlayers.own)]) { _ in }
  }

  /// The first has the title, and all are named.
  private func track(of ringing: [OpenRing]) -> Track {
    let (wording, now) = (agent.wording, Clock.now().wall)
    let told = ringing.compactMap { agent.schedule.notice(Notice.Key(kind: .ringing, id: $0.id)) }
      .map { wording.notification($0, remark: nil, now: now) }
    let others = told.dropFirst().map { ", \($0.title)" }.joined()
    let line = told.first.map { NotificationContent.line($0.body, atMost: 80) } ?? ""
    return Track(
      title: NotificationContent.line((told.first?.title ?? "") + others, atMost: 80), line: line,
      isQuiet: ringing.allSatisfy { $0.ring.hushedUntil != nil })
  }
}

// MARK: - What desktops ask

extension RingPlayer {
  private func answer(_ call: Bus.Call) {
    let ringing = agent.schedule.ringing
    switch call.member {
    case "Get", "GetAll":
      let isRoot = call.arguments.first?.string == Self.root
      call.replyProperties(isRoot ? Self.rootProperties : Self.playerProperties, property)
    case "Stop": take(ringing.map { .stop($0.id) }, call)
    case "Play", "Pause", "PlayPause":
      take(ringing.map { $0.canSnooze ? .snooze($0.id, $0.ownSnooze) : .hush($0.id) }, call)
    default: call.reply()
    }
  }

  private func take(_ answers: [Event], _ call: Bus.Call) {
    agent.apply(.answers(answers)) { _ in call.reply() }
  }

  private static let rootProperties = [
    "CanQuit", "CanRaise", "HasTrackList", "Identity", "DesktopEntry", "SupportedUriSchemes",
    "SupportedMimeTypes",
  ]
  private static let playerProperties = [
    "PlaybackStatus", "Metadata", "Position", "Rate", "MinimumRate", "MaximumRate", "Volume",
    "CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek", "CanControl",
  ]

  private func property(_ name: String) -> Variant {
    switch name {
    case "Identity": .string("Belfry")
    case "DesktopEntry": .string(BusInterface.name)
    case "SupportedUriSchemes", "SupportedMimeTypes": .strings([])
    case "PlaybackStatus":
      .string(track.map { $0.isQuiet ? "Paused" : "Playing" } ?? "Stopped")
    case "Metadata": .dictionary(metadata)
    case "Position": .int64(0)
    case "Rate", "MinimumRate", "MaximumRate", "Volume": .double(1)
    case "CanPlay", "CanPause": .boolean(track != nil)
    case "CanControl": .boolean(true)
    default: .boolean(false)
    }
  }

  private var metadata: [Variant.Entry] {
    guard let track else { return [] }
    let icon = agent.locations.icon
    return [
      Variant.Entry("mpris:trackid", .path("/org/belfry/Belfry/ring")),
      Variant.Entry("xesam:title", .string(track.title)),
      Variant.Entry("xesam:artist", .strings([track.line])),
    ] + (icon.hasPrefix("/") ? [Variant.Entry("mpris:artUrl", .string("file://" + icon))] : [])
  }

  private static let xml = """
    <node>
      <interface name="org.mpris.MediaPlayer2">
        <property name="CanQuit" type="b" access="read"/>
        <property name="CanRaise" type="b" access="read"/>
        <property name="HasTrackList" type="b" access="read"/>
        <property name="Identity" type="s" access="read"/>
        <property name="DesktopEntry" type="s" access="read"/>
        <property name="SupportedUriSchemes" type="as" access="read"/>
        <property name="SupportedMimeTypes" type="as" access="read"/>
        <method name="Raise"/>
        <method name="Quit"/>
      </interface>
      <interface name="org.mpris.MediaPlayer2.Player">
        <property name="PlaybackStatus" type="s" access="read"/>
        <property name="Metadata" type="a{sv}" access="read"/>
        <property name="Position" type="x" access="read"/>
        <property name="Rate" type="d" access="read"/>
        <property name="MinimumRate" type="d" access="read"/>
        <property name="MaximumRate" type="d" access="read"/>
        <property name="Volume" type="d" access="read"/>
        <property name="CanGoNext" type="b" access="read"/>
        <property name="CanGoPrevious" type="b" access="read"/>
        <property name="CanPlay" type="b" access="read"/>
        <property name="CanPause" type="b" access="read"/>
        <property name="CanSeek" type="b" access="read"/>
        <property name="CanControl" type="b" access="read"/>
        <method name="Next"/>
        <method name="Previous"/>
        <method name="Pause"/>
        <method name="PlayPause"/>
        <method name="Stop"/>
        <method name="Play"/>
        <method name="Seek"><arg name="offset" type="x" direction="in"/></method>
        <method name="SetPosition">
          <arg name="track" type="o" direction="in"/>
          <arg name="position" type="x" direction="in"/>
        </method>
        <method name="OpenUri"><arg name="uri" type="s" direction="in"/></method>
      </interface>
    </node>
    """
}
