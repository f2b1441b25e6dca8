// SPDX-License-Identifier: GPL-3.0-or-later
//
// Passes on the kernel's file events (inotify(7)) as they come. `FileWatch.swift` decides what they
// mean for a file.

import CGLib
import Glibc

/// A queue of the kernel's file events (`inotify_init1`).
final class Inotify {
  struct Event {
    let watch: Int32
    let mask: UInt32
    let name: String
  }

  var onEvents: (([Event]) -> Void)?
  /// The descriptor of the queue. The thread that adds watches also holds this object, so the
  /// descriptor stays open as long as that thread uses it.
  let descriptor: OpenDescriptor
  private var source: Source?
  private var watches: Set<Int32> = []

  init() throws(FileError) {
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    try check(number, "inotify_init1", "")
    descriptor = OpenDescriptor(adopting: number)
    source = MainLoop.onReadable(number) { [weak self] in self?.drain() }
  }

  /// Passes on the events that have arrived.
  func drain() { onEvents?(events()) }

  // Release the source first, because it must not outlive the descriptor.
  deinit { source = nil }

  /// Watches the file, folder or symbolic link at `path`, without following the link
  /// (`inotify_add_watch`). A file or folder that is already watched under another path gets the
  /// same watch.
  @Blocking static func watch(
    _ path: String, _ mask: UInt32, by descriptor: OpenDescriptor
  ) throws(FileError) -> Int32 {
    let flags = mask | UInt32(IN_DONT_FOLLOW) | UInt32(IN_MASK_ADD)
    let watch = inotify_add_watch(descriptor.number, path, flags)
    try check(watch, "inotify_add_watch", path)
    return watch
  }

  /// Ends all watches except `kept` (`inotify_rm_watch`).
  func keep(_ kept: Set<Int32>) {
    // This fails, without harm, if the kernel has already ended the watch because the file or
    // folder is gone.
    for watch in watches.subtracting(kept) { inotify_rm_watch(descriptor.number, watch) }
    watches = kept
  }

  private func events() -> [Event] {
    var bytes = [UInt8](repeating: 0, count: 65536)
    var events: [Event] = []
    // At the end of the queue, `read` fails with EAGAIN.
    while case let count = read(descriptor.number, &bytes, bytes.count), count > 0 {
      events += Self.events(in: bytes[..<count])
    }
    return events
  }

  private static func events(in bytes: ArraySlice<UInt8>) -> [Event] {
    let header = MemoryLayout<inotify_event>.size
    var events: [Event] = []
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset + header <= bytes.count {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let end = offset + header + Int(event.len)
        let name = bytes[offset + header..<end].prefix { $0 != 0 }
        events.append(
          Event(
            watch: event.wd, mask: event.mask, name: String(decoding: name, as: UTF8.self)))
        offset = end
      }
    }
    return events
  }
}
