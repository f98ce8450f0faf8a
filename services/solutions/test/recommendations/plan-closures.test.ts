import { describe, expect, it } from '@jest/globals'
import { planClosures, type Unit } from '../../src/recommendations/plan-closures.ts'
import { randomOf } from '../forecast/signals.ts'

const unit = (name: string, upper: number, capacity?: number, isUnderused = true): Unit => ({
  profile: { key: { floor: name }, ...(capacity === undefined ? {} : { capacity }), past: [], coming: [] },
  demand: { weekday: 4, days: [], pastPeaks: [upper], expected: upper, upper, typical: upper },
  reference: capacity ?? 100,
  isUnderused,
})

/** Returns the closed floors, each with its hosts. */
const closed = (units: readonly Unit[]): Record<string, string> =>
  Object.fromEntries(
    [...planClosures(units)].map(([{ profile }, hosts]) => [
      profile.key.floor ?? '',
      hosts.map(({ unit: host, people }) => `${host.profile.key.floor}:${people}`).join(' '),
    ]),
  )

describe('closing units on a weekday', () => {
  it.each<[string, Unit[], Record<string, string>]>([
    ['closes the emptier one of two', [unit('1', 30, 100), unit('2', 20, 100)], { '2': '1:20' }],
    [
      'closes two for one host',
      [unit('1', 10, 100), unit('2', 20, 100), unit('3', 30, 100)],
      { '1': '2:10', '3': '2:30' },
    ],
    [
      'divides people between hosts',
      [unit('1', 30, 100), unit('2', 80, 100, false), unit('3', 85, 100, false)],
      { '1': '2:20 3:10' },
    ],
    ['leaves all open without room', [unit('1', 30, 100), unit('2', 80, 100, false)], {}],
    ['moves no one to a unit without a capacity', [unit('1', 30), unit('2', 20)], {}],
    ['closes a unit without a capacity', [unit('1', 30), unit('2', 20, 100, false)], { '1': '2:30' }],
    ['uses the last place', [unit('1', 30, 100), unit('2', 70, 100, false)], { '1': '2:30' }],
    ['leaves busy units open', [unit('1', 30, 100, false), unit('2', 20, 100, false)], {}],
  ])('%s', (_title, units, expected) => {
    expect(closed(units)).toEqual(expected)
  })

  it('keeps every host open and within its capacity, and loses no one, in random buildings', () => {
    let closures = 0
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = randomOf(seed)
      const units = Array.from({ length: 2 + Math.floor(random() * 8) }, (_, floor) => {
        const capacity = 20 + Math.floor(random() * 200)
        const upper = random() * capacity
        return unit(`${floor}`, upper, capacity, upper < 0.4 * capacity)
      })
      const plan = planClosures(units)
      const load = new Map(units.map((one) => [one, plan.has(one) ? 0 : one.demand.upper]))
      for (const [closedUnit, hosts] of plan) {
        closures += 1
        expect(closedUnit.isUnderused).toBe(true)
        for (const { unit: host, people } of hosts) {
          expect(plan.has(host)).toBe(false)
          load.set(host, (load.get(host) ?? 0) + people)
        }
      }
      const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0)
      expect(sum(load.values())).toBeCloseTo(sum(units.map(({ demand }) => demand.upper)), 6)
      for (const [{ profile }, people] of load) expect(people).toBeLessThanOrEqual((profile.capacity ?? 0) + 1e-9)
    }
    expect(closures).toBeGreaterThan(100)
  })
})
