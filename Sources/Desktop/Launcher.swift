// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opens a file in the program that the user has chosen for its kind. It waits for nothing.

import CGLib

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
}
