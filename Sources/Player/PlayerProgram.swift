// SPDX-License-Identifier: GPL-3.0-or-later
//
// The program `belfry-sound`: takes commands from the socket that is its standard input, and ends
// when the agent closes that socket. Restores the volume only on command, not at its end, because
// the next agent continues the ring. Next: `SoundBackend.swift`, which carries out the commands.

import CGLib
import Glibc
import Sound
import System

public enum PlayerProgram {
  /// Runs the program. Its only argument is the file with the volumes to restore.
  public static func main() -> Never {
    Environment.prepare()
    guard isSocket(STDIN_FILENO), let record = Environment.arguments?.first else {
      StandardError.write("belfry-sound: belfryd starts this program by itself\n")
      Environment.exit(64)
    }
    // At the end of a session these signals reach every process. They are ignored, because only the
    // agent decides when this program ends.
    for number in [SIGHUP, SIGINT, SIGTERM] { signal(number, SIG_IGN) }
    // Without this, writing to standard error would end the program if the reader is gone.
    signal(SIGPIPE, SIG_IGN)
    // The agent passes this program's executable file as standard output (see `SoundProgram`). Send
    // standard output to standard error instead, because GLib prints debug lines on it.
    dup2(STDERR_FILENO, STDOUT_FILENO)
    // Sets the name that `ps` and `top` show. Without this call they would show the number of a
    // descriptor.
    pthread_setname_np(pthread_self(), "belfry-sound")
    SoundServer.introduce()
    serve(record: record)
    Log.finish()
    // Skips C's `exit`, which would unload libraries while a thread may still hang in them.
    _exit(0)
  }

  private static func serve(record: String) {
    let socket = PacketSocket(adopting: OpenDescriptor(adopting: STDIN_FILENO))
    var number = 0
    let backend = SoundBackend(record: record) {
      socket.send(SoundMessage(number: number, body: $0).bytes)
    }
    let reading = socket.listen { bytes in
      guard let bytes else { return MainLoop.quit() }
      do throws(Malformed) {
        let message = try SoundMessage<SoundCommand>(bytes)
        number = message.number
        backend.perform(message.body)
      } catch {
        Log.error("the agent sent a command that belfry-sound does not understand")
      }
    }
    withExtendedLifetime(reading) { MainLoop.run() }
    backend.finish(within: .seconds(1))
  }

  private static func isSocket(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }
}
