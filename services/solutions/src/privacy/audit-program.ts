import type { Forests, PublishedLattice, PublishedSheet } from './published-lattice.ts'
import type { PrivacyRule } from './sensitive-cells.ts'

/** An unknown of the linear program: a cell, or the remainder of a node: those at it and at none of its children. */
export interface Unknown {
  sheet: number
  of: 'total' | 'space' | 'team'
  /** Its index in the forest; -1 for the total. */
  index: number
  isRemainder: boolean
  count: number
  isPublished: boolean
  headcount: number
}

/** `least <= sum of coefficient * unknown <= most`. */
export interface Relation {
  terms: [unknown: number, coefficient: number][]
  least: number
  most: number
}

export interface AuditProgram {
  unknowns: Unknown[]
  lower: number[]
  upper: number[]
  relations: Relation[]
}

/**
 * Writes down what everyone knows about a published lattice: the shown counts; on demand, that each 0 is shown, so that
 * what is suppressed is not 0 outside small groups; headcounts; that a parent is the sum of its children and its
 * remainder (or, where people were in several children, between the largest child and that sum); that a finer count is
 * at most the coarser one and that the finer ones together are at least the coarser one.
 */
export function auditProgram(
  { spaces, teams, sheets }: PublishedLattice,
  rule: PrivacyRule,
  knowsZerosAreShown: boolean,
): AuditProgram {
  const program: AuditProgram = { unknowns: [], lower: [], upper: [], relations: [] }
  const largest = Math.max(
    0,
    ...sheets.flatMap(({ total, spaces, teams }) => [total ?? 0, ...countsOf(spaces), ...countsOf(teams)]),
  )
  // No bound is so high. It keeps the program bounded, and can only make bounds tighter.
  const ceiling = 1_000 + 20 * (largest + rule.threshold) * (1 + spaces.parents.length + teams.parents.length)
  const rows = sheets.map((sheet, at) =>
    addSheet(program, sheet, at, { spaces, teams }, { ...rule, ceiling, floor: knowsZerosAreShown ? 1 : 0 }),
  )
  for (const [fine, { within }] of sheets.entries()) {
    for (const [key, unknown] of rows[fine] ?? []) addBelow(program, unknown, rows[within]?.get(key))
  }
  for (const coarse of sheets.keys()) {
    const finer = rows.filter((_, fine) => sheets[fine]?.within === coarse)
    for (const key of finer[0]?.keys() ?? []) {
      const terms = finer.flatMap((cells): [number, number][] => pair(cells.get(key), 1))
      terms.push(...pair(rows[coarse]?.get(key), -1))
      program.relations.push({ terms, least: 0, most: Infinity })
    }
  }
  return program
}

const countsOf = (cells?: PublishedSheet['spaces']): number[] => Array.from(cells?.counts ?? [])

/** Adds the unknowns and relations of one moment and returns its cells by name. */
function addSheet(
  program: AuditProgram,
  published: PublishedSheet,
  sheet: number,
  forests: Forests,
  rule: PrivacyRule & { ceiling: number; floor: number },
): Map<string, number> {
  const cells = new Map<string, number>()
  if (published.total !== null) {
    const total: Unknown = {
      sheet,
      of: 'total',
      index: -1,
      isRemainder: false,
      count: published.total,
      isPublished: !published.isTotalSuppressed,
      headcount: Infinity,
    }
    cells.set('total', addUnknown(program, total, rule))
  }
  for (const kind of ['space', 'team'] as const) addForest(program, published, { sheet, kind, cells }, forests, rule)
  return cells
}

/** Adds the cells of the spaces or teams of one moment, and the remainder of each that has some in it. */
function addForest(
  program: AuditProgram,
  published: PublishedSheet,
  { sheet, kind, cells }: { sheet: number; kind: 'space' | 'team'; cells: Map<string, number> },
  forests: Forests,
  rule: PrivacyRule & { ceiling: number; floor: number },
): void {
  const { counts, suppressed } = (kind === 'space' ? published.spaces : published.teams) ?? {}
  const { parents, headcounts } = kind === 'space' ? forests.spaces : forests.teams
  if (!counts || parents.length === 0) return
  const indexes = Array.from(parents, (_, index) => index)
  const children = Map.groupBy(indexes, (index) => parents[index] ?? -1)
  const { headcountOf, limitOf } = headcountLimits(parents, children, headcounts)
  for (let index = 0; index < parents.length; index++) {
    const cell = { sheet, of: kind, index, isRemainder: false, count: counts[index] ?? 0 }
    const unknown = { ...cell, isPublished: suppressed?.[index] !== 1, headcount: limitOf(index) }
    cells.set(`${kind} ${index}`, addUnknown(program, unknown, rule))
  }
  for (const [parent, members] of children) {
    if (parent < 0 && published.total === null) continue
    const parentCell = cells.get(parent < 0 ? 'total' : `${kind} ${parent}`) ?? 0
    const memberCells = members.flatMap((member) => cells.get(`${kind} ${member}`) ?? [])
    const sum = members.reduce((all, member) => all + (counts[member] ?? 0), 0)
    const count = (program.unknowns[parentCell]?.count ?? 0) - sum
    const rest = members.reduce((all, member) => all - headcountOf(member), headcountOf(parent))
    const headcount = parent < 0 ? Infinity : Number.isFinite(rest) ? rest : limitOf(parent)
    // What a shown 0 contains is known to be 0.
    const isPublished = program.unknowns[parentCell]?.isPublished === true && program.unknowns[parentCell].count === 0
    const remainder = { sheet, of: kind, index: parent, isRemainder: true, count: Math.max(0, count), isPublished }
    const remainderCell = addUnknown(program, { ...remainder, headcount }, rule)
    const terms: Relation['terms'] = [
      [parentCell, 1],
      [remainderCell, -1],
      ...memberCells.flatMap((cell) => pair(cell, -1)),
    ]
    program.relations.push({ terms, least: count < 0 ? -Infinity : 0, most: 0 })
    if (count < 0) for (const cell of memberCells) addBelow(program, cell, parentCell)
  }
}

/**
 * Returns functions of the index of a node: `headcountOf`, its own headcount or the sum of those in it, if that is
 * more; and `limitOf`, the smallest headcount of it and those around it. Infinite where none is known.
 */
function headcountLimits(
  parents: ArrayLike<number>,
  children: ReadonlyMap<number, readonly number[]>,
  headcounts: ArrayLike<number | null> | undefined,
): { headcountOf: (index: number) => number; limitOf: (index: number) => number } {
  const known = new Map<number, number>()
  const headcountOf = (index: number): number => {
    const before = known.get(index)
    if (before !== undefined) return before
    const below = (children.get(index) ?? []).map(headcountOf).filter(Number.isFinite)
    const sum = below.reduce((all, each) => all + each, 0)
    const headcount = Math.max(headcounts?.[index] ?? Infinity, sum)
    known.set(index, headcount)
    return headcount
  }
  const limitOf = (index: number): number =>
    index < 0 ? Infinity : Math.min(headcountOf(index), limitOf(parents[index] ?? -1))
  return { headcountOf, limitOf }
}

function addUnknown(
  program: AuditProgram,
  unknown: Unknown,
  rule: PrivacyRule & { ceiling: number; floor: number },
): number {
  const { count, isPublished, isRemainder, headcount } = unknown
  const isSmall = headcount > 0 && headcount < rule.threshold
  const isKnown = isPublished || (isRemainder && count === 0 && !isSmall)
  program.lower.push(isKnown ? count : isSmall ? 0 : rule.floor)
  program.upper.push(isKnown ? count : count > headcount ? rule.ceiling : Math.min(headcount, rule.ceiling))
  return program.unknowns.push(unknown) - 1
}

/** Adds that one count is at most another. */
function addBelow({ relations }: AuditProgram, finer: number, coarser: number | undefined): void {
  if (coarser !== undefined)
    relations.push({
      terms: [
        [finer, 1],
        [coarser, -1],
      ],
      least: -Infinity,
      most: 0,
    })
}

function pair(unknown: number | undefined, coefficient: number): [number, number][] {
  return unknown === undefined ? [] : [[unknown, coefficient]]
}
