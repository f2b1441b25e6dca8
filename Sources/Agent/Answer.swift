// SPDX-License-Identifier: GPL-3.0-or-later
//
// The answers that users can give on a notification: which there are to which notice, and what they
// and a notification that is closed mean. The bus has a key for each, which is looked up among
// those on offer; all else has values. What then becomes of an alarm, the core says.

import Configuration
import Files
import Language
import Notifications
import Presentation
import Scheduling
import System

/// What a button of Belfry's notifications does, and how it is named on the bus.
enum Answer: Hashable {
  case stop
  case snooze(Duration)
  /// A click on the body of what rings: never stops it.
  case hush
  case skip
  /// The same where the title names no alarm.
  case skipAlarm
  /// To the question whether one is up: by its button, or by a click on the body.
  case isUp, isUpByClick
  case acknowledge
  case openConfig
  /// Of what would keep the next alarm from being heard: look again whether it still does.
  case checkAgain
  /// Of an alarm that the machine would sleep through: it is not to sleep until that is answered.
  case keepAwake
  case letSleep
  /// Of a timer.
  case pause, resume, addMinute, cancel, restart

  /// With its key on the bus.
  var button: NotificationContent.Action {
    typealias Button = NotificationContent.Action
    return switch self {
    case .stop: Button(key: "stop", label: tr("Stop"))
    case .snooze(let length):
      Button(key: "snooze:\(length.wholeSeconds)", label: tr("Snooze \(Wording.span(length))"))
    case .hush: Button(key: "default", label: tr("Quiet for \(Wording.span(Schedule.hushFor))"))
    case .skip: Button(key: "skip", label: tr("Skip"))
    case .skipAlarm: Button(key: "skip", label: tr("Skip this alarm"))
    case .isUp: Button(key: "up", label: tr("I'm up"))
    case .isUpByClick: Button(key: "default", label: tr("I'm up"))
    case .acknowledge: Button(key: "acknowledge", label: tr("OK"))
    case .openConfig: Button(key: "open-config", label: tr("Open config"))
    case .checkAgain: Button(key: "check-again", label: tr("Check again"))
    case .keepAwake: Button(key: "keep-awake", label: tr("Keep awake"))
    case .letSleep: Button(key: "let-sleep", label: tr("Let it sleep"))
    case .pause: Button(key: "pause", label: tr("Pause"))
    case .resume: Button(key: "resume", label: tr("Resume"))
    case .addMinute: Button(key: "add-minute", label: tr("+1 min"))
    case .cancel: Button(key: "cancel", label: tr("Cancel"))
    case .restart: Button(key: "restart", label: tr("Restart"))
    }
  }
}

extension Wording {
  /// A notification of `lines`, with a button for each of `answers`.
  func notice(
    _ title: String, _ lines: [String?], _ urgency: NotificationContent.Urgency = .normal,
    isPersistent: Bool = false, isTransient: Bool = false, category: String? = nil,
    answers: [Answer] = []
  ) -> NotificationContent {
    var notice = NotificationContent(title: title, body: Self.body(lines), icon: icon)
    (notice.urgency, notice.category) = (urgency, category)
    (notice.isPersistent, notice.isTransient) = (isPersistent, isTransient)
    notice.actions = answers.map(\.button)
    return notice
  }

  /// The lines of a notification. Each ends as a sentence does, for GNOME 48 shows them in one line
  /// with nothing but a space between them.
  static func body(_ lines: [String?]) -> String {
    lines.compactMap(\.self).flatMap { $0.split(whereSeparator: \.isNewline) }
      .map { endsSentence($0) ? String($0) : $0 + "." }.joined(separator: "\n")
  }

  /// Whether punctuation ends `line`, or stands before the quotes and brackets that do.
  private static func endsSentence(_ line: Substring) -> Bool {
    let end = line.last { !"\"'”’」』)]".contains($0) }
    return end.map { ".!?…:;。！？".contains($0) } ?? false
  }
}

// MARK: - What there is to say to a notice

extension Notice {
  /// What the user can say to it, in the order of the buttons. Stop is always the last, so that the
  /// hand finds it.
  var answers: [Answer] {
    switch self {
    case .ringing(_, _, let ring, let lengths):
      ring.silence + lengths.map(Answer.snooze) + [.stop]
    case .rehearsal: [.hush, .stop]
    case .snoozed: [.stop]
    case .check: [.isUpByClick, .isUp]
    case .upcoming: [.skip]
    case .bedtime: [.skipAlarm]
    case .missed: [.acknowledge]
    case .clockUnset: []
    case .ending: [.addMinute]
    case .timer(let timer):
      switch timer.stand {
      case .running: [.pause, .addMinute, .cancel]
      case .paused: [.resume, .addMinute, .cancel]
      case .ringing(let ring, _): ring.silence + [.addMinute, .restart, .stop]
      case .snoozed: [.stop]
      }
    }
  }
}

extension Ring {
  fileprivate var silence: [Answer] { isSilenceSpent ? [] : [.hush] }
}

// MARK: - What users do to notifications, and servers

extension Agent {
  func noticeEvent(_ id: String, _ event: Notifier.Event) {
    if machine?.take(event, on: id) == true || checkup.take(event, on: id) { return }
    if id == Self.configNotice || id == LauncherService.notice {
      if case .action = event { openConfig() }
      return
    }
    guard let key = Notice.Key(text: id), let notice = schedule.notice(key) else { return }
    switch event {
    case .action(let name):
      // A button that is not on offer any more has taken the notification with it.
      guard let answer = notice.answers.first(where: { $0.button.key == name }) else {
        return follow(key)
      }
      answered(key, answer)
    case .closed(.dismissed): closedByHand(key)
    // Nobody asked for it to go. What needs an answer is posted again.
    case .closed where [.ringing, .check, .missed].contains(key.kind): follow(key)
    case .closed: break
    }
  }

  func answered(_ key: Notice.Key, _ answer: Answer) {
    switch answer {
    case .stop: apply(.stop(key.id))
    case .snooze(let length): apply(.snooze(key.id, length))
    case .hush where key.kind == .ringing: silence(key.id)
    case .hush, .keepAwake, .letSleep, .checkAgain: break
    case .pause: apply(.timer(key.id, .pause))
    case .resume: apply(.timer(key.id, .resume))
    case .addMinute: apply(.timer(key.id, .add(.minutes(1))))
    case .cancel: apply(.timer(key.id, .cancel))
    case .restart: apply(.timer(key.id, .restart))
    case .skip, .skipAlarm: apply(.skip(key.id))
    case .isUp, .isUpByClick: apply(.isUp(key.id))
    case .acknowledge: apply(.acknowledgeMissed)
    case .openConfig: openConfig()
    }
  }

  /// Silences what is ringing under that id for a while; shows it again if that is not granted any
  /// more.
  func silence(_ id: String) {
    guard let ring = schedule.openRing(id), ring.canSilence else {
      return follow(Notice.Key(kind: .ringing, id: id))
    }
    apply(.hush(id))
  }

  /// Opens the config in the desktop's editor, a new one where there is none, or says what is
  /// missing.
  func openConfig() {
    let (path, text) = (locations.config, Array(wording.firstConfig.utf8))
    Worker.once("reader") { [weak self] in
      let failure = Self.makeConfig(path, text)
      Worker.onMain {
        if let failure { return self?.configUnopened(tr(failure.message)) ?? () }
        TextEditor.open(path) { reason in self?.configUnopened(reason) }
      }
    }
  }

  private func configUnopened(_ reason: String) {
    Log.warning("the config cannot be opened: \(reason)")
    tell(LauncherService.notice) { $0.unopened(reason) }
  }

  /// Leaves one that is there alone, whatever it is. Why there is none; nil where there is.
  @Blocking private static func makeConfig(_ path: String, _ text: [UInt8]) -> FileError? {
    do throws(FileError) { _ = try DurableFile.read(path, limit: 0) } catch  where error.isMissing {
      do throws(SharedFile.Failure<Never>) {
        try SharedFile.revise(path, limit: Configuration.largestFile) { $0 == nil ? text : nil }
      } catch .file(let error) {
        return error
      } catch {}  // Others write it.
    } catch {}
    return nil
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
        if ring.canSnooze { apply(.snooze(key.id, ring.ownSnooze)) } else { follow(key) }
      case .ring: follow(key)
      }
    }
  }
}

extension Notice.Key {
  /// How the notifier knows this notice.
  var text: String { "\(kind.rawValue):\(id)" }

  fileprivate init?(text: String) {
    guard let colon = text.firstIndex(of: ":"), let kind = Kind(rawValue: String(text[..<colon]))
    else { return nil }
    self.init(kind: kind, id: String(text[text.index(after: colon)...]))
  }
}
