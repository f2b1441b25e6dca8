// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opens a file in the program that the user has chosen for text. `open` uses the desktop and does
// not wait; `edit` uses the terminal and waits until the editor ends.

import CGLib
import Glibc

public enum TextEditor {
  /// Opens the text file at `path` in the desktop's default program for it
  /// (`g_app_info_launch_default_for_uri_async`). If that fails, for example because the program
  /// needs a terminal and there is none, `onFailure` gets the reason.
  public static func open(_ path: String, onFailure: @escaping (String) -> Void) {
    guard let uri = g_filename_to_uri(path, nil, nil) else {
      return onFailure("\(path) is not an absolute path")
    }
    defer { g_free(uri) }
    g_app_info_launch_default_for_uri_async(
      uri, nil, nil,
      { _, result, context in
        let failed = CContext<(String) -> Void>.take(context)
        var error: UnsafeMutablePointer<GError>?
        if g_app_info_launch_default_for_uri_finish(result, &error) == 0 {
          failed(words(consuming: error))
        }
      }, CContext.retained(onFailure))
  }

  /// Runs the user's editor on the file at `path`, in this terminal, and waits for its end
  /// (`g_spawn_sync`). Returns false if the editor could not be run or ended with an error.
  public static func edit(_ path: String) -> Bool {
    let editor = Environment.value("VISUAL") ?? Environment.value("EDITOR") ?? "vi"
    // Uses a shell, because the variable may contain arguments as well, such as "code --wait".
    let words = ["/bin/sh", "-c", "\(editor) \"$@\"", editor, path]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    // Ctrl-C in the editor is meant for the editor, so this program ignores it for that time. The
    // editor's process restores the default before it starts.
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
