import { describe, expect, it } from '@jest/globals'
import { createMissing } from '../../src/scenarios/result/missing-places.ts'
import { createSeating, type SeatedTeam } from '../../src/scenarios/result/seat-people.ts'
import { randomFrom } from '../privacy/random-lattice.ts'

/** Returns the most by which a set of teams exceeds the floors that its members may use (Hall, 1935). */
function missingOf(teams: readonly SeatedTeam[], capacities: readonly number[], people: readonly number[]): number {
  let most = 0
  for (let set = 1; set < 2 ** teams.length; set++) {
    const members = [...teams.keys()].filter((team) => (set >> team) & 1)
    const floors = new Set(members.flatMap((team) => teams[team]?.allowed ?? []))
    const places = [...floors].reduce((sum, floor) => sum + (capacities[floor] ?? 0), 0)
    most = Math.max(most, members.reduce((sum, team) => sum + (people[team] ?? 0), 0) - places)
  }
  return most
}

describe('createSeating', () => {
  it('leaves as few without a place as there must be, in 2,000 random cases', () => {
    let without = 0
    for (let seed = 1; seed <= 2000; seed++) {
      const random = randomFrom(seed)
      const int = (below: number) => Math.floor(random() * below)
      const capacities = Array.from({ length: 2 + int(4) }, () => int(12))
      const teams = Array.from({ length: 1 + int(5) }, (): SeatedTeam => {
        const allowed = [...capacities.keys()].filter(() => random() < 0.5)
        const floors = allowed.filter(() => random() < 0.5)
        return { allowed, planned: floors.map((floor) => ({ floor, share: 1 / floors.length })) }
      })
      const people = teams.map(() => int(15))
      const expected = missingOf(teams, capacities, people)
      const { withoutPlace, elsewhere } = createSeating(teams, capacities)(people)
      expect({ seed, withoutPlace }).toEqual({ seed, withoutPlace: expect.closeTo(expected, 4) })
      expect(elsewhere).toBeLessThanOrEqual(people.reduce((sum, count) => sum + count, 0) - expected + 1e-6)
      const missing = createMissing(
        teams.map(({ allowed }) => allowed),
        capacities,
      )
      expect({ seed, missing: missing(people) }).toEqual({ seed, missing: expected })
      if (expected > 0) without++
    }
    expect(without).toBeGreaterThan(500)
  })

  it('sends those who find their floor full to a free one, and tells how many they are', () => {
    const teams = [
      { planned: [{ floor: 0, share: 1 }], allowed: [0, 1] },
      { planned: [{ floor: 1, share: 1 }], allowed: [1] },
    ]
    const seat = createSeating(teams, [10, 10])
    expect(seat([10, 4])).toEqual({ withoutPlace: 0, elsewhere: 0 })
    expect(seat([13, 4])).toEqual({ withoutPlace: 0, elsewhere: expect.closeTo(3, 6) })
    expect(seat([13, 9])).toEqual({ withoutPlace: expect.closeTo(2, 6), elsewhere: expect.closeTo(1, 6) })
  })
})
