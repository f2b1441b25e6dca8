// SPDX-License-Identifier: GPL-3.0-or-later
//
// systemd's user manager, so far as it starts a program at a moment: a timer of its own that lives
// as long as the session does, and needs nobody. Where no such manager runs the session, nothing
// happens. See `StartTransientUnit` in org.freedesktop.systemd1(5).

import CGLib
import Language
import Scheduling
import System

/// Has a program started at a moment, unless that is taken back before.
public final class StartTimer {
  private let bus: Bus
  private let name: String
  private let command: [String]
  private var presence: Bus.Subscription?
  private var isThere = false
  private var moment: Instant?
  /// The unit that waits now. Each has a name of its own: a unit that has just been stopped may not
  /// be gone when the next is to begin.
  private var unit: String?
  private var count = 0

  /// Units are called `name` with a number; `command` begins with a full path.
  public init(on bus: Bus, name: String, command: [String]) {
    (self.bus, self.name, self.command) = (bus, name, command)
    presence = bus.watch(Bus.Peer.systemd.name) { [weak self] isThere in
      guard let self else { return }
      (self.isThere, unit) = (isThere, nil)
      begin()
    }
  }

  /// In place of any other moment; nil: not at all. To the second, and a second late rather than
  /// early.
  public func arm(_ moment: Instant?) {
    // What runs by the boot clock ends by the wall clock a little earlier or later at each reading.
    if let moment, let armed = self.moment, max(moment - armed, armed - moment) < .seconds(1) {
      return
    }
    guard moment != self.moment else { return }
    self.moment = moment
    begin()
  }

  private func begin() {
    guard isThere else { return }
    let last = unit
    unit = nil
    if let moment {
      count += 1
      let unit = "\(name)-\(Environment.processID)-\(count)"
      self.unit = unit
      bus.ask(.systemd, "StartTransientUnit", text: request(unit, moment)) { answer in
        if case .failure(let error) = answer { Log.info("no timer of systemd's: \(error)") }
      }
    }
    if let last {
      // One that is over is not there to be stopped.
      bus.ask(.systemd, "StopUnit", [.string(last + ".timer"), .string("replace")]) { _ in }
    }
  }

  /// The arguments of `StartTransientUnit` as GVariant text: name, mode, the timer's properties, and
  /// the service that it starts.
  private func request(_ unit: String, _ moment: Instant) -> String {
    let local = CivilDateTime(localSeconds: (moment + .microseconds(999_999)).seconds)
    let time = "\(local.date) \(local.time) UTC"
    let path = Self.quoted(command[0])
    let arguments = command.map(Self.quoted).joined(separator: ", ")
    let description = Self.quoted(tr("Start \(command[0]) should it be gone"))
    return """
      (\(Self.quoted(unit + ".timer")), 'replace', [
        ('Description', <\(description)>), ('TimersCalendar', <[('OnCalendar', '\(time)')]>),
        ('AccuracyUSec', <@t 1000000>), ('RemainAfterElapse', <false>)],
       [(\(Self.quoted(unit + ".service")), [
          ('Description', <\(description)>),
          ('ExecStart', <[(\(path), [\(arguments)], false)]>)])])
      """
  }

  /// A string of GVariant text (`g_variant_print`).
  private static func quoted(_ text: String) -> String {
    let value = g_variant_ref_sink(g_variant_new_string(text))
    defer { g_variant_unref(value) }
    guard let printed = g_variant_print(value, 0) else { return "''" }
    defer { g_free(printed) }
    return String(cString: printed)
  }
}
