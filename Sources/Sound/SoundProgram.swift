// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent's sound process, `belfryd --sound`, and the one that turns the output up, `belfryd --volume`:
// each does what it is told over the socket that is its standard input, and leaves when that is closed. What the output was set to it puts back when told
// to, and not because the agent is gone: the next agent rings on.

import CGLib
import Glibc
import System

public enum SoundProgram {
  /// Runs until the agent lets go of it. The exit status; 64 where no agent started it.
  public static func run(record: String, as name: String) -> Int32 {
    guard Self.isSocket(STDIN_FILENO) else {
      StandardError.write("belfryd: --\(name) is for the agent, which starts it by itself\n")
      return 64
    }
    // What tells a whole session to leave comes here, too; the agent says what is left to do.
    for number in [SIGHUP, SIGINT, SIGTERM] { signal(number, SIG_IGN) }
    // As `ps` and `top` show it; its file is named for the agent.
    pthread_setname_np(pthread_self(), "belfryd-" + name)
    Player.introduce()

    let socket = PacketSocket(adopting: OpenDescriptor(adopting: STDIN_FILENO))
    let works = SoundWorks(record: record)
    var course = SoundCourse()
    works.onReport = { _ = socket.send(SoundNews.report($0, of: course.number).packet.bytes) }
    works.onRest = { _ = socket.send(SoundNews.rest.packet.bytes) }
    socket.listen { bytes in
      guard let bytes else { return MainLoop.quit() }
      do throws(Packet.Malformed) {
        let task = try SoundTask(Packet(bytes: bytes))
        course.take(task)
        works.perform(task)
      } catch {
        Log.error("the agent said something that its sound process does not understand")
      }
    }
    MainLoop.run()
    works.finish(within: .seconds(1))
    Log.finish()
    // At once: a thread may be held up in a library that would be taken apart under it.
    _exit(0)
  }

  private static func isSocket(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }
}
