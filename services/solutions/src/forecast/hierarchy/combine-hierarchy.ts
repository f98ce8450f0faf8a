import { dateOf } from '../../workplace/local-days.ts'
import { CoverageTable } from '../intervals/coverage-table.ts'
import type { Level } from '../shapes.ts'
import { foldsApart } from './hierarchy-folds.ts'
import { measureErrors } from './measure-errors.ts'
import type { NodeResult } from './node/node-forecast.ts'
import { adjustments, boundsOf, containsOf, eachNodeAndDay } from './paths/path-intervals.ts'
import { createSimulator, type Simulate } from './paths/simulator.ts'
import type { PreparedHierarchy } from './prepare.ts'
import { actualAt, type ReconciledForecasts, reconcileAll } from './reconcile/reconcile-backtest.ts'
import type { Bounds, HierarchyForecast, HierarchyInput } from './shapes.ts'
import { leavesBelow } from './tree.ts'

export interface CombineOptions {
  nodes: readonly Pick<HierarchyInput['nodes'][number], 'id' | 'parent'>[]
  levels: readonly Level[]
  paths: number
  seed: number
}

/** Folds whose paths calibrate the intervals, and the number of paths of each. */
const maxCalibrationFolds = 8
const calibrationPaths = 120

/** Reconciles the forecasts of single nodes, simulates paths, and derives the intervals of all nodes from them. */
export function combineHierarchy(
  prepared: PreparedHierarchy,
  results: readonly NodeResult[],
  options: CombineOptions,
  onProgress: (fraction: number) => void = () => {},
): HierarchyForecast {
  const { tree, remainders, backs, horizon, firstDay } = prepared
  const { nodes, levels, paths: count } = options
  const reconciled = reconcileAll(prepared, results)
  onProgress(0.3)
  const simulate = createSimulator(prepared, reconciled, options.seed)
  const coverage = measureCoverage(prepared, reconciled, simulate, options, (part) => onProgress(0.3 + 0.5 * part))
  const { byDepth, byNode, depths } = coverage
  const every = backs.map((_, fold) => fold)
  const values = simulate(reconciled.future, firstDay, every, count)
  const bounds = intervalsOf(prepared, reconciled, { values, places: simulate.places }, options, coverage)
  onProgress(0.95)
  const leaves = leavesBelow(tree)
  return {
    dates: Array.from({ length: horizon }, (_, day) => dateOf(firstDay + day)),
    nodes: nodes.map(({ id, parent }, number) => {
      const depth = tree.depths[number] ?? 0
      const remainder = reconciled.future[remainders[number] ?? -1]
      return {
        id,
        parent,
        depth,
        mean: reconciled.future[number] ?? new Float64Array(horizon),
        bounds: bounds[number] ?? [],
        ...(remainder === undefined ? {} : { remainder }),
        accuracy: {
          ...measureErrors(prepared, results, reconciled, number),
          coverage: levels.map((level) => ({ level, share: byNode.coverage(number, level, byDepth, depth) })),
        },
        holidays: results[number]?.holidays ?? null,
        covariate: results[number]?.covariate ?? null,
        warnings: prepared.warnings[number] ?? [],
      }
    }),
    paths: {
      count,
      horizon,
      values,
      leavesOf: nodes.map((_, number) => Uint32Array.from(leaves[number] ?? [], (leaf) => simulate.places[leaf] ?? 0)),
    },
    warnings: warningsOf(backs.length, byDepth, depths),
  }
}

interface Coverage {
  byDepth: CoverageTable
  byNode: CoverageTable
  /** Number of depths. */
  depths: number
  /** True for each node whose values are whole numbers. */
  isWhole: boolean[]
}

/** Simulates earlier times and counts how often their intervals contain what followed. */
function measureCoverage(
  prepared: PreparedHierarchy,
  reconciled: ReconciledForecasts,
  simulate: Simulate,
  { nodes, levels }: CombineOptions,
  onProgress: (part: number) => void,
): Coverage {
  const { tree, tasks, backs, horizon, firstDay } = prepared
  const depths = tree.depths.reduce((max, depth) => Math.max(max, depth), 0) + 1
  const byDepth = new CoverageTable(levels, { groups: depths, folds: backs.length, adjustments })
  const byNode = new CoverageTable(levels, { groups: nodes.length, folds: backs.length, adjustments })
  const isWhole = tasks.map(({ values }) => values.every(Number.isInteger))
  const tested = calibrationFolds(backs.length)
  for (const [index, fold] of tested.entries()) {
    const day = firstDay - (backs[fold] ?? 0)
    const apart = foldsApart(backs, horizon, fold)
    const values = simulate(reconciled.folds[fold] ?? [], day, apart, calibrationPaths)
    const size = { count: calibrationPaths, horizon }
    eachNodeAndDay(tree, simulate.places, values, size, (number, ahead, sorted) => {
      const actual = actualAt(prepared, number, fold, ahead)
      // A closed day is certain: it says nothing of the others.
      const isCertain = sorted[0] === sorted.at(-1)
      if (number >= nodes.length || isCertain || Number.isNaN(actual)) return
      const isInside = containsOf(sorted, actual, isWhole[number] ?? false)
      byDepth.add(tree.depths[number] ?? 0, fold, isInside)
      byNode.add(number, fold, isInside)
    })
    onProgress((index + 1) / tested.length)
  }
  return { byDepth, byNode, depths, isWhole }
}

/** Returns the intervals of each node and level, which contain its mean. */
function intervalsOf(
  { tree, horizon }: PreparedHierarchy,
  reconciled: ReconciledForecasts,
  { values, places }: Pick<Simulate, 'places'> & { values: ReturnType<Simulate> },
  { nodes, levels, paths: count }: CombineOptions,
  { byDepth, depths, isWhole }: Coverage,
): Bounds[][] {
  const bounds = nodes.map(() =>
    levels.map((level) => ({ level, lower: new Float64Array(horizon), upper: new Float64Array(horizon) })),
  )
  const adjusted = Array.from({ length: depths }, (_, depth) => levels.map((level) => byDepth.adjusted(depth, level)))
  eachNodeAndDay(tree, places, values, { count, horizon }, (number, day, sorted) => {
    const mean = reconciled.future[number]?.[day] ?? 0
    bounds[number]?.forEach(({ lower, upper }, index) => {
      const interval = boundsOf(sorted, adjusted[tree.depths[number] ?? 0]?.[index] ?? 0, isWhole[number] ?? false)
      lower[day] = Math.min(mean, interval.lower)
      upper[day] = Math.max(mean, interval.upper)
    })
  })
  return bounds
}

function calibrationFolds(folds: number): number[] {
  const count = Math.min(folds, maxCalibrationFolds)
  return Array.from({ length: count }, (_, index) => folds - 1 - Math.floor((index * folds) / count))
}

function warningsOf(folds: number, byDepth: CoverageTable, depths: number): string[] {
  const short =
    folds < 6
      ? [
          `There is so little history that the forecast was tested on ${folds} earlier times only; treat its intervals as rough.`,
        ]
      : []
  const poor = Array.from({ length: depths }, (_, depth) => depth).flatMap((depth) => {
    const coverage = byDepth.coverage(depth, 0.8)
    if (coverage === null || coverage >= 0.72) return []
    return [
      `In the backtest the 80 % intervals at depth ${depth} contained ${Math.round(100 * coverage)} % of the values; treat them as rough.`,
    ]
  })
  return [...short, ...poor]
}
