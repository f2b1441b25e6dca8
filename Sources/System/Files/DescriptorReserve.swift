// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps descriptors in reserve for a ring. If all others are used up, the sound, the notification
// and the record of the ring can still be opened. `RingSound.swift` in the agent releases the
// reserve.

import Glibc

public final class DescriptorReserve {
  private var held: [OpenDescriptor] = []

  /// How many descriptors are reserved. A connection to a sound server takes eight descriptors, and
  /// its mixer another eight. A file, a record and a call take one or two each.
  private static let size = 24

  public init() { fill() }

  /// Fills the reserve to its full size, or as far as there are free descriptors.
  public func fill() {
    while held.count < Self.size, let descriptor = Self.open() { held.append(descriptor) }
  }

  public func release() { held = [] }

  /// Whether there is at least one free descriptor. Without one, GLib ends the process when it
  /// makes a main context (`g_main_context_new`). GLib makes a main context for a thread of its
  /// own, and for each call on the bus that waits for its answer.
  public nonisolated static var isAnyLeft: Bool { open() != nil }

  private nonisolated static func open() -> OpenDescriptor? {
    let number = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    return number < 0 ? nil : OpenDescriptor(adopting: number)
  }
}
