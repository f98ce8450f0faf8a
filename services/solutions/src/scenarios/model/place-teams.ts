import type { Highs } from 'highs'
import { type Model, type ModelTeam, mayUse } from './model.ts'
import { Program, TimeLimitError } from './program.ts'

/** The places that were found first, and what is asked of better ones. */
export interface PlaceOptions {
  /** Places by team and floor, which stay if the time does not suffice. */
  seats: number[][]
  /** The people who move at most; null: as few as other wishes allow. */
  most: number | null
  dayBefore: readonly (readonly number[])[] | undefined
  seconds: number
}

const splitWeight = 3
const apartWeight = 4
const moveWeight = 1
/** For a place on another floor than on the weekday before. */
const changeWeight = 0.4

/**
 * Places the teams of a weekday on floors that are not closed: few people move, few sit elsewhere than on the weekday
 * before, and few teams are split or apart from those near to them.
 */
export function placeTeams(highs: Highs, model: Model, day: number, options: PlaceOptions): number[][] {
  const program = new Program()
  const { columns, sits } = addTeams(program, model, day, options)
  addFloors(program, model, columns, options.most)
  for (const [team, other] of pairsOf(model.teams)) addNearness(program, sits[team] ?? [], sits[other] ?? [])
  try {
    const solved = program.solve(highs, { seconds: options.seconds, gap: placeGap })
    if (solved !== null)
      return columns.map((own) => own.map((column) => (column < 0 ? 0 : Math.round(solved.values[column] ?? 0))))
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error
  }
  return options.seats
}
const placeGap = 0.02

/** Columns of the program by team and floor; -1 where the team cannot sit. */
type ColumnsOfTeams = number[][]

/**
 * Adds the places of each team on each floor, of which it gets as many as it needs, and where it sits at all, for teams
 * that are split as little as possible.
 */
function addTeams(
  program: Program,
  { floors, teams }: Model,
  day: number,
  { dayBefore }: PlaceOptions,
): { columns: ColumnsOfTeams; sits: ColumnsOfTeams } {
  const isOpen = floors.map(({ closed }) => closed[day] !== true)
  const sits: ColumnsOfTeams = []
  const columns = teams.map((team, at) => {
    const need = team.needs[day] ?? 0
    const before = dayBefore?.[at] ?? []
    const own = floors.map(({ capacity }, floor) => {
      if (need === 0 || !isOpen[floor] || !mayUse(team, floor)) return -1
      const isMove = team.home !== null && team.home !== floor
      const isOther = before.some((places) => places > 0) && (before[floor] ?? 0) === 0
      const cost = (isMove ? moveWeight : 0) + (isOther ? changeWeight : 0)
      return program.addColumn(cost, Math.min(need, capacity))
    })
    if (need > 0) program.addRow(sumOf(own), need, need)
    const ownSits = own.map((column) => {
      if (column < 0) return -1
      const sit = program.addColumn(splitWeight, 1, true)
      program.addBound(column, sit, need)
      return sit
    })
    sits.push(ownSits)
    if (team.maxFloors !== null && need > 0) program.addRow(sumOf(ownSits), 0, team.maxFloors)
    return own
  })
  return { columns, sits }
}

/** Bounds the places of each floor, and the people who move. */
function addFloors(program: Program, { floors, teams }: Model, columns: ColumnsOfTeams, most: number | null): void {
  for (const [floor, { capacity }] of floors.entries()) {
    const own = sumOf(columns.map((ofTeam) => ofTeam[floor] ?? -1))
    if (own.length > 0) program.addRow(own, 0, capacity)
  }
  if (most === null) return
  const moves = columns.flatMap((ofTeam, team) => {
    const home = teams[team]?.home ?? null
    return home === null ? [] : sumOf(ofTeam.map((column, floor) => (floor === home ? -1 : column)))
  })
  if (moves.length > 0) program.addRow(moves, 0, most)
}

/** Returns the terms of the sum of columns. */
const sumOf = (columns: readonly number[]): [column: number, factor: number][] =>
  columns.flatMap((column) => (column < 0 ? [] : [[column, 1]]))

/** Returns each two teams once of which one should sit near to the other. */
function pairsOf(teams: readonly ModelTeam[]): [number, number][] {
  const keys = teams.flatMap(({ near }, team) => near.map((other) => [Math.min(team, other), Math.max(team, other)]))
  return [...new Map(keys.map(([a = 0, b = 0]) => [`${a} ${b}`, [a, b] as [number, number]])).values()].filter(
    ([a, b]) => a !== b,
  )
}

/** `apart` is 1 unless two teams share a floor. */
function addNearness(program: Program, sits: readonly number[], others: readonly number[]): void {
  const apart = program.addColumn(apartWeight, 1)
  const shared = sits.flatMap((sit, floor) => {
    const other = others[floor] ?? -1
    if (sit < 0 || other < 0) return []
    const both = program.addColumn(0, 1)
    program.addBound(both, sit)
    program.addBound(both, other)
    return [[both, 1] as const]
  })
  program.addRow([...shared, [apart, 1]], 1, Infinity)
}
