import { expect, it } from '@jest/globals'
import {
  forecastHierarchy,
  type HierarchyForecast,
  HierarchyInputError,
  type HierarchyNode,
  HierarchyTooShortError,
  minimumDays,
  samplePathsOf,
} from '../../../src/forecast/index.ts'
import { building, dateOf, inputOf, since } from './company.ts'

const days = 140

function nodeOf(forecast: HierarchyForecast, id: string) {
  const node = forecast.nodes.find((one) => one.id === id)
  if (node === undefined) throw new Error(`no node ${id}`)
  return node
}

it('adds up in means and in every sample path, and is the same for the same seed', () => {
  const { nodes } = building({ days })
  const forecast = forecastHierarchy(inputOf(nodes, days))
  for (const [parent, children] of [
    ['building', ['a', 'b']],
    ['a', ['a1', 'a2']],
    ['b', ['b1', 'b2']],
  ] as const) {
    nodeOf(forecast, parent).mean.forEach((value, day) => {
      const sum = children.reduce((total, child) => total + (nodeOf(forecast, child).mean[day] ?? 0), 0)
      expect(Math.abs(value - sum)).toBeLessThan(1e-6)
    })
    const below = children.map((child) => samplePathsOf(forecast, child))
    samplePathsOf(forecast, parent).forEach((value, at) => {
      if (value !== (below[0]?.[at] ?? 0) + (below[1]?.[at] ?? 0)) throw new Error(`path value ${at} does not add up`)
    })
  }
  const [narrow, wide] = nodeOf(forecast, 'building').bounds
  for (const [day, lower] of narrow?.lower.entries() ?? []) expect(wide?.lower[day]).toBeLessThanOrEqual(lower)
  expect(forecast.dates[0]).toBe(dateOf(days))
  expect(forecast.paths.values.every((value) => value >= 0)).toBe(true)
  expect(forecastHierarchy(inputOf(nodes, days))).toEqual(forecast)
  expect(forecastHierarchy(inputOf(nodes, days, { seed: 2 })).paths).not.toEqual(forecast.paths)
})

it('warns of no level that was not asked for', () => {
  const { nodes } = building({ days })
  const { warnings } = forecastHierarchy(inputOf(nodes, days, { levels: [0.5, 0.95] }))
  expect(warnings.filter((text) => text.includes('80 %'))).toEqual([])
})

it('uses a covariate only where it lowers the error of the backtest, and says by how much', () => {
  const informed = forecastHierarchy(inputOf(building({ days }).nodes, days))
  const { covariate } = nodeOf(informed, 'building')
  expect(covariate?.isUsed).toBe(true)
  expect(covariate?.wapeWith ?? 1).toBeLessThan(0.8 * (covariate?.wapeWithout ?? 0))
  const useless = forecastHierarchy(inputOf(building({ days, isBooked: false }).nodes, days))
  const root = nodeOf(useless, 'building').covariate
  expect(root?.isUsed).toBe((root?.wapeWith ?? 1) < 0.99 * (root?.wapeWithout ?? 0))
  expect(useless.nodes.filter((node) => node.covariate?.isUsed).length).toBeLessThanOrEqual(2)
})

it('ignores a covariate beyond the days for which it is known', () => {
  const { nodes } = building({ days })
  const limited = nodes.map((node) =>
    node.covariate ? { ...node, covariate: { ...node.covariate, daysAhead: 0 } } : node,
  )
  const forecast = forecastHierarchy(inputOf(limited, days))
  expect(forecast.nodes.some((node) => node.covariate?.isUsed)).toBe(false)
})

it('forecasts what a total has besides its children as a remainder, also a negative one', () => {
  const { nodes } = building({ days })
  const sums = Array.from({ length: days }, (_, day) =>
    nodes.reduce((sum, { series }) => sum + (series?.values[day] ?? 0), 0),
  )
  for (const factor of [1.2, 0.9]) {
    const given = nodes.map(
      (node): HierarchyNode =>
        node.parent === null ? { ...node, series: { since, values: sums.map((sum) => factor * sum) } } : node,
    )
    const forecast = forecastHierarchy(inputOf(given, days))
    const { mean, remainder } = nodeOf(forecast, 'building')
    const total = mean.reduce((sum, value) => sum + value, 0)
    const rest = (remainder ?? new Float64Array()).reduce((sum, value) => sum + value, 0)
    expect(rest / total).toBeCloseTo((factor - 1) / factor, 1)
    mean.forEach((value, day) => {
      const [a = 0, b = 0] = [nodeOf(forecast, 'a').mean[day], nodeOf(forecast, 'b').mean[day]]
      expect(Math.abs(value - a - b - (remainder?.[day] ?? 0))).toBeLessThan(1e-6)
    })
    expect(samplePathsOf(forecast, 'building').every((value) => value >= 0)).toBe(true)
  }
})

it.each([
  ['opened', (day: number) => day >= days - minimumDays(14), 1.5],
  ['opened again', (day: number) => day < 40 || day >= 94, 3],
])('has intervals of what a floor has had since it %s', (_, isOpen, most) => {
  const total = new Float64Array(days)
  const nodes = building({ days, isBooked: false }).nodes.map((node): HierarchyNode => {
    if (node.parent !== 'b' || node.series === undefined) return node
    const values = Array.from(node.series.values, (value, day) => (isOpen(day) ? value : 0))
    for (const [day, value] of values.entries()) total[day] = (total[day] ?? 0) + (value ?? 0)
    return { ...node, series: { since, values } }
  })
  const { bounds } = nodeOf(forecastHierarchy(inputOf(nodes, days)), 'b')
  expect(Math.max(...bounds.flatMap(({ upper }) => [...upper]))).toBeLessThan(most * Math.max(...total))
})

it.each<[string, (nodes: HierarchyNode[]) => Partial<ReturnType<typeof inputOf>>, string]>([
  ['a missing parent', (nodes) => ({ nodes: nodes.slice(1) }), '"building"'],
  ['a repeated id', (nodes) => ({ nodes: [...nodes, { id: 'a', parent: null }] }), '"a" is given twice'],
  ['a circle', (nodes) => ({ nodes: nodes.map((node, i) => (i === 0 ? { ...node, parent: 'a' } : node)) }), 'ancestor'],
  ['a horizon over 90 days', () => ({ horizon: 91 }), '1 to 90'],
  ['too few paths', () => ({ paths: 10 }), '100 to 500'],
  [
    'values that paths are too coarse for',
    (nodes) => ({
      nodes: [
        { ...nodes[3], id: 'big', parent: null, series: { since, values: Array.from({ length: days }, () => 5e6) } },
      ],
    }),
    'larger unit',
  ],
  ['values after the last date', () => ({ lastDate: dateOf(50) }), 'last day'],
])('refuses %s', (_, change, named) => {
  const { nodes } = building({ days })
  const refused = (): unknown => forecastHierarchy({ ...inputOf(nodes, days), ...change(nodes) })
  expect(refused).toThrow(HierarchyInputError)
  expect(refused).toThrow(named)
})

it('refuses nodes with too little history and says how much they need', () => {
  const { nodes } = building({ days })
  const young = nodes.map((node) =>
    node.id === 'a2'
      ? { ...node, series: { since: dateOf(days - 20), values: Array.from({ length: 20 }, () => 5) } }
      : node,
  )
  try {
    forecastHierarchy(inputOf(young, days, { horizon: 30 }))
    throw new Error('not refused')
  } catch (error) {
    if (!(error instanceof HierarchyTooShortError)) throw error
    expect(error.required).toBe(minimumDays(30))
    expect(error.nodes).toEqual([{ id: 'a2', available: 20 }])
    expect(error.message).toContain(`at least ${minimumDays(30)} days`)
  }
})

it('leaves typing errors and closures out of the history of a space, and names them', () => {
  const { nodes } = building({ days })
  const changed = (factorOf: (day: number) => number) =>
    nodes.map((node) => {
      const values = Array.from(node.series?.values ?? [], (value, day) =>
        value === null ? null : Math.round(value * factorOf(day)),
      )
      return node.series && node.id === 'b2' ? { ...node, series: { ...node.series, values } } : node
    })
  const usual = forecastHierarchy(inputOf(nodes, days))
  const sumOf = (forecast: HierarchyForecast) =>
    nodeOf(forecast, 'building').mean.reduce((sum, value) => sum + value, 0)
  for (const [factorOf, warning] of [
    [(day: number) => (day === days - 4 ? 100 : 1), /^The value \d+ at \S+ is far above all others/],
    [(day: number) => (day === days - 4 ? 0.02 : 1), /^Far fewer than usual were counted on /],
    [(day: number) => (day >= 90 && day < 120 ? 0 : 1), /^Almost nothing was counted from \S+ to \S+: /],
  ] as const) {
    const forecast = forecastHierarchy(inputOf(changed(factorOf), days))
    expect(nodeOf(forecast, 'b2').warnings).toEqual([expect.stringMatching(warning)])
    expect(Math.abs(sumOf(forecast) / sumOf(usual) - 1)).toBeLessThan(0.2)
  }
  expect(usual.nodes.flatMap(({ warnings }) => warnings)).toEqual([])
})
