// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opens a file in the program that the user has chosen for it: on the desktop, which waits for
// nothing, or on the terminal, which waits for its end.

import CGLib
import Glibc

public enum Launcher {
  /// Asks the desktop to open the file at `path` (`g_app_info_launch_default_for_uri_async`); a
  /// failure is logged.
  public static func open(_ path: String) {
    guard let uri = g_filename_to_uri(path, nil, nil) else {
      Log.warning("\(path) cannot be opened: not an absolute path")
      return
    }
    defer { g_free(uri) }
    g_app_info_launch_default_for_uri_async(
      uri, nil, nil,
      { _, result, _ in
        var error: UnsafeMutablePointer<GError>?
        guard g_app_info_launch_default_for_uri_finish(result, &error) == 0, let error else {
          return
        }
        defer { g_error_free(error) }
        Log.warning("the config cannot be opened: \(String(cString: error.pointee.message))")
      }, nil)
  }

  /// Runs the user's editor on the file at `path`, on this terminal, and waits for its end
  /// (`g_spawn_sync`). False where it could not be run or says that it failed.
  public static func edit(_ path: String) -> Bool {
    let editor = Environment.value("VISUAL") ?? Environment.value("EDITOR") ?? "vi"
    // A shell, since the variable may hold arguments as well.
    let words = ["/bin/sh", "-c", "\(editor) \"$@\"", editor, path]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    // Ctrl-C in the editor is the editor's; the child takes back what it would inherit.
    let former = [SIGINT, SIGQUIT].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, handler) in former { signal(number, handler) } }
    var status: gint = 0
    let isRun = g_spawn_sync(
      nil, &arguments, nil, G_SPAWN_CHILD_INHERITS_STDIN,
      { _ in
        signal(SIGINT, SIG_DFL)
        signal(SIGQUIT, SIG_DFL)
      }, nil, nil, nil, &status, nil)
    return isRun != 0 && status == 0
  }
}
