// SPDX-License-Identifier: GPL-3.0-or-later
//
// The program `belfry-sound`, which plays sounds for the agent. Next: `PlayerProgram.swift` in the
// module `Player`.

import Player

PlayerProgram.main()
