import {
  type ForecastThreads,
  type HierarchyForecast,
  type HierarchyNode,
  samplePathsOf,
} from '../../../services/solutions/src/forecast/index.ts'
import type { Row } from '../harness/report.ts'

/** A hierarchy cut at an origin, with what followed. */
export interface Case {
  nodes: HierarchyNode[]
  lastDate: string
  /** The values of each node after the last date, NaN where there is none. */
  actual: Map<string, number[]>
}

interface Sums {
  error: number
  independent: number
  size: number
  inside80: number
  inside95: number
  count: number
}

/** Forecasts all cases, and compares each depth of the tree with what followed. Returns a row for each depth. */
export async function measureCases(
  name: string,
  cases: readonly Case[],
  horizon: number,
  threads: ForecastThreads,
): Promise<Row[]> {
  const depths: Sums[] = []
  let incoherence = 0
  let totalMs = 0
  let reported: (number | null | undefined)[] = []
  for (const { nodes, lastDate, actual } of cases) {
    const startedAt = performance.now()
    const forecast = await threads.runHierarchy({ nodes, lastDate, horizon }, { workspaceId: 'bench' })
    totalMs += performance.now() - startedAt
    incoherence = Math.max(incoherence, incoherenceOf(forecast))
    reported = forecast.depths.map(({ coverage }) => coverage[0]?.share)
    for (const { id, depth, mean, independent, bounds } of forecast.nodes) {
      const sums = depths[depth] ?? { error: 0, independent: 0, size: 0, inside80: 0, inside95: 0, count: 0 }
      depths[depth] = sums
      mean.forEach((value, day) => {
        const real = actual.get(id)?.[day] ?? Number.NaN
        if (Number.isNaN(real)) return
        sums.error += Math.abs(real - value)
        sums.independent += Math.abs(real - (independent[day] ?? 0))
        sums.size += Math.abs(real)
        // A closed day is certain, and in every interval.
        const isCertain = bounds.every(({ lower, upper }) => lower[day] === upper[day])
        if (isCertain) return
        sums.count += 1
        const [inside80, inside95] = bounds.map(({ lower, upper }) =>
          (lower[day] ?? 0) <= real && real <= (upper[day] ?? 0) ? 1 : 0,
        )
        sums.inside80 += inside80 ?? 0
        sums.inside95 += inside95 ?? 0
      })
    }
  }
  return depths.map(({ error, independent, size, inside80, inside95, count }, depth) => ({
    case: name,
    horizon,
    depth,
    'WAPE %': (100 * error) / size,
    'WAPE % of single nodes': (100 * independent) / size,
    'inside 80 %': (100 * inside80) / count,
    'inside 95 %': (100 * inside95) / count,
    'reported inside 80 %': 100 * (reported[depth] ?? Number.NaN),
    'largest incoherence': incoherence,
    'ms a node': totalMs / cases.length / (cases[0]?.nodes.length ?? 1),
  }))
}

/** Returns the largest difference between a node and the sum of its children, of means and of sample paths. */
function incoherenceOf(forecast: HierarchyForecast): number {
  const { nodes } = forecast
  let largest = 0
  for (const { id, mean, remainder } of nodes) {
    const children = nodes.filter(({ parent }) => parent === id)
    if (children.length === 0 || remainder !== undefined) continue
    const below = children.map((child) => samplePathsOf(forecast, child.id))
    for (const [at, value] of samplePathsOf(forecast, id).entries()) {
      const sum = below.reduce((total, path) => total + (path[at] ?? 0), 0)
      largest = Math.max(largest, Math.abs(value - sum))
    }
    mean.forEach((value, day) => {
      const sum = children.reduce((total, child) => total + (child.mean[day] ?? 0), 0)
      largest = Math.max(largest, Math.abs(value - sum))
    })
  }
  return largest
}
