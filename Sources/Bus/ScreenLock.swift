// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out whether the screen is locked. GNOME and Plasma report this to the login manager, which
// offers it as the property `LockedHint` of the session. The screen savers of Xfce, MATE and
// Cinnamon do not report it, so they are asked as well. A session that is not on the screen counts
// as locked, because the program light-locker locks the screen by showing the login screen, which
// is another session. For other programs that lock the screen, belfry.toml(5) has a script.

import System

/// Reports whether the screen is locked: first when the login manager and the screen savers have
/// answered, then whenever one of them may have changed its answer. The same answer may be reported
/// again. Releasing this object ends the reports.
public final class ScreenLock {
  private static let savers = ["xfce", "mate", "cinnamon"].map {
    Bus.Peer("org.\($0).ScreenSaver")
  }

  private let onReport: (Bool) -> Void
  private var subscriptions: [Bus.Subscription] = []
  /// Whether the screen is locked, according to the owner of each bus name. A program that is not
  /// running or does not answer counts as `false`.
  private var answers: [String: Bool] = [:] { didSet { report() } }

  public init(on bus: Bus, system: Bus, _ onReport: @escaping (Bool) -> Void) {
    self.onReport = onReport
    for saver in Self.savers {
      let take = { [weak self] in self?.answers[saver.name] = $0 ?? false }
      subscriptions += [
        bus.listen(to: saver, "ActiveChanged", carries: "b") { take($0.first?.boolean) },
        bus.watch(saver.name) { if $0 == nil { take(false) } },
      ]
      bus.ask(saver, "GetActive", gives: "b", timeout: .seconds(2)) { take($0.value?.boolean) }
    }
    let session = Login.session
    let read = { [weak self] in
      system.ask(
        session.properties, "GetAll", [.string(session.interface)], gives: "a{sv}",
        timeout: .seconds(2)
      ) {
        let properties = $0.value
        self?.answers[session.name] =
          properties?["LockedHint"]?.boolean == true || properties?["Active"]?.boolean == false
      }
    }
    // The path `session/auto` stands for the user's present session, but sends no signals. Signals
    // come from the session's own path, and after a new login that is another path. So listen to
    // all paths.
    subscriptions.append(
      system.listen(
        to: session.properties, "PropertiesChanged", carries: nil, ofAnyObject: true
      ) { _ in read() })
    read()
  }

  private func report() {
    if answers.count > Self.savers.count { onReport(answers.values.contains(true)) }
  }
}
