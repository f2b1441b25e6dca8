// SPDX-License-Identifier: GPL-3.0-or-later
//
// Years of households' alarms in seconds: random suspends, reboots, crashes between any two
// effects, clocks set both ways, zones and answers, judged by the oracle. A story that fails is
// shortened to what it cannot fail without, and told. `BELFRY_EVENTS` makes it longer,
// `BELFRY_SEED` repeats it.

import Lab
import Scheduling
import Testing

@Suite("Simulation")
struct SimulationTests {
  static let stepsPerStory = 1000

  @Test(
    "Whatever happens: nothing lost, nothing answered returns, nothing both rings and is missed")
  func households() {
    let wanted = Chance.asked("BELFRY_EVENTS") ?? 100_000
    let calendar = Calendar()
    var (events, wakeUps, seed) = (0, 0, Chance.firstSeed)
    var elapsed: Duration = .zero
    let clock = ContinuousClock()
    let begun = clock.now
    while events < wanted {
      let story = Story(seed: seed, steps: Self.stepsPerStory)
      var world = World(story, calendar)
      do throws(Violation) { try world.play(story) } catch {
        Issue.record("BELFRY_SEED=\(seed): \(error.text)\n\(Self.tale(of: story, calendar))")
        return
      }
      (events, wakeUps, elapsed) = (
        events + world.events, wakeUps + world.wakeUps, elapsed + world.elapsed
      )
      seed += 1
    }
    let seconds = (clock.now - begun) / .seconds(1)
    let years = elapsed / .hours(24 * 365)
    print(
      "simulation: seeds \(Chance.firstSeed)..<\(seed), \(events) events, \(wakeUps) wake-ups,",
      "\(Int(years)) years in \(Int(seconds * 10) / 10) s, \(Int(Double(events) / seconds)) events/s"
    )
  }

  @Test(
    "An agent that is broken on purpose is found out, and its story is short",
    arguments: [
      World.Sabotage.forgetsOnRestart, .oversleepsDeadlines, .losesAnswers,
    ])
  func sabotage(how: World.Sabotage) {
    let calendar = Calendar()
    func fails(_ story: Story) -> Bool { Self.violation(in: story, calendar, how) != nil }
    let found = (0..<20).lazy.map { Story(seed: $0, steps: 300) }.first { fails($0) }
    guard let found else {
      Issue.record("the oracle sees nothing")
      return
    }
    let short = found.shortened(while: fails)
    #expect(short.steps.count <= 10, "\(Self.tale(of: short, calendar, how))")
  }

  private static func violation(
    in story: Story, _ calendar: Calendar, _ sabotage: World.Sabotage = .none
  ) -> Violation? {
    var world = World(story, calendar, sabotage: sabotage)
    do throws(Violation) { try world.play(story) } catch { return error }
    return nil
  }

  /// The shortest story that still fails, as text.
  private static func tale(
    of story: Story, _ calendar: Calendar, _ sabotage: World.Sabotage = .none
  ) -> String {
    let short = story.shortened { violation(in: $0, calendar, sabotage) != nil }
    var world = World(short, calendar, sabotage: sabotage, keepsLog: true)
    var end = "nothing is wrong any more"
    do throws(Violation) { try world.play(short) } catch { end = error.text }
    let alarms = short.alarms.filter(\.enabled).map {
      "alarm \($0.id): \($0.recurrence.signature), late \($0.ring.late.text), rings for "
        + "\($0.ring.ringFor?.text ?? "ever"), \($0.ring.unanswered) up to \($0.ring.autoSnoozes) times"
    }
    return (["In \(short.zone):"] + alarms + world.log + [end]).joined(separator: "\n")
  }
}
