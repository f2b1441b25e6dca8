// SPDX-License-Identifier: GPL-3.0-or-later
//
// What users do to notifications, and servers: which button means what for which notice, and what it
// means that one was closed. What then becomes of an alarm, the core says. Next: `Answer.swift`.

import Configuration
import Files
import Notifications
import Scheduling
import System

extension Agent {
  func noticeEvent(_ id: String, _ event: Notifier.Event) {
    if machine?.take(event, on: id) == true || checkup.take(event, on: id) { return }
    if id == Self.configNotice || id == LauncherService.notice {
      if case .action = event { openConfig() }
      return
    }
    guard let key = Notice.Key(text: id), schedule.notice(key) != nil else { return }
    switch event {
    case .action(let name): Answer(key: name).map { answered(key, $0) }
    case .closed(.dismissed): closedByHand(key)
    // Nobody asked for it to go. What needs an answer is posted again.
    case .closed where key.kind == .ringing || key.kind == .missed: follow(key)
    case .closed: break
    }
  }

  func answered(_ key: Notice.Key, _ answer: Answer) {
    switch answer {
    case .stop: apply(.stop(key.id))
    case .snooze(let length): apply(.snooze(key.id, length))
    case .hush where key.kind == .ringing: apply(.hush(key.id))
    case .hush, .keepAwake, .letSleep, .checkAgain: break
    case .pause, .resume, .addMinute, .cancel, .restart:
      if let act = answer.timerAct { apply(.timer(key.id, act)) }
    case .skip: apply(.skip(key.id))
    case .acknowledge: apply(.acknowledgeMissed)
    case .openConfig: openConfig()
    }
  }

  /// Opens the config in the desktop's editor, a new one where there is none, or says what is missing.
  func openConfig() {
    do throws(FileError) { try makeConfig() } catch {
      return tell(LauncherService.notice) { $0.unopened(tr(error.message)) }
    }
    TextEditor.open(locations.config) { [weak self] reason in
      Log.warning("the config cannot be opened: \(reason)")
      self?.tell(LauncherService.notice) { $0.unopened(reason) }
    }
  }

  /// Leaves one that is there alone, whatever it is.
  private func makeConfig() throws(FileError) {
    do throws(FileError) { _ = try DurableFile.read(locations.config, limit: 0) } catch {
      guard error.isMissing else { return }
      try DurableFile.replace(locations.config, with: Array(wording.firstConfig.utf8))
    }
  }

  private func closedByHand(_ key: Notice.Key) {
    switch key.kind {
    case .missed: apply(.acknowledgeMissed)
    case .snoozed, .upcoming, .clockUnset: break
    case .countdown: apply(.timer(key.id, .closeCountdown))
    case .ringing:
      switch configuration.agent.onClose {
      case .automatic where notifier.server?.closing == .deliberate: apply(.stop(key.id))
      case .automatic: apply(.hush(key.id))
      case .stop: apply(.stop(key.id))
      case .snooze:
        if let ring = schedule.openRing(key.id) { apply(.snooze(key.id, ring.ownSnooze)) }
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
