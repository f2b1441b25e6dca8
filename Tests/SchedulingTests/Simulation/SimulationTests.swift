// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays random stories, which simulate years of alarms in seconds. In a story, the machine is
// suspended and restarted, the agent crashes between any two effects, the clock is set forward and
// back, the zone changes, and the user answers rings. The oracle checks each story. If a story
// fails, its seed is printed, and then the story itself, shortened. `BELFRY_EVENTS` sets the number
// of events, and `BELFRY_SEED` repeats a run.

import Scheduling
import TestData
import Testing

@Suite("Simulation")
struct SimulationTests {
  static let stepsPerStory = 1000

  @Test(
    "No ring is lost, no answered ring comes back, and no ring both rings and is missed")
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
        Issue.record("BELFRY_SEED=\(seed): \(error.text)")
        // Shortening a story can take minutes, so the seed was printed before.
        Issue.record("\(Self.tale(of: story, calendar))")
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
      "\(Int(years)) years in \(Int(seconds)) s, \(Int(Double(events) / seconds)) events/s"
    )
  }

  @Test(
    "The oracle finds the error of an agent that is broken on purpose, with a short story",
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

  /// Returns the steps of the shortened story as text.
  private static func tale(
    of story: Story, _ calendar: Calendar, _ sabotage: World.Sabotage = .none
  ) -> String {
    let short = story.shortened { violation(in: $0, calendar, sabotage) != nil }
    var world = World(short, calendar, sabotage: sabotage, keepsLog: true)
    var end = "nothing is wrong any more"
    do throws(Violation) { try world.play(short) } catch { end = error.text }
    let alarms = short.alarms.filter(\.enabled).map {
      "alarm \($0.id): \($0.recurrence.signature), late \($0.ring.late.text), rings for "
        + "\($0.ring.ringFor?.text ?? "ever"), \($0.ring.unanswered) up to \($0.ring.autoSnoozeLimit)"
        + " times"
    }
    return (["In \(short.zone):"] + alarms + world.log + [end]).joined(separator: "\n")
  }
}
