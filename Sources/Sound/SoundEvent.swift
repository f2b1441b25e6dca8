// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can happen to `belfry-sound`, and what can be done about it.
// `SoundSupervisor.swift` decides.

nonisolated extension SoundSupervisor {
  enum State: Equatable {
    /// There is no process.
    case idle
    case starting
    /// The process has been told what is wanted.
    case running
    /// All devices failed one after another; the first is tried again in a second.
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
    /// No process was started to restore the volume, because it is as it was found.
    case nothingToRestore
    case reported(SoundReport, of: Int)
    /// The process has ended, though it was not told to.
    case ended(ProcessEnd)
    /// Half a second has passed. Looks are counted, so that the time in a suspended machine does
    /// not count. They are needed only while `needsLooks`.
    case look
  }

  enum ProcessEnd: Equatable {
    case status(Int32)
    case signal(Int32)
  }

  enum Act: Equatable {
    /// Start a process. One that is only to restore the volume is not needed if there is no record.
    case start(onlyToRestore: Bool)
    case send(SoundCommand)
    /// End the process at once, and forget it.
    case kill
    /// Forget the process: it leaves by itself.
    case letGo
    case ringBell, stopBell
    case report(SoundReport)
    case logError(String)
  }
}

nonisolated extension SoundSupervisor.ProcessEnd: CustomStringConvertible {
  var description: String {
    switch self {
    case .status(let status): "it left with status \(status)"
    case .signal(let number): "signal \(number)"
    }
  }
}
