// SPDX-License-Identifier: GPL-3.0-or-later
//
// Describes what the user should hear and see at one moment (`Picture`), and computes what the
// agent has to do (`Effect`) when one picture follows another. This file decides the order of
// effects, except that `Schedule.swift` puts `pausePlayers` and short sounds before all others.
// Words, buttons and sound files are chosen outside the core. Next: `Schedule.swift`, which draws
// the pictures.

public enum SoundOrder: Hashable, Sendable {
  case silent
  /// Open the sound device and fill its buffer for this alarm or timer, so that the first sample is
  /// heard on time.
  case ready(String, RingSettings)
  /// Play the sound of this alarm or timer. `Schedule.openRing` returns the ring and since when it
  /// has been ringing.
  case playing(String, RingSettings)

  /// The id of the alarm or timer; nil if nothing is to be heard.
  public var id: String? {
    switch self {
    case .silent: nil
    case .ready(let id, _), .playing(let id, _): id
    }
  }

  public var isPlaying: Bool { if case .playing = self { true } else { false } }
}

/// A notification that should be on the screen.
public enum Notice: Hashable, Sendable {
  case upcoming(id: String, label: String?, due: Instant, movedFrom: Instant? = nil)
  /// Says that it is time to sleep, so that the user is rested for the ring that is due.
  case bedtime(id: String, label: String?, due: Instant, movedFrom: Instant? = nil)
  case ringing(id: String, label: String?, ring: Ring, snooze: [Duration])
  case rehearsal(id: String, label: String?, ring: Ring)
  case snoozed(id: String, label: String?, due: Instant, until: Instant, snooze: [Duration] = [])
  /// Asks the user, who stopped the alarm, whether they are up. If there is no answer by `until`,
  /// the alarm rings again.
  case check(id: String, label: String?, due: Instant, until: Instant)
  case timer(TimerNotice)
  /// Warns that a timer will end soon. `left` is the length set by the preset's `warn`.
  case ending(id: String, label: String?, round: Round?, left: Duration)
  /// All missed rings that the user has not acknowledged, the latest last.
  case missed([Missed])
  /// Alarms exist, but the machine's clock was never set, so the alarms cannot ring on time.
  case clockUnset

  /// Identifies the notice: a new notice replaces the one with the same key.
  public var key: Key {
    switch self {
    case .upcoming(let id, _, _, _): Key(kind: .upcoming, id: id)
    case .bedtime(let id, _, _, _): Key(kind: .bedtime, id: id)
    case .ringing(let id, _, _, _), .rehearsal(let id, _, _): Key(kind: .ringing, id: id)
    case .snoozed(let id, _, _, _, _): Key(kind: .snoozed, id: id)
    case .check(let id, _, _, _): Key(kind: .check, id: id)
    case .timer(let timer): Key(kind: timer.kind, id: timer.id)
    case .ending(let id, _, _, _): Key(kind: .ending, id: id)
    case .missed: Key(kind: .missed, id: "")
    case .clockUnset: Key(kind: .clockUnset, id: "")
    }
  }

  public struct Key: Hashable, Comparable, Sendable {
    /// The kinds of notices, the most urgent first. Notices are also posted in this order.
    public enum Kind: String, CaseIterable, Hashable, Comparable, Sendable {
      case ringing, check, snoozed, ending, countdown, upcoming, bedtime, missed
      case clockUnset = "clock-unset"

      private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

      public static func < (a: Kind, b: Kind) -> Bool { a.rank < b.rank }
    }
    public var kind: Kind
    /// The id of the alarm or timer; empty for a notice that is not about a single alarm or timer.
    public var id: String

    public init(kind: Kind, id: String) { (self.kind, self.id) = (kind, id) }

    public static func < (a: Key, b: Key) -> Bool {
      (a.kind, a.id) < (b.kind, b.id)
    }
  }
}

/// Something that the agent has to do. Effects are carried out in the order in which they are
/// returned. An effect's values describe what happened, and do not change. But the current sound,
/// notices and state are read from the schedule only when the effect is carried out, because the
/// schedule may have changed while an earlier effect, `persist`, was waiting for the disk.
public enum Effect: Hashable, Sendable {
  /// Play what `Schedule.sound` says, or stop the sound if `Schedule.sound` is silent.
  case sound
  /// Play the sound of these settings once, for a second or two.
  case stroke(RingSettings)
  /// Play the chime's sound once, unless it would disturb someone.
  case chime(Chime)
  /// Show, update or withdraw the notification with this key, so that it shows `Schedule.notice`.
  case notice(Notice.Key)
  /// Write `Schedule.state` to disk. The effects after this one wait until the state is written.
  case persist
  /// A ring ended or was snoozed, or an alarm or timer was missed without ringing. The history and
  /// the commands of `on_stop` use this effect.
  case ended(Outcome)
  /// A ring began. `due` is when the ring was due or, after a snooze, when the snooze ended. The
  /// history and the commands of `on_ring` use this effect.
  case began(OpenRing, due: Instant)
  /// A ringing timer got another id, because an alarm of the config has its id now. The ring goes
  /// on: `began` follows, with the new id.
  case renamed(OpenRing, to: String)
  case before(OpenRing)
  /// End the commands of `on_before` that are running, because the ring that they prepare has been
  /// cancelled.
  case takenBack(OpenRing.Key)
  /// Find out whether the user has been active since stopping the alarm with this id, then send the
  /// event `isUp` or `ask`.
  case checkUp(String)
  /// Raise the output's volume for the alarm `Schedule.raising`, or restore the volume if there is
  /// no such alarm.
  case mixer
  /// Pause media players if anything is in `Schedule.ringing`, otherwise let them continue.
  case players
  /// Pause media players and do not let them continue, because this timer has ended. This comes
  /// before `persist`: if the agent crashes in between, it pauses the players again.
  case pausePlayers(TimerNotice)
  /// Update the icon in the panel, the media keys and the vibration of a phone so that they match
  /// `Schedule.notices` and `Schedule.sound`.
  case tray
  /// Notify other programs of a change that they cannot compute themselves.
  case changed
}

/// What the user should hear and see at one moment.
struct Picture: Equatable {
  var sound: SoundOrder = .silent
  var notices: [Notice.Key: Notice] = [:]
  /// The ids of the alarms for which the agent should find out whether the user is up.
  var upChecks: Set<String> = []
  /// Whether the output's volume should be raised: an alarm or a rehearsal is ringing and not
  /// silenced. The value is nil before the first picture, because a previous agent may have left
  /// the volume raised.
  var isRaised: Bool?

  var rings: Set<OpenRing.Key> = []

  private(set) var isRinging = false

  /// Why the `Picture` of what is heard and seen changed. The cause decides in which order the
  /// effects are carried out.
  enum Cause {
    /// Time went by. The order is: play the sound, show the notification, save the state. If the
    /// agent crashes before the state is saved, the alarm rings again rather than not at all.
    case time
    /// The user answered. The state is saved first, then the sound stops. If the agent crashes in
    /// between, the answer is not lost.
    case answer
  }

  mutating func add(_ notice: Notice) {
    notices[notice.key] = notice
    isRinging = isRinging || notice.key.kind == .ringing
    switch notice {
    case .ringing(_, _, let ring, _) where ring.hushedUntil == nil: isRaised = true
    case .rehearsal: isRaised = true
    default: break
    }
  }

  /// Returns the effects that lead from the picture `old` to this one. `turns` are the effects for
  /// rings that began, ended or were prepared between the two pictures.
  func effects(
    since old: Picture, _ cause: Cause, persist: Bool, _ turns: [Effect]
  ) -> [Effect] {
    let sounds: [Effect] = sound == old.sound ? [] : [.sound]
    let record: [Effect] = persist ? [.persist] : []
    let posts = notices.filter { old.notices[$0.key] != $0.value }
    let posted = posts.keys.sorted().map(Effect.notice)
    let withdrawn = old.notices.keys.filter { notices[$0] == nil }.sorted().map(Effect.notice)
    let path =
      switch cause {
      case .time: sounds + posted + record + withdrawn
      case .answer: record + sounds + withdrawn + posted
      }
    // Other programs can compute the progress of a countdown themselves, so progress alone does not
    // send `changed`.
    let isNews = (path + turns).count > posts.values.count(where: \.isTimer)
    let rest =
      turns + upChecks.subtracting(old.upChecks).sorted().map(Effect.checkUp)
      + (isRaised == old.isRaised ? [] : [.mixer]) + (isRinging == old.isRinging ? [] : [.players])
      + ((path + turns).isEmpty ? [] : [.tray]) + (isNews ? [.changed] : [])
    return path + rest
  }
}

extension Notice {
  fileprivate var isTimer: Bool { if case .timer = self { true } else { false } }
}
