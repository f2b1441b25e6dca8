// SPDX-License-Identifier: GPL-3.0-or-later
//
// Another program run for what it says: started without a shell, and nobody waits for it.

import CGLib

public enum Errand {
  /// Runs `command`, whose first word is a path, and hands over whether it ended with success, and
  /// all that it said (`g_subprocess_newv`, `g_subprocess_communicate_utf8_async`).
  public static func run(_ command: [String], _ done: @escaping (_ isDone: Bool, String) -> Void) {
    var words = command.map { Optional(UnsafePointer<CChar>(strdup($0)!)) } + [nil]
    defer { for word in words { free(UnsafeMutableRawPointer(mutating: word)) } }
    var error: UnsafeMutablePointer<GError>?
    let flags = G_SUBPROCESS_FLAGS_STDOUT_PIPE.rawValue | G_SUBPROCESS_FLAGS_STDERR_MERGE.rawValue
    guard let process = g_subprocess_newv(&words, GSubprocessFlags(flags), &error) else {
      return done(false, BusError(consuming: error).message)
    }
    g_subprocess_communicate_utf8_async(
      process, nil, nil,
      { source, result, context in
        let done = Unmanaged<Ending>.fromOpaque(context!).takeRetainedValue().done
        let process = OpaquePointer(source)
        var text: UnsafeMutablePointer<CChar>?
        let isRead = g_subprocess_communicate_utf8_finish(process, result, &text, nil, nil) != 0
        defer { g_free(text) }
        let isDone = isRead && g_subprocess_get_successful(process) != 0
        done(isDone, text.map { String(cString: $0) } ?? "")
      }, Unmanaged.passRetained(Ending(done)).toOpaque())
    // The call above holds it until it has ended.
    g_object_unref(UnsafeMutableRawPointer(process))
  }

  private final class Ending {
    let done: (Bool, String) -> Void
    init(_ done: @escaping (Bool, String) -> Void) { self.done = done }
  }
}
