// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the sound process does, `belfryd --sound`, and the one that turns the output up, `belfryd
// --volume`: it takes commands from the socket that is its standard input, and leaves when that is closed.
// What the output was set to it puts back when told to, and not because the agent is gone: the next
// agent rings on. Next: `Player.swift` and `VolumeLift.swift`, which do it.

import CGLib
import Glibc
import Scheduling
import System

/// Does what the commands say, in a process for it or in the agent.
final class SoundBackend {
  /// Called on the main loop with what the player reports, and with nil when nothing is left to do.
  var onReport: ((Player.Report?) -> Void)?

  private let player: Player?
  private let lift: VolumeLift?

  /// `record` is the file that remembers what the output was set to.
  init(_ part: SoundProcess.Part, record: String) {
    player = part == .sound ? Player() : nil
    lift = part == .volume ? VolumeLift(record: record) : nil
    lift?.onRest = { [weak self] in self?.onReport?(nil) }
    player?.onReport = { [weak self] in
      self?.onReport?($0)
      if $0 == .finished { self?.onReport?(nil) }
    }
  }

  func perform(_ command: SoundCommand) {
    switch command {
    case .prime(let request): player?.prime(request)
    case .play(let request, let asked, let fadedFor):
      player?.play(request, asked: Self.since(asked), fadedFor: fadedFor)
    case .stop:
      player?.stop()
      onReport?(nil)
    case .raise(var target, let asked):
      target.elapsed += Self.since(asked)
      lift?.raise(target)
    case .letGo: lift?.letGo()
    case .restore: lift?.restore()
    }
  }

  /// For the end of the program: silences, and waits for what is under way, at most `limit`.
  func finish(within limit: Duration) {
    player?.finish(within: limit)
    lift?.finish(within: limit)
  }

  /// How long ago the boot clock read so.
  private static func since(_ reading: Duration) -> Duration {
    max(.zero, Clock.now().boot - reading)
  }
}

extension SoundProcess {
  /// The whole of the process, until the agent lets go of it. The exit status; 64 where no agent
  /// started it.
  public static func run(_ part: Part, record: String) -> Int32 {
    guard isSocket(STDIN_FILENO) else {
      StandardError.write("belfryd: --\(part) is for the agent, which starts it by itself\n")
      return 64
    }
    // What tells a whole session to leave comes here, too; the agent says what is left to do.
    for number in [SIGHUP, SIGINT, SIGTERM] { signal(number, SIG_IGN) }
    // As `ps` and `top` show it; its file is named for the agent.
    pthread_setname_np(pthread_self(), "belfryd-\(part)")
    Player.introduce()

    let socket = PacketSocket(adopting: OpenDescriptor(adopting: STDIN_FILENO))
    let backend = SoundBackend(part, record: record)
    var number = 0
    backend.onReport = { _ = socket.send(SoundMessage(number: number, body: $0).bytes) }
    var sign: Source?
    func giveSigns() {
      sign = MainLoop.after(SoundSupervisor.signInterval) {
        backend.onReport?(nil)
        giveSigns()
      }
    }
    socket.listen { bytes in
      guard let bytes else { return MainLoop.quit() }
      do throws(Malformed) {
        let message = try SoundMessage<SoundCommand>(bytes)
        number = message.number
        if case .play = message.body { giveSigns() } else { sign = nil }
        backend.perform(message.body)
      } catch {
        Log.error("the agent said something that its \(part) process does not understand")
      }
    }
    MainLoop.run()
    withExtendedLifetime(sign) {}
    backend.finish(within: .seconds(1))
    Log.finish()
    // At once: a thread may be held up in a library that would be taken apart under it.
    _exit(0)
  }

  private static func isSocket(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }
}
