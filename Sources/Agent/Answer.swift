// SPDX-License-Identifier: GPL-3.0-or-later
//
// The buttons of the agent's notifications: which buttons each notification has, which event a
// button sends to the schedule, and what happens if the user closes the notification. Next:
// `NoticeWording.swift`, for the texts.

import Bus
import Configuration
import Files
import Language
import Notifications
import Presentation
import Scheduling
import System

/// A button of a notification, or a click on its text, with the event that is sent to the schedule.
struct Answer: Hashable {
  var button: NotificationContent.Action
  var event: Event

  private init(_ key: String, _ label: String, _ event: Event) {
    button = NotificationContent.Action(key: key, label: label)
    self.event = event
  }

  static func stop(_ id: String) -> Self { Self("stop", tr("Stop"), .stop(id)) }
  static func snooze(_ id: String, _ length: Duration) -> Self {
    Self("snooze:\(length.wholeSeconds)", Wording.snooze(length), .snooze(id, length))
  }
  static func skip(_ id: String) -> Self { Self("skip", tr("Skip"), .skip(id)) }
  /// The button that skips the next ring, for a notification whose title does not name the alarm.
  static func skipAlarm(_ id: String) -> Self { Self("skip", tr("Skip this alarm"), .skip(id)) }
  static func isUp(_ id: String) -> Self { Self("up", tr("I'm up"), .isUp(id)) }
  static func isUpByClick(_ id: String) -> Self {
    Self(NotificationContent.Action.click, tr("I'm up"), .isUp(id))
  }
  static var acknowledge: Self { Self("acknowledge", tr("OK"), .acknowledgeMissed) }
  static func pause(_ id: String) -> Self { Self("pause", tr("Pause"), .timer(id, .pause)) }
  static func resume(_ id: String) -> Self { Self("resume", tr("Resume"), .timer(id, .resume)) }
  static func addMinute(_ id: String) -> Self {
    Self("add-minute", tr("+1 min"), .timer(id, .add(.minutes(1))))
  }
  static func cancel(_ id: String) -> Self { Self("cancel", tr("Cancel"), .timer(id, .cancel)) }
  static func restart(_ id: String) -> Self { Self("restart", tr("Restart"), .timer(id, .restart)) }

  /// Returns the answer for a click on the text of a ring's notification. The click silences the
  /// ring for a while but never stops it. The list is empty if the ring can no longer be silenced.
  static func hush(_ id: String, _ ring: Ring) -> [Self] {
    let label = tr("Quiet for \(Wording.span(Schedule.hushFor))")
    return ring.isSilenceSpent ? [] : [Self(NotificationContent.Action.click, label, .hush(id))]
  }
}

extension Notice {
  /// The ring that this notice shows; nil if nothing is ringing.
  var ring: Ring? {
    switch self {
    case .ringing(_, _, let ring, _), .rehearsal(_, _, let ring): ring
    case .timer(let timer):
      if case .ringing(let ring, _) = timer.stand { ring } else { nil }
    case .snoozed, .check, .upcoming, .bedtime, .missed, .clockUnset, .ending: nil
    }
  }

  /// The buttons of the notification in their order. Stop is always the last one, so that a user
  /// always finds it in the same place.
  var answers: [Answer] {
    let id = key.id
    return switch self {
    case .ringing(_, _, let ring, let lengths):
      Answer.hush(id, ring) + lengths.map { .snooze(id, $0) } + [.stop(id)]
    case .rehearsal(_, _, let ring): Answer.hush(id, ring) + [.stop(id)]
    case .snoozed(_, _, _, _, let lengths): lengths.map { .snooze(id, $0) } + [.stop(id)]
    case .check: [.isUpByClick(id), .isUp(id)]
    case .upcoming: [.skip(id)]
    case .bedtime: [.skipAlarm(id)]
    case .missed: [.acknowledge]
    case .clockUnset: []
    case .ending: [.addMinute(id)]
    case .timer(let timer):
      switch timer.stand {
      case .running: [.pause(id), .addMinute(id), .cancel(id)]
      case .paused: [.resume(id), .addMinute(id), .cancel(id)]
      case .ringing(let ring, _):
        Answer.hush(id, ring) + [.addMinute(id), .restart(id), .stop(id)]
      case .snoozed: [.stop(id)]
      }
    }
  }
}

extension NotificationContent.Action {
  static var openConfig: Self { Self(key: "open-config", label: tr("Open config")) }
  static var undo: Self { Self(key: "undo", label: tr("Undo")) }
}

extension Wording {
  static func snooze(_ length: Duration) -> String { tr("Snooze \(span(length))") }

  func notice(
    _ title: String, _ lines: [String?], _ urgency: NotificationContent.Urgency = .normal,
    isPersistent: Bool = false, isTransient: Bool = false, category: String? = nil,
    buttons: [NotificationContent.Action] = []
  ) -> NotificationContent {
    var notice = NotificationContent(title: title, body: Self.body(lines), icon: icon)
    (notice.urgency, notice.category) = (urgency, category)
    (notice.isPersistent, notice.isTransient) = (isPersistent, isTransient)
    notice.actions = buttons
    return notice
  }

  /// Joins the lines of a notification's text. Ends each line like a sentence, because GNOME 48
  /// shows all lines as one line, with only a space in between.
  static func body(_ lines: [String?]) -> String {
    lines.compactMap(\.self).flatMap { $0.split(whereSeparator: \.isNewline) }
      .map { endsSentence($0) ? String($0) : $0 + fullStop }.joined(separator: "\n")
  }

  /// The sign at the end of a sentence, which is another one in Chinese and Japanese.
  static var fullStop: String { tr(".", context: "end of a sentence") }

  /// Whether `line` ends in punctuation, perhaps followed by closing quotes and brackets.
  private static func endsSentence(_ line: Substring) -> Bool {
    let end = line.last { !"\"'”’」』)]".contains($0) }
    return end.map { ".!?…:;。！？".contains($0) } ?? false
  }
}

// MARK: - What users and servers do to notifications

extension Agent {
  func noticeEvent(_ id: String, _ event: Notifier.Event) {
    switch id {
    case Machine.notice: machine.handle(event)
    case Checkup.notice: checkup.handle(event)
    case Self.configNotice, LauncherService.notice:
      if id == LauncherService.notice { notifier.withdraw(id) }
      if case .action = event { openConfig() }
    case Self.goneNotice:
      notifier.withdraw(id)
      if case .action = event { restoreConfig() }
    case Self.undoNotice:
      notifier.withdraw(id)
      if case .action = event { changes.undo?() }
      changes.undo = nil
    default:
      guard let key = Notice.Key(text: id), let notice = schedule.notice(key) else { return }
      handle(event, on: notice)
    }
  }

  private func handle(_ event: Notifier.Event, on notice: Notice) {
    let key = notice.key
    switch event {
    case .action(let name):
      // The notification may no longer have the button that was pressed. The press has closed the
      // notification, so show it again.
      guard let answer = notice.answers.first(where: { $0.button.key == name }) else {
        return updateNotification(key)
      }
      perform(.answer(answer.event))
    case .closed(.dismissed): closedByHand(key)
    // Something other than the user closed this notification. If it needs an answer, it is shown
    // again.
    case .closed where [.ringing, .check, .missed].contains(key.kind): updateNotification(key)
    case .closed: break
    }
  }

  private func closedByHand(_ key: Notice.Key) {
    switch key.kind {
    case .missed: apply(.acknowledgeMissed)
    case .bedtime: apply(.closeBedtime(key.id))
    case .snoozed, .check, .upcoming, .clockUnset, .ending: break
    case .countdown: apply(.timer(key.id, .closeCountdown))
    case .ringing:
      switch configuration.agent.onClose {
      case .stop,
        .automatic where notifier.server?.closing == .deliberate:
        apply(.stop(key.id))
      case .automatic: silence(key.id)
      case .snooze:
        guard let ring = schedule.openRing(key.id) else { return }
        if ring.canSnooze {
          apply(.snooze(key.id, ring.ownSnooze))
        } else {
          updateNotification(key)
        }
      case .ring: updateNotification(key)
      }
    }
  }

  /// Opens the config in the desktop's editor, after creating it if there is none. If that fails,
  /// shows the reason. Calls `done` at the end.
  func openConfig(then done: @escaping @MainActor @Sendable () -> Void = {}) {
    let (path, text) = (locations.config, Array(wording.firstConfig.utf8))
    let (bus, display) = (bus, locations.display)
    let ended: @MainActor @Sendable (String?) -> Void = { [weak self] problem in
      if let problem { self?.configUnopened(problem) }
      done()
    }
    Worker.once("reader") { disk in
      let created = Result { () throws(FileError) in
        try ConfigFile.create(path, text, on: disk)
      }
      Worker.onMain {
        if case .failure(let error) = created { return ended(tr(error.message)) }
        SessionVariables.ask(on: bus, or: display) { TextEditor.open(path, $0, ended) }
      }
    }
  }

  private func configUnopened(_ reason: String) {
    Log.warning("the config cannot be opened: \(reason)")
    notify(LauncherService.notice) { $0.unopened(reason) }
  }
}

extension Notice.Key {
  /// The id under which the notifier shows this notice.
  var text: String { "\(kind.rawValue):\(id)" }

  fileprivate init?(text: String) {
    guard let colon = text.firstIndex(of: ":"), let kind = Kind(rawValue: String(text[..<colon]))
    else { return nil }
    self.init(kind: kind, id: String(text[text.index(after: colon)...]))
  }
}
