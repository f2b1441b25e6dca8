// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfryd`, the agent alone. What is installed under that name is `belfry`, which holds it as well.
// Next: AgentProgram.swift.

import Agent

AgentProgram.main()
