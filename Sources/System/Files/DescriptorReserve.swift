// SPDX-License-Identifier: GPL-3.0-or-later
//
// Descriptors set aside for a ring: where something has used up all others, the sound, the
// notification and the record still have some. It opens nothing of use itself.

import Glibc

public final class DescriptorReserve {
  private var held: [OpenDescriptor] = []

  /// A sound server's connection takes eight, its mixer as many, a file, a record and a call one or
  /// two each.
  private static let size = 24

  public init() { fill() }

  /// Sets aside as many as there are to be had.
  public func fill() {
    while held.count < Self.size, let descriptor = Self.open() { held.append(descriptor) }
  }

  /// Lets go of them, to be used.
  public func release() { held = [] }

  /// Whether another descriptor is to be had. Without one, GLib ends the process when it makes a
  /// main context, as it does for a thread of its own and for each call on a bus that waits for its
  /// answer (`g_main_context_new`).
  public nonisolated static var isAnyLeft: Bool { open() != nil }

  private nonisolated static func open() -> OpenDescriptor? {
    let number = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    return number < 0 ? nil : OpenDescriptor(adopting: number)
  }
}
