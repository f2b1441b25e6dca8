// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-3.0-or-later
import PackageDescription

/// The settings of the targets that only compute: they read no files and call no servers. Every
/// warning in them is an error.
let pure: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of the targets that read files, call servers and draw.
let shell: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The settings of the targets most of whose code runs on the main loop: all of it does unless it
/// is marked otherwise.
let mainLoop = shell + [.defaultIsolation(MainActor.self)]

let package = Package(
  name: "belfry",
  products: [
    .executable(name: "belfry", targets: ["belfry"]),
    .executable(name: "belfryd", targets: ["belfryd"]),
    .executable(name: "belfry-sound", targets: ["belfry-sound"]),
    .executable(name: "belfry-wake", targets: ["belfry-wake"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: [
    // C libraries of the system. Each has a module map and a header, which says why Swift needs the
    // inline functions in it.
    .systemLibrary(
      name: "CGLib", pkgConfig: "gobject-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(
      name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .target(name: "CNotify", dependencies: ["CGLib"]),
    // A C library that is not linked, but loaded when Belfry first calls it. `Library.swift` loads
    // it.
    .systemLibrary(name: "CPulse"),
    // The TOML parser toml++, behind functions of C. It consists of C++ headers and is compiled in.
    .target(
      name: "CToml",
      cxxSettings: [
        .define("NDEBUG"), .define("TOML_EXCEPTIONS", to: "0"),
        .define("TOML_ENABLE_UNRELEASED_FEATURES", to: "1"),
        .define("TOML_ENABLE_FORMATTERS", to: "0"),
      ],
      linkerSettings: [.linkedLibrary("m")]),

    // What must be in C about the start and the end of a process: where GLib's memory comes from,
    // notes about crashes of the agent, and commands that return to the shell whatever a disk does.
    .target(name: "CProcess", dependencies: ["CGLib"]),

    // The core: targets that only compute. `Scheduling` is optimised in the debug build, too:
    // without that, the tests of these targets would take two minutes instead of one.
    .target(
      name: "Scheduling",
      swiftSettings: pure + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    .target(name: "Cities", dependencies: ["Scheduling"], swiftSettings: pure),
    .target(name: "Language", swiftSettings: pure),
    .target(name: "Values", dependencies: ["Scheduling", "Language"], swiftSettings: pure),
    .target(name: "ICalendar", dependencies: ["Scheduling", "Language"], swiftSettings: pure),
    .target(
      name: "TOML", dependencies: ["CToml", "Language", "Scheduling", "Values"],
      swiftSettings: pure),
    .target(
      name: "Configuration", dependencies: ["Scheduling", "Cities", "TOML", "Language"],
      swiftSettings: pure),
    .target(
      name: "Persistence",
      dependencies: ["Scheduling", "Cities", "TOML", "Configuration", "Language", "Values"],
      swiftSettings: pure),

    // The shell: targets that read files, call servers and draw.
    .target(
      name: "System",
      dependencies: ["Scheduling", "Language", "Values", "CGLib", "CProcess"],
      swiftSettings: shell),
    .target(
      name: "Bus", dependencies: ["System", "Scheduling", "Language", "CGLib"],
      swiftSettings: mainLoop),
    .target(
      name: "Notifications",
      dependencies: ["Bus", "System", "Scheduling", "Language", "CGLib", "CNotify"],
      swiftSettings: shell),
    .target(
      name: "Sound", dependencies: ["System", "Scheduling", "Values", "CGLib"],
      swiftSettings: shell),
    .target(
      name: "Player",
      dependencies: [
        "Sound", "System", "Scheduling", "Values", "CGLib", "CALSA", "CPulse", "CSndfile",
      ],
      swiftSettings: shell),
    .target(
      name: "Files",
      dependencies: [
        "Scheduling", "Cities", "Language", "TOML", "Configuration", "Persistence", "System",
        "Sound", "ICalendar",
      ],
      swiftSettings: shell),
    .target(
      name: "Import",
      dependencies: [
        "Scheduling", "Cities", "Language", "TOML", "Configuration", "Values", "Files", "System",
        "ICalendar",
      ],
      swiftSettings: shell),
    .target(
      name: "Presentation",
      dependencies: [
        "Scheduling", "Cities", "Language", "Configuration", "Persistence", "Values", "Files",
        "System",
        "Bus",
      ],
      swiftSettings: shell),
    .target(
      name: "Doctor",
      dependencies: [
        "Scheduling", "Language", "Configuration", "Values", "Files", "Presentation", "System",
        "Bus", "Notifications", "Sound",
      ],
      swiftSettings: mainLoop),
    .target(
      name: "Agent",
      dependencies: [
        "Scheduling", "Cities", "Language", "TOML", "Configuration", "Persistence", "Values",
        "Files",
        "Presentation", "Doctor", "System", "Bus", "Notifications", "Sound",
      ],
      swiftSettings: mainLoop),
    .target(
      name: "Screen",
      dependencies: [
        "Scheduling", "Language", "Configuration", "Values", "Presentation", "System",
      ],
      swiftSettings: shell),
    .executableTarget(name: "belfryd", dependencies: ["Agent"], swiftSettings: mainLoop),
    .executableTarget(name: "belfry-sound", dependencies: ["Player"], swiftSettings: shell),
    // Written in C. The flags keep Swift's runtime out, which SwiftPM links to every program.
    .executableTarget(
      name: "belfry-wake", linkerSettings: [.unsafeFlags(["-nostartfiles", "-static-stdlib"])]),
    .executableTarget(
      name: "belfry",
      dependencies: [
        "Doctor", "Screen", "Import", "Files", "Presentation", "Scheduling", "Cities", "Language",
        "TOML",
        "Configuration", "Persistence", "Values", "System", "Bus", "Sound",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: mainLoop),

    // The tests. `TestData` finds the files that they read, and makes random choices. `Lab` starts
    // real servers for them in a private desktop, and ends these servers.
    .target(name: "TestData", path: "Tests/TestData"),
    .target(
      name: "Lab", dependencies: ["TestData", "CGLib"], path: "Tests/Lab",
      exclude: [
        "bus-burst.py", "bus-caller.py", "config-faults.py", "dbus-broker.py", "deaf-log.py",
        "desktops", "full-terminal.py", "hanging-mount.py", "idle-monitor.py", "login-manager.py",
        "media-player.py", "notification-server.py", "odd-service.py", "output-faults.py",
      ]),
    .executableTarget(
      name: "benchmark", dependencies: ["Lab", "Scheduling"], path: "Tests/Benchmark",
      exclude: ["floor.c", "last.tsv", "README.md", "run"]),
    .executableTarget(name: "rewriter", dependencies: ["System"], path: "Tests/Rewriter"),
    .testTarget(
      name: "SchedulingTests", dependencies: ["Scheduling", "TestData"],
      exclude: ["Calendar/zones.txt"]),
    .testTarget(
      name: "ICalendarTests", dependencies: ["ICalendar", "Scheduling", "TestData"],
      exclude: ["days.txt"]),
    .testTarget(name: "LanguageTests", dependencies: ["Language"]),
    .testTarget(name: "ValuesTests", dependencies: ["Values", "Scheduling"]),
    .testTarget(name: "CitiesTests", dependencies: ["Cities", "Scheduling"]),
    .testTarget(
      name: "ConfigurationTests",
      dependencies: ["Configuration", "Cities", "TOML", "Scheduling", "Language", "TestData"],
      exclude: ["Complaints", "Edits.txt", "Phrases.txt", "complete.toml"]),
    .testTarget(
      name: "PersistenceTests",
      dependencies: [
        "Persistence", "Configuration", "Cities", "TOML", "Values", "Scheduling", "TestData",
      ],
      exclude: ["Problems.txt"]),
    .testTarget(
      name: "ShellTests",
      dependencies: [
        "System", "Bus", "Notifications", "Sound", "Player", "Doctor", "Configuration",
        "Scheduling", "Language", "Values", "TestData", "Lab", "CGLib", "rewriter", "belfry-sound",
      ],
      exclude: ["sun.txt"], swiftSettings: mainLoop),
    .testTarget(
      name: "DoctorTests",
      dependencies: [
        "Doctor", "Presentation", "Configuration", "Language", "Values", "Scheduling", "System",
        "TestData",
      ],
      swiftSettings: mainLoop),
    .testTarget(
      name: "AgentTests",
      dependencies: [
        "Agent", "Bus", "Notifications", "Sound", "Files", "Presentation", "Configuration",
        "Language", "Persistence", "Scheduling", "System",
      ],
      swiftSettings: mainLoop),
    .testTarget(
      name: "ScreenTests",
      dependencies: [
        "Screen", "Presentation", "Scheduling", "Configuration", "Language", "System", "TestData",
      ],
      exclude: ["Screens.txt"], swiftSettings: mainLoop),
    .testTarget(
      name: "ProgramTests", dependencies: ["TestData", "Lab", "belfry", "belfryd", "belfry-sound"],
      exclude: [
        "BusMistakes.txt", "Calendars", "Commands/output.ics", "Commands/output.toml",
        "Commands/output.txt", "Imported", "Transcripts",
      ]),
    .testTarget(name: "LayeringTests", dependencies: ["belfry", "belfryd", "belfry-sound"]),
  ],
  cxxLanguageStandard: .cxx17
)

/// The targets that only compute, and their tests. `Tests/run --core` builds these alone.
let core: Set<String> = [
  "Scheduling", "Cities", "Language", "Values", "ICalendar", "CToml", "TOML", "Configuration",
  "Persistence", "TestData", "SchedulingTests", "ValuesTests", "CitiesTests", "LanguageTests",
  "ICalendarTests", "ConfigurationTests", "PersistenceTests",
]

if Context.environment["BELFRY_CORE"] == "1" {
  package.targets.removeAll { !core.contains($0.name) }
  (package.products, package.dependencies) = ([], [])
}
