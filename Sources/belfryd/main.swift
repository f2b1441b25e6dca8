// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfryd`: the agent in the foreground. It takes its name on the session bus, serves until it is
// told to go, and leaves nothing behind that must be remembered.

import BelfryAgent
import Desktop

Memory.shareOneHeap()
Locale.adopt(catalogues: Locations().catalogues)
switch AgentOptions.parse(CommandLine.arguments.dropFirst()) {
case .run(let options):
  Environment.exit(options.check ? CheckProgram.run(options) : AgentProgram(options).run())
case .print(let text): print(text)
case .misuse(let message):
  StandardError.write("belfryd: \(message)\n\(AgentOptions.usage)\n")
  Environment.exit(64)
}
