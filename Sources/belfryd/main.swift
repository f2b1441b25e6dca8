// SPDX-License-Identifier: GPL-3.0-or-later
//
// The program `belfryd`, Belfry's agent. Next: `AgentProgram.swift` in the module `Agent`.

import Agent

AgentProgram.main()
