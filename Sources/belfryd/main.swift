// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfryd`, the agent. Next: `AgentProgram.swift` in Agent.

import Agent

AgentProgram.main()
