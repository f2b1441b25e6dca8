// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps descriptors in reserve for a ring. If all others are used up, the sound, the notification
// and the record of the ring can still be opened. `RingSound.swift` in the agent releases the
// reserve.

import Glibc

public final class DescriptorReserve {
  private var held: [OpenDescriptor] = []

  /// A connection to a sound server takes eight, its mixer another eight; a file, a record and a
  /// call take one or two each.
  private static let size = 24

  public init() { fill() }

  /// Reserves as many descriptors as are missing, or as many as there are.
  public func fill() {
    while held.count < Self.size, let descriptor = Self.open() { held.append(descriptor) }
  }

  public func release() { held = [] }

  /// Whether there is at least one free descriptor. Without one, GLib ends the process when it
  /// makes a main context (`g_main_context_new`). It makes one for a thread of its own, and for
  /// each call on the bus that waits for its answer.
  public nonisolated static var isAnyLeft: Bool { open() != nil }

  private nonisolated static func open() -> OpenDescriptor? {
    let number = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    return number < 0 ? nil : OpenDescriptor(adopting: number)
  }
}
