import type { HierarchyInput, HierarchyNode } from '../../../src/forecast/index.ts'
import { gaussian, poisson, randomOf } from '../signals.ts'

const dayMs = 86_400_000
export const since = '2025-01-06'
const firstDay = Date.parse(since) / dayMs
const weekdays = [0.6, 0.8, 0.8, 0.7, 0.4, 0, 0]

export const dateOf = (day: number): string => new Date((firstDay + day) * dayMs).toISOString().slice(0, 10)

/** A building of two floors with two teams each, whose common busy days are booked in advance or not. */
export function building({ days, seed = 1, isBooked = true }: { days: number; seed?: number; isBooked?: boolean }) {
  const random = randomOf(seed)
  const busy = Array.from({ length: days + 90 }, () => Math.exp(0.35 * gaussian(random)))
  const noise = Array.from({ length: days + 90 }, () => 40 * random())
  const teams = ['a1', 'a2', 'b1', 'b2'].map((id, index): HierarchyNode => {
    const size = 15 + 20 * index
    const values = busy.map((factor, day) => poisson(random, size * (weekdays[day % 7] ?? 0) * factor))
    const covariate = { since, values: isBooked ? busy.map((factor) => 50 * factor) : noise }
    return { id, parent: id.charAt(0), series: { since, values }, covariate }
  })
  const all: HierarchyNode[] = [
    { id: 'building', parent: null },
    { id: 'a', parent: 'building' },
    { id: 'b', parent: 'building' },
    ...teams,
  ]
  const nodes = all.map((node) =>
    node.series ? { ...node, series: { since, values: Array.from(node.series.values).slice(0, days) } } : node,
  )
  return { nodes, all }
}

export function inputOf(nodes: HierarchyNode[], days: number, rest: Partial<HierarchyInput> = {}): HierarchyInput {
  return { nodes, lastDate: dateOf(days - 1), horizon: 14, paths: 100, ...rest }
}
