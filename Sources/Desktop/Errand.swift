// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program that is sent for an answer: what it printed, when it has ended. It gets nothing to read
// and is ended with this.

import CGLib
import Glibc
import Scheduling

/// A child process (`GSubprocess`), killed when released before its end.
public final class Errand {
  private nonisolated(unsafe) let process: OpaquePointer
  private var patience: Source?

  /// Starts `command`, whose first word is a path; `onEnd` gets what it printed, nil where it failed or
  /// took longer than `limit`. `onFailure` gets what it had to say to that; only for it is standard
  /// error read.
  public init?(
    _ command: [String], limit: Duration, onFailure: ((String) -> Void)? = nil,
    onEnd: @escaping (String?) -> Void
  ) {
    let words = command.map { strdup($0) }
    defer { for word in words { free(word) } }
    var arguments = words.map { UnsafePointer($0) } + [nil]
    var flags = G_SUBPROCESS_FLAGS_STDOUT_PIPE.rawValue
    if onFailure != nil { flags |= G_SUBPROCESS_FLAGS_STDERR_MERGE.rawValue }
    var error: UnsafeMutablePointer<GError>?
    guard let started = g_subprocess_newv(&arguments, GSubprocessFlags(rawValue: flags), &error)
    else {
      Log.warning("\(command[0]) cannot be started: \(Desktop.words(consuming: error))")
      return nil
    }
    process = started
    let ending = Ending(onFailure, onEnd)
    g_subprocess_communicate_utf8_async(
      process, nil, nil,
      { process, result, context in
        Unmanaged<Ending>.fromOpaque(context!).takeRetainedValue()
          .take(OpaquePointer(process), result)
      }, Unmanaged.passRetained(ending).toOpaque())
    patience = MainLoop.after(limit) { [weak self] in self?.end() }
  }

  deinit {
    g_subprocess_force_exit(process)
    g_object_unref(UnsafeMutableRawPointer(process))
  }

  private func end() { g_subprocess_force_exit(process) }
}

/// What is done at the end, on its way through C.
private final class Ending {
  private let onFailure: ((String) -> Void)?
  private let onEnd: (String?) -> Void

  init(_ onFailure: ((String) -> Void)?, _ onEnd: @escaping (String?) -> Void) {
    (self.onFailure, self.onEnd) = (onFailure, onEnd)
  }

  func take(_ process: OpaquePointer?, _ result: OpaquePointer?) {
    var output: UnsafeMutablePointer<CChar>?
    var error: UnsafeMutablePointer<GError>?
    let isRead =
      g_subprocess_communicate_utf8_finish(process, result, &output, nil, &error) != 0
    if let error { g_error_free(error) }
    defer { g_free(output) }
    let isDone = isRead && g_subprocess_get_successful(process) != 0
    let text = output.map { String(cString: $0) }
    if !isDone { onFailure?(text ?? "") }
    onEnd(isDone ? text : nil)
  }
}
