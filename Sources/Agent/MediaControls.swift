// SPDX-License-Identifier: GPL-3.0-or-later
//
// Appears as a media player on the bus (`org.mpris.MediaPlayer2`) while something is ringing. That
// way, media keys and headphones can silence or stop the ring, and lock screens show it. See the
// MPRIS D-Bus Interface Specification 2.2. `MediaPlayers.swift` in Bus pauses other players.

import Bus
import Configuration
import Files
import Language
import Notifications
import Presentation
import Scheduling
import System

final class MediaControls {
  /// Carries out an operation, and then calls `done`.
  typealias Perform = (Operation, _ done: @escaping @MainActor @Sendable () -> Void) -> Void

  private let bus: Bus
  /// The icon of notifications: a name in the icon theme, or a path.
  private let icon: String
  private let perform: Perform
  /// The texts that the media player shows; nil while nothing is ringing.
  private var track: Track?
  /// Announces this player; nil if no announcement is planned.
  private var announcement: Source?
  /// Listens to playerctld(1) while something is ringing.
  private var proxy: Bus.Subscription?

  struct Track: Equatable {
    /// The titles of all rings.
    var title: String
    /// A few words about the first ring, because GNOME Shell has room for some twenty letters.
    var line: String
    /// Whether all rings are silenced.
    var isQuiet: Bool
  }

  private static let path = MediaPlayers.path
  private static let root = "org.mpris.MediaPlayer2"
  private static let player = MediaPlayers.interface
  /// How long to wait before an announcement: playerctld has to read the properties of a player
  /// that is new on the bus, and ends with a crash if the player announces itself before that.
  private static let pause = Duration.milliseconds(300)

  init(on bus: Bus, icon: String, perform: @escaping Perform) {
    (self.bus, self.icon, self.perform) = (bus, icon, perform)
    do throws(BusError) {
      for interface in interfaces { try bus.export(interface, at: Self.path) }
    } catch {
      Log.warning("media keys cannot answer a ring: \(error)")
    }
  }

  /// Shows or updates the media player, or removes it if `new` is nil: nothing is ringing.
  func update(_ new: Track?) {
    guard new != nil else { return hide() }
    let old = track
    track = new
    if old == nil { appear() } else if old != track { announce() }
  }

  /// Announces this player again soon, because another player has reported a change.
  func announceSoon() {
    guard track != nil, announcement == nil else { return }
    announcement = MainLoop.after(Self.pause) { [weak self] in
      self?.announcement = nil
      self?.announce()
    }
  }

  /// Reports the player's state again. Desktops give their media keys to the player that last
  /// reported playing, or to the only player that is playing. playerctld gives them to the player
  /// that last reported a change; it ignores a state that it knows, but not a new position.
  private func announce() {
    bus.emit(
      "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: Self.path,
      [.string(Self.player), .dictionary(state), .strings([])])
    if track != nil { bus.emit("Seeked", of: Self.player, at: Self.path, [.int64(0)]) }
  }

  private func appear() {
    bus.ask(.daemon, "RequestName", [.string(MediaPlayers.own), .uint32(0)], gives: nil) {
      [weak self] _ in self?.announceSoon()
    }
    proxy = bus.listen(to: MediaPlayers.playerctld, "ActivePlayerChangeEnd", carries: "s") {
      [weak self] values in
      if values.first?.string != MediaPlayers.own { self?.announceSoon() }
    }
  }

  private func hide() {
    guard track != nil else { return }
    (track, announcement, proxy) = (nil, nil, nil)
    // Plasma 5 gives no media keys to a player that has left the bus and come back. So in Plasma,
    // this player stays on the bus in the state "stopped", and any other player gets the media keys
    // first. Other desktops would keep the media keys for this player, so there it leaves the bus.
    if Environment.isInPlasma { return announce() }
    bus.ask(.daemon, "ReleaseName", [.string(MediaPlayers.own)], gives: nil) { _ in }
  }
}

// MARK: - The interfaces that desktops call

extension MediaControls {
  private var interfaces: [Bus.Interface] {
    [
      Bus.Interface(
        Self.root, [Bus.Method("Raise"), Bus.Method("Quit")], properties: { Self.identity }),
      Bus.Interface(
        Self.player,
        [
          // GNOME calls this method for the play key of a keyboard. `playerctl play-pause` calls it
          // too.
          Bus.Method("PlayPause") { [weak self] call in self?.answer(call, .snooze) },
          // A program that pauses all players, for example for a phone call, may call this method
          // before the user has heard the ring. So the ring is only silenced for a while: its sound
          // comes back by itself, and Play does nothing.
          Bus.Method("Pause") { [weak self] call in
            self?.takeKeyOfPlasma(call) { self?.answer(call, .silence) }
          },
          Bus.Method("Play") { [weak self] call in self?.takeKeyOfPlasma(call) { call.reply() } },
          Bus.Method("Stop") { [weak self] call in self?.answer(call, .stop) },
          Bus.Method("Next"), Bus.Method("Previous"), Bus.Method("Seek", takes: "x offset"),
          Bus.Method("SetPosition", takes: "o track, x position"),
          Bus.Method("OpenUri", takes: "s uri"),
        ], properties: { [weak self] in (self?.state ?? []) + Self.abilities }),
    ]
  }

  private func answer(_ call: Bus.Call, _ answer: RingAnswer) {
    perform(.answerAll(answer)) { call.reply() }
  }

  /// Plasma 5 translates the play key: it calls `Pause` if the player is playing, and `Play` if it
  /// is not. So if Plasma is the caller, handles the call as a press of the play key. If another
  /// program is the caller, calls `other`.
  private func takeKeyOfPlasma(_ call: Bus.Call, else other: @escaping () -> Void) {
    guard Environment.isInPlasma else { return other() }
    bus.ask(.daemon, "GetNameOwner", [.string("org.kde.plasmashell")], gives: "s") {
      [weak self] answer in
      guard let self, answer.value?.string == call.sender else { return other() }
      self.answer(call, .snooze)
    }
  }

  private static let identity = Variant.entries([
    "CanQuit": .boolean(false), "CanRaise": .boolean(false), "HasTrackList": .boolean(false),
    "Identity": .string("Belfry"), "DesktopEntry": .string(BusInterface.name),
    "SupportedUriSchemes": .strings([]), "SupportedMimeTypes": .strings([]),
  ])

  private static let abilities = Variant.entries([
    "Position": .int64(0), "Rate": .double(1), "MinimumRate": .double(1), "MaximumRate": .double(1),
    "Volume": .double(1), "CanGoNext": .boolean(false), "CanGoPrevious": .boolean(false),
    "CanSeek": .boolean(false), "CanControl": .boolean(true),
  ])

  private var state: [Variant.Entry] {
    let isThere = Variant.boolean(track != nil)
    return Variant.entries([
      "PlaybackStatus": .string(track.map { $0.isQuiet ? "Paused" : "Playing" } ?? "Stopped"),
      "Metadata": metadata, "CanPlay": isThere, "CanPause": isThere,
    ])
  }

  private var metadata: Variant {
    guard let track else { return .dictionary([:]) }
    return .dictionary([
      "mpris:trackid": .path("/org/belfry/Belfry/ring"), "xesam:title": .string(track.title),
      "xesam:artist": .strings([track.line]),
      "mpris:artUrl": OutsideText.isAbsolute(icon) ? .string("file://" + icon) : nil,
    ])
  }
}

// MARK: - What the media player shows

extension MediaControls.Track {
  /// Returns nil if nothing is ringing.
  init?(of schedule: Schedule, in wording: Wording, at now: Instant) {
    let ringing = schedule.ringing
    guard !ringing.isEmpty else { return nil }
    let notices = ringing.compactMap { schedule.notice(Notice.Key(kind: .ringing, id: $0.id)) }
    let titles = notices.map { wording.notification($0, remark: nil, now: now).title }
    title = NotificationContent.line(titles.joined(separator: ", "), atMost: 80)
    line = notices.first.map { wording.fewWords(of: $0, now: now) } ?? ""
    isQuiet = ringing.allSatisfy { $0.ring.hushedUntil != nil }
  }
}
