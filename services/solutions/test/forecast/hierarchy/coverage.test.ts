import { expect, it } from '@jest/globals'
import { combineHierarchy } from '../../../src/forecast/hierarchy/combine-hierarchy.ts'
import { prepareHierarchy } from '../../../src/forecast/hierarchy/prepare.ts'
import type { HierarchyNode } from '../../../src/forecast/index.ts'
import { gaussian, randomOf } from '../signals.ts'
import { dateOf, since } from './company.ts'

const days = 700
const horizon = 28
const weekdays = [100, 120, 120, 110, 60, 8, 0]

/** Teams whose days are good and bad together, in part, and whose level wanders. The forecast is the expectation. */
function simulate(seed: number) {
  const random = randomOf(seed)
  const series = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'].map((): number[] => [])
  let level = 0
  for (let day = 0; day < days + horizon; day += 1) {
    level = 0.97 * level + 0.02 * gaussian(random)
    const common = 0.1 * gaussian(random)
    for (const values of series) {
      const factor = Math.exp(level + common + 0.15 * gaussian(random))
      values.push(Math.round((weekdays[day % 7] ?? 0) * factor))
    }
  }
  const teams = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']
  const nodes: HierarchyNode[] = [
    { id: 'all', parent: null },
    { id: 'a', parent: 'all' },
    { id: 'b', parent: 'all' },
    ...teams.map((id, index) => ({
      id,
      parent: id.charAt(0),
      series: { since, values: series[index]?.slice(0, days) ?? [] },
    })),
  ]
  const actualOf = (id: string, day: number): number =>
    teams.reduce((sum, team, index) => sum + (id === 'all' || team.startsWith(id) ? (series[index]?.[day] ?? 0) : 0), 0)
  return { nodes, actualOf }
}

it('keeps the coverage of intervals at every depth', () => {
  const inside = [0, 1, 2].map(() => ({ 80: 0, 95: 0, count: 0 }))
  for (let seed = 1; seed <= 20; seed += 1) {
    const { nodes, actualOf } = simulate(seed)
    const prepared = prepareHierarchy({ nodes, lastDate: dateOf(days - 1), horizon })
    const results = nodes.map(({ id }) => {
      const teams = id === 'all' ? 6 : id.length === 1 ? 3 : 1
      const expected = Float64Array.from({ length: horizon }, (_, day) => 1.02 * teams * (weekdays[day % 7] ?? 0))
      const folds = prepared.backs.map(() => expected)
      return { folds, naive: folds, future: expected, holidays: null, covariate: null }
    })
    const forecast = combineHierarchy(prepared, results, { nodes, levels: [0.8, 0.95], paths: 200, seed })
    for (const { id, depth, bounds } of forecast.nodes) {
      const sums = inside[depth]
      for (let day = 0; sums && day < horizon; day += 1) {
        const actual = actualOf(id, days + day)
        const [narrow, wide] = bounds.map(
          ({ lower, upper }) => (lower[day] ?? 0) <= actual && actual <= (upper[day] ?? 0),
        )
        // Sundays are certain.
        if ((days + day) % 7 === 6) continue
        sums.count += 1
        sums[80] += Number(narrow)
        sums[95] += Number(wide)
      }
    }
  }
  for (const sums of inside) {
    expect(Math.abs(sums[80] / sums.count - 0.8)).toBeLessThan(0.06)
    expect(Math.abs(sums[95] / sums.count - 0.95)).toBeLessThan(0.04)
  }
})
