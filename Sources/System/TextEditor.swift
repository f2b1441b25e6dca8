// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opens a file in the program that the user has chosen for text. `open` uses the desktop and does
// not wait; `edit` uses the terminal and waits until the editor ends.

import CGLib
import Glibc

@MainActor public enum TextEditor {
  /// Opens the text file at `path` in the desktop's default program for such files
  /// (`g_app_info_launch_default_for_uri_async`), with `variables` in its environment. Calls `done`
  /// with nil or, if that fails, for example because the program needs a terminal and there is
  /// none, with the reason.
  public static func open(
    _ path: String, _ variables: [String: String], _ done: @escaping (_ problem: String?) -> Void
  ) {
    guard let uri = g_filename_to_uri(path, nil, nil) else {
      return done("\(path) is not an absolute path")
    }
    let context = g_app_launch_context_new()
    defer {
      g_free(uri)
      g_object_unref(context)
    }
    for (name, value) in variables { g_app_launch_context_setenv(context, name, value) }
    g_app_info_launch_default_for_uri_async(
      uri, context, nil,
      { _, result, context in
        let done = CContext<(String?) -> Void>.take(context)
        var error: UnsafeMutablePointer<GError>?
        let isOpen = g_app_info_launch_default_for_uri_finish(result, &error) != 0
        done(isOpen ? nil : words(consuming: error))
      }, CContext.retained(done))
  }

  /// Runs the user's editor on the file at `path`, in this terminal, and waits until the editor
  /// ends (`system`). Returns false if the editor could not be run or ended with an error. Ctrl-C
  /// is meant for the editor, so this program ignores Ctrl-C meanwhile.
  public static func edit(_ path: String) -> Bool {
    let editor = Environment.value("VISUAL") ?? Environment.value("EDITOR") ?? "vi"
    guard let file = g_shell_quote(path) else { return false }
    defer { g_free(file) }
    // The shell splits the variable, which may contain arguments as well, such as "code --wait".
    return system("\(editor) \(String(cString: file))") == 0
  }
}
