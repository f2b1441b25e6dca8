// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out whether the screen is locked. GNOME and Plasma report this to the login manager, which
// offers it as the property `LockedHint` of the session. Xfce's screen saver does not report it, so
// the saver is asked as well. For other programs that lock the screen, belfry.toml(5) has a script.

import System

/// Reports whether the screen is locked: first when the login manager and the screen saver have
/// answered, then whenever one of them may have changed its answer. The same answer may be reported
/// again. Releasing this object ends the reports.
public final class ScreenLock {
  private static let saver = Bus.Peer("org.xfce.ScreenSaver")

  private let onReport: (Bool) -> Void
  private var subscriptions: [Bus.Subscription] = []
  /// The answer of the login manager; nil until it has answered, or has failed to answer.
  private var isHinted: Bool? { didSet { report() } }
  /// The answer of Xfce's screen saver; nil until it has answered, or has failed to answer.
  private var isSaving: Bool? { didSet { report() } }

  public init(on bus: Bus, system: Bus, _ onReport: @escaping (Bool) -> Void) {
    self.onReport = onReport
    subscriptions = [
      bus.listen(to: Self.saver, "ActiveChanged") { [weak self] values in
        self?.isSaving = values.first?.boolean ?? false
      },
      bus.watch(Self.saver.name) { [weak self] owner in
        if owner == nil { self?.isSaving = false }
      },
    ]
    bus.ask(Self.saver, "GetActive", timeout: .seconds(2)) { [weak self] answer in
      self?.isSaving = answer.value?.boolean ?? false
    }
    system.ask(Login.peer, "GetSession", [.string("auto")], timeout: .seconds(2)) {
      [weak self] answer in
      self?.listen(to: answer.value?.string ?? Login.session.path, on: system)
    }
  }

  /// Listens to the session at `path`. The path `session/auto` is enough to ask the login manager,
  /// but its signals come only from the session's real path.
  private func listen(to path: String, on system: Bus) {
    let session = Bus.Peer(Login.session.name, path: path, interface: Login.session.interface)
    let read = { [weak self] in
      system.property("LockedHint", of: session) { self?.isHinted = $0?.boolean ?? false }
    }
    subscriptions.append(
      system.listen(to: session.properties, "PropertiesChanged") { _ in read() })
    read()
  }

  private func report() {
    if let isHinted, let isSaving { onReport(isHinted || isSaving) }
  }
}
