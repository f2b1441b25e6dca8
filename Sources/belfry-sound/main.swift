// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry-sound`, which plays for the agent. Next: `SoundBackend.swift` in Player.

import Player

PlayerProgram.main()
