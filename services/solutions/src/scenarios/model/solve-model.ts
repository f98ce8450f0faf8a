import type { Highs } from 'highs'
import { floorWeight, type Model, type ModelTeam, mayUse, objectiveOf, withOnly } from './model.ts'
import { placeTeams } from './place-teams.ts'
import { Program } from './program.ts'

export interface SolveLimits {
  /** Seconds for the whole solution. */
  seconds: number
  /** The gap at which a solution is good enough, as a share. */
  gap: number
}

/** The floors that open, and the value of the objective. */
export interface OpenedFloors {
  /** `open[weekday][floor]`: true for a floor that someone sits on. */
  open: boolean[][]
  /** `seats[weekday][team][floor]`, with no regard to who moves and who sits together. */
  seats: number[][][]
  /** Floors and floor days, minor units a year, or people who move. */
  value: number
  /** The share by which the best value can be lower at most; 0 if the solution is proved to be the best. */
  gap: number
}

/**
 * Decides which floors open, with the smallest objective. Weekdays depend on each other only where whole floors are
 * counted.
 * @returns null if the teams cannot be placed
 * @throws TimeLimitError if no solution was found in time
 */
export function openFloors(highs: Highs, model: Model, limits: SolveLimits): OpenedFloors | null {
  const days = Array.from({ length: model.weekdayCount }, (_, day) => day)
  const parts = model.objective === 'fewest_floors' ? [days] : days.map((day) => [day])
  const open: boolean[][] = []
  const seats: number[][][] = []
  let [value, bound] = [0, 0]
  for (const part of parts) {
    const solved = openOn(highs, model, part, { ...limits, seconds: limits.seconds / parts.length })
    if (solved === null) return null
    open.push(...solved.open)
    seats.push(...solved.seats)
    value += solved.value
    bound += solved.value * (1 - solved.gap)
  }
  return { open, seats, value, gap: value === 0 ? 0 : (value - bound) / value }
}

/** The share of the time for the fewest who move; the rest is for teams that stay together. */
const movesShare = 0.3
const leastSeconds = 0.1

/**
 * Places the teams of a weekday on the floors that are open, so that few people move, few teams are split and those
 * that should sit close by do.
 * @param open by floor
 * @param dayBefore the places of the weekday before, from which few should differ
 * @returns places by team and floor; null if there are none
 * @throws TimeLimitError if none were found in time
 */
export function placeOn(
  highs: Highs,
  model: Model,
  day: number,
  { open, dayBefore }: { open: readonly boolean[]; dayBefore: readonly (readonly number[])[] | undefined },
  { seconds, gap }: SolveLimits,
): number[][] | null {
  const closed: Model = { ...withOnly(model, open), objective: 'least_moves' }
  const first = openOn(highs, closed, [day], { seconds: Math.max(leastSeconds, seconds * movesShare), gap })
  const [seats] = first?.seats ?? []
  if (first === null || seats === undefined) return null
  return placeTeams(highs, closed, day, {
    seats,
    dayBefore,
    seconds: Math.max(leastSeconds, seconds * (1 - movesShare)),
    most: model.objective === 'least_moves' ? Math.round(first.value) : null,
  })
}

/**
 * `open(f, d)` is 1 for a floor that opens, `used(f)` for one that opens on any weekday, `seats(t, f, d)` the places of
 * a team, and `sits(t, f, d)` 1 for a floor that a team with a limit of floors sits on.
 */
function openOn(highs: Highs, model: Model, days: readonly number[], limits: SolveLimits) {
  const { floors, teams, objective } = model
  const program = new Program()
  const isFewest = objective === 'fewest_floors'
  const used = isFewest
    ? floors.map(() => program.addColumn(floorWeight(floors.length, model.weekdayCount), 1, true))
    : []
  const open: number[][] = []
  const seats: number[][][] = []
  for (const day of days) {
    const openOfDay = floors.map(({ closed, weekdayCost }, floor) => {
      const tie = tieCost * (1 + floor / floors.length)
      const cost = (isFewest ? 1 : objective === 'lowest_cost' ? weekdayCost : 0) + tie
      const column = program.addColumn(cost, closed[day] ? 0 : 1, true)
      if (isFewest) program.addBound(column, used[floor] ?? 0)
      return column
    })
    const seatsOfDay = teams.map((team) => addTeam(program, model, team, day))
    addCapacities(program, model, day, openOfDay, seatsOfDay)
    // All places of the floors that open: follows from the others, and tells the solver early.
    const needed = teams.reduce((sum, { needs }) => sum + (needs[day] ?? 0), 0)
    program.addRow(
      floors.map(({ capacity }, floor) => [openOfDay[floor] ?? 0, capacity] as const),
      needed,
      Infinity,
    )
    open.push(openOfDay)
    seats.push(seatsOfDay)
  }
  const solved = program.solve(highs, limits)
  if (solved === null) return null
  const { values, gap } = solved
  const solvedValue = (column: number | undefined) => (column === undefined || column < 0 ? 0 : (values[column] ?? 0))
  const result = {
    open: open.map((columns) => columns.map((column) => solvedValue(column) > 0.5)),
    seats: seats.map((ofDay) => ofDay.map((columns) => columns.map((column) => Math.round(solvedValue(column))))),
  }
  return { ...result, gap, value: objectiveOf(model, result) }
}

/** Of floors that cost the same, fewer open, and the same ones on all weekdays. */
const tieCost = 1e-3

/** Adds the places of a team on a weekday: as many as it needs. @returns the column of each floor, -1 for none */
function addTeam(program: Program, { floors, objective }: Model, team: ModelTeam, day: number): number[] {
  const need = team.needs[day] ?? 0
  const columns = floors.map(({ capacity }, floor) => {
    if (need === 0 || !mayUse(team, floor)) return -1
    const isMove = objective === 'least_moves' && team.home !== null && team.home !== floor
    return program.addColumn(isMove ? 1 : 0, Math.min(need, capacity))
  })
  if (need === 0) return columns
  const usable = columns.filter((column) => column >= 0)
  const places = usable.map((column) => [column, 1] as const)
  program.addRow(places, need, need)
  if (team.maxFloors !== null && team.maxFloors < usable.length) {
    const sits = usable.map((column) => {
      const sit = program.addColumn(0, 1, true)
      program.addBound(column, sit, need)
      return [sit, 1] as const
    })
    program.addRow(sits, 0, team.maxFloors)
  }
  return columns
}

function addCapacities(
  program: Program,
  { floors, teams }: Model,
  day: number,
  open: readonly number[],
  seats: readonly (readonly number[])[],
): void {
  for (const [floor, { capacity }] of floors.entries()) {
    const own = seats.flatMap((columns) => ((columns[floor] ?? -1) < 0 ? [] : [[columns[floor] ?? 0, 1] as const]))
    if (own.length > 0) program.addRow([...own, [open[floor] ?? 0, -capacity]], -Infinity, 0)
    // Tighter than the capacity for a small team.
    for (const [team, columns] of seats.entries()) {
      const need = teams[team]?.needs[day] ?? 0
      if ((columns[floor] ?? -1) >= 0 && need < capacity) program.addBound(columns[floor] ?? 0, open[floor] ?? 0, need)
    }
  }
}
