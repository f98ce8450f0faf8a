import { dayOf } from '../../workplace/local-days.ts'
import { HierarchyInputError, HierarchyTooShortError } from '../errors.ts'
import { beginOf } from '../series/unusual/zero-ends.ts'
import { type DailyValues, difference, isTiny, readSeries, sumOf } from './daily-values.ts'
import { minimumDays, planHierarchyFolds } from './hierarchy-folds.ts'
import type { NodeTask } from './node/node-forecast.ts'
import { inheritHolidays, specialDaysOf } from './node/special-days.ts'
import type { Covariate, HierarchyInput, HierarchyNode } from './shapes.ts'
import { buildTree, type Tree } from './tree.ts'

/** A hierarchy with a leaf for each remainder, after the nodes of the input. */
export interface PreparedHierarchy {
  tree: Tree
  tasks: NodeTask[]
  /** The number of the remainder of each node of the input, or -1. */
  remainders: Int32Array
  backs: number[]
  horizon: number
  /** The first day of the forecast, since 1970-01-01. */
  firstDay: number
  /** Of each node of the input. */
  warnings: string[][]
}

/** Nodes of one hierarchy. */
export const maxNodes = 2_000
const maxHorizon = 90
/** Of larger sums, sample paths would be too coarse for the smallest nodes. */
export const maxValue = 4_000_000

/**
 * Checks a hierarchy, sums the nodes that have no values of their own, and gives those that have more than their
 * children a leaf for the remainder.
 * @throws HierarchyInputError if it is invalid; HierarchyTooShortError if nodes have too little history
 */
export function prepareHierarchy({ nodes, lastDate, horizon }: HierarchyInput): PreparedHierarchy {
  checkSize(nodes, horizon)
  const last = dayOf(lastDate)
  const tree = buildTree(nodes)
  const special = inheritHolidays(nodes, tree).map(specialDaysOf)
  const own = nodes.map((node, number) => readSeries(node, last, new Set(special[number]?.keys())))
  checkLengths(nodes, own, horizon, last)
  const series: DailyValues[] = []
  const remainders = new Int32Array(nodes.length).fill(-1)
  const branches = nodes.map(({ id, parent }) => ({ id, parent }))
  const rest: { of: number; series: DailyValues }[] = []
  for (const number of tree.bottomUp) {
    const below = (tree.children[number] ?? []).flatMap((child) => series[child] ?? [])
    const given = own[number]
    const { id } = nodes[number] ?? { id: '' }
    if (below.length === 0) {
      if (given) series[number] = given
      continue
    }
    const sum = sumOf(below, last)
    const remainder = given === undefined ? null : difference(given, sum)
    if (given === undefined || remainder === null || isTiny(remainder, given)) {
      // The parent is exactly the sum of its children, so that the errors of the backtest add up.
      series[number] = sum
      continue
    }
    series[number] = given
    remainders[number] = nodes.length + rest.length
    rest.push({ of: number, series: remainder })
    branches.push({ id: `${id}\u0000`, parent: id })
  }
  series.push(...rest.map((leaf) => leaf.series))
  checkValues(nodes, series)
  const shortest = Math.min(...series.map(({ values }) => values.length))
  const backs = planHierarchyFolds(shortest, horizon)
  const covariates = inheritCovariates(nodes, tree, horizon)
  const tasks = series.map((one, number): NodeTask => {
    const source = number < nodes.length ? number : (rest[number - nodes.length]?.of ?? 0)
    return {
      ...one,
      begin: beginOf(one.values, 'day'),
      special: special[source] ?? new Map(),
      covariate: number < nodes.length ? (covariates[number] ?? null) : null,
      isNonNegative: one.values.every((value) => value >= 0),
      horizon,
      backs,
    }
  })
  const warnings = own.map((one) => one?.warnings ?? [])
  return { tree: buildTree(branches), tasks, remainders, backs, horizon, firstDay: last + 1, warnings }
}

function checkSize(nodes: readonly HierarchyNode[], horizon: number): void {
  if (!Number.isInteger(horizon) || horizon < 1 || horizon > maxHorizon) {
    throw new HierarchyInputError(`The horizon must be a whole number of days, 1 to ${maxHorizon}.`)
  }
  if (nodes.length === 0 || nodes.length > maxNodes) {
    throw new HierarchyInputError(`A hierarchy has 1 to ${maxNodes} nodes, not ${nodes.length}.`)
  }
}

function checkValues(nodes: readonly HierarchyNode[], series: readonly DailyValues[]): void {
  const large = series.findIndex(({ values }) => values.some((value) => Math.abs(value) > maxValue))
  if (large < 0) return
  const { id = '' } = nodes[large] ?? {}
  throw new HierarchyInputError(`The node "${id}" has a value beyond ${maxValue}; give all values in a larger unit.`)
}

function checkLengths(
  nodes: readonly HierarchyNode[],
  own: readonly (DailyValues | undefined)[],
  horizon: number,
  last: number,
): void {
  const required = minimumDays(horizon)
  const parents = new Set(nodes.map(({ parent }) => parent))
  const short = nodes.flatMap(({ id }, number) => {
    const series = own[number]
    if (series === undefined) return parents.has(id) ? [] : [{ id, available: 0 }]
    const present = series.observed.reduce((sum, seen) => sum + seen, 0)
    if (series.values.length >= required && present >= required / 2) return []
    return [{ id, available: Math.min(last - series.first + 1, 2 * present) }]
  })
  if (short.length > 0) throw new HierarchyTooShortError(required, short)
}

/** Reads covariates; a node without one has the sum of its children's, if all have one. */
function inheritCovariates(
  nodes: readonly HierarchyNode[],
  { children, bottomUp }: Tree,
  horizon: number,
): NodeTask['covariate'][] {
  const found: NodeTask['covariate'][] = nodes.map(({ covariate }) =>
    covariate ? readCovariate(covariate, horizon) : null,
  )
  for (const number of bottomUp) {
    const below = (children[number] ?? []).flatMap((child) => found[child] ?? [])
    if (found[number] !== null || below.length === 0 || below.length < (children[number]?.length ?? 0)) continue
    const first = Math.max(...below.map((one) => one.first))
    const end = Math.min(...below.map((one) => one.first + one.values.length))
    const values = Float64Array.from({ length: Math.max(0, end - first) }, (_, index) =>
      below.reduce((sum, one) => sum + (one.values[first + index - one.first] ?? Number.NaN), 0),
    )
    found[number] = { first, values, daysAhead: Math.min(...below.map(({ daysAhead }) => daysAhead)) }
  }
  return found
}

function readCovariate({ since, values, daysAhead }: Covariate, horizon: number): NodeTask['covariate'] {
  const column = { first: dayOf(since), values: Float64Array.from(values, (value) => value ?? Number.NaN) }
  return { ...column, daysAhead: Math.min(horizon, daysAhead ?? horizon) }
}
