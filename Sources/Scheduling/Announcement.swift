// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the user should hear and see, as a pure picture of the schedule, and the effects that lead
// from one picture to the next in the right order. Words, sounds and buttons are made elsewhere.

/// What the sound path should be doing.
public enum SoundOrder: Hashable, Sendable {
  case silent
  /// Open and fill the device for this, so that the first sample is on time.
  case ready(String, RingSettings)
  /// Play the sound of this alarm or timer; `Schedule.openRing` says which, and since when it rings.
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
  case upcoming(id: String, label: String?, due: Instant)
  case ringing(id: String, label: String?, ring: Ring, snooze: [Duration])
  case snoozed(id: String, label: String?, until: Instant)
  case timer(TimerNotice)
  /// All that was missed and not yet acknowledged, the latest last.
  case missed([Missed])
  /// There are alarms, and no clock to ring them by.
  case clockUnset

  /// Tells notices apart: one with the same key takes the other's place.
  public var key: Key {
    switch self {
    case .upcoming(let id, _, _): Key(kind: .upcoming, id: id)
    case .ringing(let id, _, _, _): Key(kind: .ringing, id: id)
    case .snoozed(let id, _, _): Key(kind: .snoozed, id: id)
    case .timer(let timer): Key(kind: timer.kind, id: timer.id)
    case .missed: Key(kind: .missed, id: "")
    case .clockUnset: Key(kind: .clockUnset, id: "")
    }
  }

  public struct Key: Hashable, Comparable, Sendable {
    /// The most urgent first, which is also the order in which they are posted.
    public enum Kind: String, Hashable, Comparable, Sendable {
      case ringing, snoozed, countdown, upcoming, missed
      case clockUnset = "clock-unset"

      private var rank: Int {
        switch self {
        case .ringing: 0
        case .snoozed: 1
        case .countdown: 2
        case .upcoming: 3
        case .missed: 4
        case .clockUnset: 5
        }
      }

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

/// Something to be done, in the order given.
public enum Effect: Hashable, Sendable {
  case sound(SoundOrder)
  case post(Notice)
  case withdraw(Notice.Key)
  /// Make `Schedule.state` durable. What follows in the same list waits for it.
  case persist
}

/// What is to be heard and seen at one moment.
struct Picture: Equatable {
  var sound: SoundOrder = .silent
  var notices: [Notice.Key: Notice] = [:]

  /// What led from one picture to the next, which decides what is done first.
  enum Cause {
    /// Sound, notification, record: a crash in between rings again rather than not at all.
    case time
    /// Record, then silence: a crash in between takes no answer back.
    case answer
  }

  mutating func show(_ notice: Notice) { notices[notice.key] = notice }

  /// The way from `old` to this.
  func effects(since old: Picture, _ cause: Cause, persist: Bool) -> [Effect] {
    let sounds: [Effect] = sound == old.sound ? [] : [.sound(sound)]
    let record: [Effect] = persist ? [.persist] : []
    let posts = notices.filter { old.notices[$0.key] != $0.value }
      .sorted { $0.key < $1.key }.map { Effect.post($0.value) }
    let withdrawals = old.notices.keys.filter { notices[$0] == nil }
      .sorted().map { Effect.withdraw($0) }
    return switch cause {
    case .time: sounds + posts + record + withdrawals
    case .answer: record + sounds + withdrawals + posts
    }
  }
}
