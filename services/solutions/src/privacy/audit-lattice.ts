import type { Highs, ModelData } from 'highs'
import { componentsOf } from './audit-components.ts'
import { type AuditProgram, auditProgram, type Unknown } from './audit-program.ts'
import type { PublishedLattice, PublishedSheet } from './published-lattice.ts'
import type { PrivacyRule } from './sensitive-cells.ts'

export interface Bounds {
  low: number
  high: number
}

/** A suppressed cell, or a sensitive remainder, that everything published bounds tighter than the rule allows. */
export interface Violation extends Bounds {
  cell: Unknown
}

/** Loads the solver: 3.5 MB of WebAssembly that most processes never need. Keep it, as compiling takes 0.1 s. */
export async function loadSolver(): Promise<Highs> {
  const { default: loader } = await import('highs')
  // The declarations describe the CommonJS build. In the module build, which Node loads, the default export is the
  // loader itself.
  const loadHighs = loader as unknown as typeof loader.default
  return await loadHighs()
}

/** The rule, and the least that a suppressed cell is known to count. */
interface AuditedRule extends PrivacyRule {
  floor: 0 | 1
}

/**
 * Returns the cells of a published lattice that the rule does not protect. It bounds each by linear programs over
 * everything published, and shares no code with `suppress`. A cell that is bounded as tightly with nothing shown, by
 * headcounts and empty spaces alone, is not a violation.
 *
 * @param isChanged cells that do not depend on one for which this is true are not bounded
 */
export function auditLattice(
  highs: Highs,
  lattice: PublishedLattice,
  rule: PrivacyRule,
  isChanged: (cell: Unknown) => boolean = () => true,
): Violation[] {
  // What is possible for the attacker who knows more is possible for the other one, so that fewer cells are left.
  const possible = new Map<string, Bounds>()
  const violations = [true, false].flatMap((knowsZerosAreShown) => {
    const audited = { ...rule, floor: knowsZerosAreShown ? (1 as const) : (0 as const) }
    const program = auditProgram(lattice, rule, knowsZerosAreShown)
    const found = narrowCells(highs, program, audited, { isChanged, possible })
    if (found.length === 0) return []
    const widest = boundsOf(highs, auditProgram(withNothingShown(lattice), rule, knowsZerosAreShown), found)
    return found.filter(({ cell, low, high }) => {
      const { low: least, high: most } = widest.get(cellKey(cell)) ?? { low, high }
      return low !== least || high !== most
    })
  })
  // The bounds of the attacker who knows more, where both find a cell.
  const first = new Map<string, Violation>()
  for (const violation of violations)
    if (!first.has(cellKey(violation.cell))) first.set(cellKey(violation.cell), violation)
  return [...first.values()]
}

/** Returns the bounds of each unknown cell and remainder, for an attacker who knows that every 0 is shown. */
export function latticeBounds(highs: Highs, lattice: PublishedLattice, rule: PrivacyRule): Violation[] {
  return componentsOf(auditProgram(lattice, rule, true)).flatMap((program) =>
    withModel(highs, program, (solver) =>
      program.unknowns.map((cell, at) => ({ cell, low: solver.bound(at, 'low'), high: solver.bound(at, 'high') })),
    ),
  )
}

/** Returns the bounds of some cells of a program, by their key; none of a cell that is known. */
function boundsOf(highs: Highs, program: AuditProgram, cells: readonly Violation[]): Map<string, Bounds> {
  const wanted = new Set(cells.map(({ cell }) => cellKey(cell)))
  return new Map(
    componentsOf(program).flatMap((component) => {
      const places = component.unknowns.flatMap((cell, at) => (wanted.has(cellKey(cell)) ? [{ cell, at }] : []))
      if (places.length === 0) return []
      return withModel(highs, component, (solver) =>
        places.map(({ cell, at }): [string, Bounds] => [
          cellKey(cell),
          { low: solver.bound(at, 'low'), high: solver.bound(at, 'high') },
        ]),
      )
    }),
  )
}

function cellKey({ sheet, of, index, isRemainder }: Unknown): string {
  return `${sheet} ${of} ${index} ${isRemainder}`
}

function withNothingShown({ spaces, teams, sheets }: PublishedLattice): PublishedLattice {
  const hide = ({ counts, suppressed }: PublishedSheet['spaces']) => ({
    counts,
    suppressed: Uint8Array.from(counts, (count, index) => (count > 0 ? 1 : (suppressed[index] ?? 0))),
  })
  return {
    spaces,
    teams,
    sheets: sheets.map((sheet) => ({
      ...sheet,
      isTotalSuppressed: sheet.total !== 0,
      spaces: hide(sheet.spaces),
      ...(sheet.teams ? { teams: hide(sheet.teams) } : {}),
    })),
  }
}

function narrowCells(
  highs: Highs,
  program: AuditProgram,
  rule: AuditedRule,
  { isChanged, possible }: { isChanged: (cell: Unknown) => boolean; possible: Map<string, Bounds> },
): Violation[] {
  const unsafe = program.unknowns.flatMap((cell, at) => {
    const low = program.lower[at] ?? 0
    // A hidden cell with a single possible value from the start, such as the remainder of a shown 0.
    if (low !== program.upper[at] || cell.isPublished) return []
    return protectionTest(cell, rule)?.({ low, high: low }) === false ? [{ cell, low, high: low }] : []
  })
  const changed = componentsOf(program).filter(({ unknowns }) => unknowns.some(isChanged))
  return [...unsafe, ...changed.flatMap((component) => narrowComponent(highs, component, rule, possible))]
}

/** @param possible ranges of values that are known to be possible, by the key of the cell; widened by what is found */
function narrowComponent(
  highs: Highs,
  program: AuditProgram,
  rule: AuditedRule,
  possible: Map<string, Bounds>,
): Violation[] {
  const keys = program.unknowns.map(cellKey)
  const tests = program.unknowns.map((cell) => protectionTest(cell, rule))
  const rangeOf = (at: number): Bounds => possible.get(keys[at] ?? '') ?? { low: Infinity, high: -Infinity }
  const isOpen = (at: number) => tests[at]?.(rangeOf(at)) === false
  const countOpen = () => tests.reduce((count, _, at) => count + (isOpen(at) ? 1 : 0), 0)
  if (countOpen() === 0) return []
  return withModel(highs, program, (solver) => {
    // Every solution is a possible truth. A few in mixed directions show most cells to be safe.
    for (let round = 0, open = program.unknowns.length; open > maxSingle && round < maxRounds; round++) {
      solver.explore((at) => (isOpen(at) ? directionOf(at, round) : 0))
      for (const [at, key] of keys.entries()) {
        const [known, { low, high }] = [rangeOf(at), solver.witnessed(at)]
        possible.set(key, { low: Math.min(known.low, low), high: Math.max(known.high, high) })
      }
      open = countOpen()
    }
    return program.unknowns.flatMap((cell, at) => {
      if (!isOpen(at)) return []
      const isSafe = tests[at] ?? (() => true)
      const high = solver.bound(at, 'high')
      if (isSafe({ low: Math.min(rangeOf(at).low, solver.witnessed(at).low), high })) return []
      const bounds = { low: solver.bound(at, 'low'), high }
      return isSafe(bounds) ? [] : [{ cell, ...bounds }]
    })
  })
}

/** Cells that are bounded one by one from the start. */
const maxSingle = 4
const maxRounds = 12

/** Returns 1 or -1, mixed over cells and rounds; the same for all cells in the first two rounds. */
function directionOf(at: number, round: number): number {
  if (round < 2) return round === 0 ? 1 : -1
  const mixed = Math.imul((at + 1) * (2 * round + 1), 0x9e3779b1)
  return ((mixed ^ (mixed >>> 15)) & 1024) === 0 ? 1 : -1
}

/** Returns the test of the bounds of a cell, or null if the cell needs no protection. */
function protectionTest(cell: Unknown, rule: AuditedRule): ((bounds: Bounds) => boolean) | null {
  const { threshold, floor: known, protectAbsent = true } = rule
  const { count, headcount } = cell
  const limit = count > headcount ? Infinity : headcount
  const absent = limit - count
  const isSmall = headcount > 0 && headcount < threshold
  const hasFewAbsent = protectAbsent && absent > 0 && absent < threshold
  const isSensitive = isSmall || (count > 0 && count < threshold) || hasFewAbsent
  if (cell.isRemainder && (cell.of !== 'team' || !isSensitive || (count === 0 && !isSmall))) return null
  const floor = isSmall ? 0 : known
  return ({ low, high }) =>
    high - low >= Math.min(threshold - known, limit - floor) &&
    (count >= threshold || high >= Math.min(threshold, limit)) &&
    (!hasFewAbsent || low <= Math.max(floor, limit - threshold))
}

interface Solver {
  /** The exact bound, as the whole number inside it. */
  bound(unknown: number, side: 'low' | 'high'): number
  /** Solves for the largest sum in the direction of each unknown. */
  explore(directionOf: (unknown: number) => number): void
  /** The range of the solutions so far. */
  witnessed(unknown: number): Bounds
}

const tolerance = 1e-6
/** A solution stays possible when the direction changes, so the primal method goes on from it. */
const [primalSimplex, dualSimplex] = [4, 1]

function withModel<T>(highs: Highs, program: AuditProgram, work: (solver: Solver) => T): T {
  return highs.withModel(modelOf(program), (model): T => {
    model.options.set({ output_flag: false, presolve: 'off', simplex_strategy: primalSimplex })
    model.changeObjectiveSense(highs.constants.objectiveSense.maximize)
    const low = new Float64Array(program.unknowns.length).fill(Infinity)
    const high = new Float64Array(program.unknowns.length).fill(-Infinity)
    const solve = (): Float64Array => {
      model.run()
      if (model.getModelStatus() === highs.constants.modelStatus.unknown) {
        // The primal method may decide nothing for the numbers alone; from the start, the dual one does.
        model.options.set({ simplex_strategy: dualSimplex })
        model.clearSolver()
        model.run()
        model.options.set({ simplex_strategy: primalSimplex })
      }
      assertOptimal(highs, model.getModelStatus())
      const { colValue } = model.getSolution()
      for (const [at, value] of colValue.entries()) {
        low[at] = Math.min(low[at] ?? value, Math.ceil(value - tolerance))
        high[at] = Math.max(high[at] ?? value, Math.floor(value + tolerance))
      }
      return colValue
    }
    const bound = (unknown: number, side: 'low' | 'high'): number => {
      model.changeColCost(unknown, side === 'low' ? -1 : 1)
      const value = solve()[unknown] ?? 0
      model.changeColCost(unknown, 0)
      // Plus 0, as the ceiling may be -0.
      return side === 'low' ? Math.ceil(value - tolerance) + 0 : Math.floor(value + tolerance)
    }
    const columns = program.unknowns.map((_, at) => at)
    const explore = (directionOf: (unknown: number) => number) => {
      model.changeColsCost({ kind: 'set', indices: columns }, columns.map(directionOf))
      solve()
      const none = columns.map(() => 0)
      model.changeColsCost({ kind: 'set', indices: columns }, none)
    }
    return work({ bound, explore, witnessed: (at) => ({ low: low[at] ?? 0, high: high[at] ?? 0 }) })
  })
}

function assertOptimal({ constants }: Highs, status: number): void {
  if (status !== constants.modelStatus.optimal) throw new Error(`the published cells contradict each other: ${status}`)
}

function modelOf({ unknowns, lower, upper, relations }: AuditProgram): ModelData {
  const starts = [0]
  for (const { terms } of relations) starts.push((starts.at(-1) ?? 0) + terms.length)
  return {
    numCols: unknowns.length,
    numRows: relations.length,
    colCost: unknowns.map(() => 0),
    colLower: lower,
    colUpper: upper,
    rowLower: relations.map(({ least }) => least),
    rowUpper: relations.map(({ most }) => most),
    matrix: {
      format: 'csr',
      numRows: relations.length,
      numCols: unknowns.length,
      starts,
      indices: relations.flatMap(({ terms }) => terms.map(([unknown]) => unknown)),
      values: relations.flatMap(({ terms }) => terms.map(([, coefficient]) => coefficient)),
    },
  }
}
