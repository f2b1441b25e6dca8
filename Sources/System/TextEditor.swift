// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opens a file in the program that the user has chosen for it: on the desktop, which waits for
// nothing, or on the terminal, which waits for its end.

import CGLib
import Glibc

public enum TextEditor {
  /// Asks the desktop to open the text file at `path` (`g_app_info_launch_default_for_uri_async`),
  /// or else another program that the desktop has for text: the first may want a terminal that
  /// there is not. `onFailure` gets the words of why none did.
  public static func open(_ path: String, onFailure: @escaping (String) -> Void) {
    guard let uri = g_filename_to_uri(path, nil, nil) else {
      return onFailure("\(path) is not an absolute path")
    }
    defer { g_free(uri) }
    let failed: (String) -> Void = { reason in if !openWithAny(path) { onFailure(reason) } }
    g_app_info_launch_default_for_uri_async(
      uri, nil, nil,
      { _, result, context in
        let failed = CContext<(String) -> Void>.take(context)
        var error: UnsafeMutablePointer<GError>?
        if g_app_info_launch_default_for_uri_finish(result, &error) == 0 {
          failed(words(consuming: error))
        }
      }, CContext.retained(failed))
  }

  /// Tries all programs for text that the desktop has, until one is started
  /// (`g_app_info_get_all_for_type`).
  private static func openWithAny(_ path: String) -> Bool {
    guard let uri = g_filename_to_uri(path, nil, nil) else { return false }
    let uris = g_list_append(nil, uri)
    let programs = g_app_info_get_all_for_type("text/plain")
    defer {
      g_list_free_full(uris, { g_free($0) })
      g_list_free_full(programs, { g_object_unref($0) })
    }
    var next = programs
    while let program = next {
      if g_app_info_launch_uris(OpaquePointer(program.pointee.data), uris, nil, nil) != 0 {
        return true
      }
      next = program.pointee.next
    }
    return false
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
