// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the user should hear and see, as a pure picture of the schedule, and all that is to be done
// about it: the order of that is decided here, and nowhere else. Words, sounds and buttons are made
// elsewhere.

/// What the sound path should be doing.
public enum SoundOrder: Hashable, Sendable {
  case silent
  /// Open and fill the device for this, so that the first sample is on time.
  case ready(String, RingSettings)
  /// Play the sound of this alarm or timer; `Schedule.openRing` says which, and since when it
  /// rings.
  case playing(String, RingSettings)

  public var settings: RingSettings? {
    switch self {
    case .silent: nil
    case .ready(_, let settings), .playing(_, let settings): settings
    }
  }
}

/// A notification that should be on the screen.
public enum Notice: Hashable, Sendable {
  case upcoming(id: String, label: String?, due: Instant, movedFrom: Instant? = nil)
  /// It is time to sleep, to be awake at that ring.
  case bedtime(id: String, label: String?, due: Instant, movedFrom: Instant? = nil)
  case ringing(id: String, label: String?, ring: Ring, snooze: [Duration])
  case rehearsal(id: String, label: String?, ring: Ring)
  case snoozed(id: String, label: String?, due: Instant, until: Instant)
  /// Whether the user is up, who stopped it: else it rings again.
  case check(id: String, label: String?, due: Instant, until: Instant)
  case timer(TimerNotice)
  /// A timer is over so much later.
  case ending(id: String, label: String?, round: Round?, left: Duration)
  /// All that was missed and not yet acknowledged, the latest last.
  case missed([Missed])
  /// There are alarms, and no clock to ring them by.
  case clockUnset

  /// Tells notices apart: one with the same key takes the other's place.
  public var key: Key {
    switch self {
    case .upcoming(let id, _, _, _): Key(kind: .upcoming, id: id)
    case .bedtime(let id, _, _, _): Key(kind: .bedtime, id: id)
    case .ringing(let id, _, _, _), .rehearsal(let id, _, _): Key(kind: .ringing, id: id)
    case .snoozed(let id, _, _, _): Key(kind: .snoozed, id: id)
    case .check(let id, _, _, _): Key(kind: .check, id: id)
    case .timer(let timer): Key(kind: timer.kind, id: timer.id)
    case .ending(let id, _, _, _): Key(kind: .ending, id: id)
    case .missed: Key(kind: .missed, id: "")
    case .clockUnset: Key(kind: .clockUnset, id: "")
    }
  }

  public struct Key: Hashable, Comparable, Sendable {
    /// The most urgent first, which is also the order in which they are posted.
    public enum Kind: String, CaseIterable, Hashable, Comparable, Sendable {
      case ringing, check, snoozed, ending, countdown, upcoming, bedtime, missed
      case clockUnset = "clock-unset"

      private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

      public static func < (a: Kind, b: Kind) -> Bool { a.rank < b.rank }
    }
    public var kind: Kind
    /// The alarm's or the timer's; empty for what concerns all of them.
    public var id: String

    public init(kind: Kind, id: String) { (self.kind, self.id) = (kind, id) }

    public static func < (a: Key, b: Key) -> Bool {
      (a.kind, a.id) < (b.kind, b.id)
    }
  }
}

/// Something to be done, in the order given. What happened is told whole. What is to be is looked
/// up in the schedule when its turn comes: behind a `persist`, that may have gone on.
public enum Effect: Hashable, Sendable {
  /// Bring what is heard to `Schedule.sound`.
  case sound
  /// Play a second or two of that sound, once.
  case stroke(RingSettings)
  /// The same of a chime's sound, unless somebody would be disturbed by it.
  case chime(Chime)
  /// Bring what is on the screen under that key to `Schedule.notice`.
  case notice(Notice.Key)
  /// Make `Schedule.state` durable. What follows in the same list waits for it.
  case persist
  /// Something came to its end, with a ring or without: for the history, and the commands of
  /// `on_stop`.
  case ended(Outcome)
  /// It began to ring, which was due then, after a snooze at the end of that: for the same.
  case began(OpenRing, due: Instant)
  /// That is to ring before long: for the commands of `on_before`.
  case before(OpenRing)
  /// It is not to ring after all: what was run ahead of it is to end.
  case takenBack(OpenRing.Key)
  /// Find out whether the user did anything since that alarm was stopped, and say `isUp` or `ask`.
  case look(String)
  /// Bring the output's volume to `Schedule.raising`.
  case mixer
  /// Bring the media players to whether there is anything in `Schedule.ringing`.
  case players
  /// Bring the symbol in the panel, and what is told to media keys, to `Schedule.notices`.
  case tray
  /// Tell other programs that there is something that they cannot work out.
  case changed
}

/// What is to be heard and seen at one moment.
struct Picture: Equatable {
  var sound: SoundOrder = .silent
  var notices: [Notice.Key: Notice] = [:]
  /// The alarms of which somebody is to look whether the user is up.
  var looks: Set<String> = []
  /// Whether the output is turned up; nil: as an agent before this one may have left it.
  var isRaised: Bool?

  /// What rings.
  var rings: Set<OpenRing.Key> = []

  private(set) var isRinging = false

  /// What led from one picture to the next, which decides what is done first.
  enum Cause {
    /// Sound, notification, record: a crash in between rings again rather than not at all.
    case time
    /// Record, then silence: a crash in between takes no answer back.
    case answer
  }

  mutating func show(_ notice: Notice) {
    notices[notice.key] = notice
    isRinging = isRinging || notice.key.kind == .ringing
    switch notice {
    case .ringing(_, _, let ring, _) where ring.hushedUntil == nil: isRaised = true
    case .rehearsal: isRaised = true
    default: break
    }
  }

  /// The way from `old` to this, on which `turns` were taken.
  func effects(
    since old: Picture, _ cause: Cause, persist: Bool, _ turns: [Effect]
  ) -> [Effect] {
    let sounds: [Effect] = sound == old.sound ? [] : [.sound]
    let record: [Effect] = persist ? [.persist] : []
    let posts = notices.filter { old.notices[$0.key] != $0.value }
    let posted = posts.keys.sorted().map(Effect.notice)
    let withdrawn = old.notices.keys.filter { notices[$0] == nil }.sorted().map(Effect.notice)
    // What a countdown shows, others can work out.
    let isNews =
      !(sounds + record + withdrawn + turns).isEmpty || !posts.values.allSatisfy(\.isTimer)
    let path =
      switch cause {
      case .time: sounds + posted + record + withdrawn
      case .answer: record + sounds + withdrawn + posted
      }
    let rest =
      turns + looks.subtracting(old.looks).sorted().map(Effect.look)
      + (isRaised == old.isRaised ? [] : [.mixer]) + (isRinging == old.isRinging ? [] : [.players])
      + ((path + turns).isEmpty ? [] : [.tray]) + (isNews ? [.changed] : [])
    return path + rest
  }
}

extension Notice {
  fileprivate var isTimer: Bool { if case .timer = self { true } else { false } }
}
