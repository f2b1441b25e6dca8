// SPDX-License-Identifier: GPL-3.0-or-later
//
// The life of the program `belfry-sound`: it takes commands from the socket that is its standard
// input, and leaves when that is closed. What the output was set to it restores only on command,
// because the next agent rings on. Next: `SoundBackend.swift`, which does what the commands say.

import CGLib
import Glibc
import Sound
import System

public enum PlayerProgram {
  /// The whole of the program; its argument is the file that remembers what the output was set to.
  public static func main() -> Never {
    Environment.prepare()
    MainLoop.runMainActor()
    Memory.shareOneHeap()
    guard isSocket(STDIN_FILENO), let record = Environment.arguments?.first else {
      StandardError.write("belfry-sound: belfryd starts this program by itself\n")
      Environment.exit(64)
    }
    // Signals that tell a whole session to leave arrive here, too; the agent says what is left to
    // do.
    for number in [SIGHUP, SIGINT, SIGTERM] { signal(number, SIG_IGN) }
    // Whoever read what it says on standard error may be gone.
    signal(SIGPIPE, SIG_IGN)
    // Standard output is the program's own file, see `SoundProgram`; GLib writes details there.
    dup2(STDERR_FILENO, STDOUT_FILENO)
    // As `ps` and `top` show it: it is run by the name of a descriptor.
    pthread_setname_np(pthread_self(), "belfry-sound")
    SoundServer.introduce()
    serve(record: record)
    Log.finish()
    // At once: a thread may be held up in a library that would be taken apart under it.
    _exit(0)
  }

  private static func serve(record: String) {
    let socket = PacketSocket(adopting: OpenDescriptor(adopting: STDIN_FILENO))
    var number = 0
    let backend = SoundBackend(record: record) {
      socket.send(SoundMessage(number: number, body: $0).bytes)
    }
    socket.listen { bytes in
      guard let bytes else { return MainLoop.quit() }
      do throws(Malformed) {
        let message = try SoundMessage<SoundCommand>(bytes)
        number = message.number
        backend.perform(message.body)
      } catch {
        Log.error("the agent said something that its sound process does not understand")
      }
    }
    MainLoop.run()
    backend.finish(within: .seconds(1))
  }

  private static func isSocket(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }
}
