// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether sound devices play: each is opened as for a ring and given a second of silence, and has to
// consume it to the end, or is found to be no more than a sound server's stand-in. Nothing is heard. It
// takes the way of `Player.swift`, hangs included.

import Scheduling
import System

/// Tries devices one after another, since two of them may lead to the same card.
public final class DeviceProbe {
  public nonisolated enum Finding: Equatable, Sendable {
    /// As far as devices go; an output may be in the way.
    case plays(Output)
    case fails(Player.Trouble)
  }

  private let devices: [String]
  private let onFinding: (String, Finding) -> Void
  private let onEnd: () -> Void
  private var next = 0
  private var player: Player?
  private var patience: Source?

  /// A device that neither plays the second nor fails within this will not wake anybody.
  private static let limit = Duration.seconds(5)

  /// Tells of each of `devices`, ALSA PCM names, and then that it has tried them all.
  public init(
    _ devices: [String], onFinding: @escaping (String, Finding) -> Void,
    onEnd: @escaping () -> Void
  ) {
    (self.devices, self.onFinding, self.onEnd) = (devices, onFinding, onEnd)
    probe()
  }

  private func probe() {
    guard next < devices.count else { return onEnd() }
    let device = devices[next]
    let player = Player()
    var output: Output?
    player.onReport = { [weak self] report in
      switch report {
      case .started(_, let control, _, _): output = Output(control: control)
      case .output(let new):
        output = new
        // Whether a stand-in takes the samples tells nothing, and a busy one may take none.
        if new.silence == .dummy { self?.found(.plays(new)) }
      case .finished: self?.found(.plays(output ?? Output(control: "")))
      case .trouble(.file): break
      case .trouble(let trouble): self?.found(.fails(trouble))
      case .primed, .unheard: break
      }
    }
    self.player = player
    patience = MainLoop.after(Self.limit) { [weak self] in
      self?.found(.fails(.stalled(device)))
    }
    // Without a file it is the tone that does not sound.
    player.play(Player.Request(files: [], devices: [device], volume: 0, loops: false))
  }

  private func found(_ finding: Finding) {
    player?.stop()
    (player, patience) = (nil, nil)
    next += 1
    onFinding(devices[next - 1], finding)
    probe()
  }
}
