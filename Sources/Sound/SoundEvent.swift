// SPDX-License-Identifier: GPL-3.0-or-later
//
// The events that can happen to `belfry-sound`, and the acts that can follow.
// `SoundSupervisor.swift` decides which acts follow.

import System

extension SoundSupervisor {
  enum State: Equatable {
    case idle
    case starting
    /// The process has received its command.
    case running
    /// No process exists, because all devices have failed or no process could be started. After a
    /// pause of a second, another process is started.
    case pausing
  }

  enum Event {
    case prime(SoundRequest)
    /// `at` is the reading of the boot clock.
    case play(SoundRequest, fadedFor: Duration, at: Duration)
    case stop
    case raise(VolumeTarget, at: Duration)
    case restore
    case started
    case notStarted(String)
    case reported(SoundReport, of: Int)
    /// The process has ended by itself.
    case ended(ProcessEnd)
    /// Half a second has passed. This event is needed only while `needsLooks` is true. The
    /// supervisor measures time by counting these events, because a clock would also count the time
    /// in which the machine is suspended.
    case check
  }

  enum Act: Equatable {
    case start
    case send(SoundCommand)
    /// Kill the process and forget that it existed.
    case kill
    /// Close the socket of the process, which then ends by itself, and forget the process.
    case letGo
    case ringBell, stopBell
    case report(SoundReport)
    case logError(String)
  }
}
