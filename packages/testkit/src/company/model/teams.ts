import type { Team } from './company.ts'
import type { SpacePlan } from './spaces.ts'

/** The attendance on Monday to Friday, relative to the rate of a team; very low at weekends and on holidays. */
const weekdayPatterns = {
  tuesday: [0.93, 1.14, 1, 0.99, 0.42],
  thursday: [0.95, 0.99, 1, 1.14, 0.42],
  level: [0.99, 1.02, 1.02, 1, 0.5],
  /** A team that works with the equipment of its floor. */
  steady: [1, 1.01, 1.01, 1, 0.7],
} as const

/** Teams without teams below them on each floor of a site, repeated: 16, 12 and 4 on twelve floors. */
const teamsPerFloor = [
  [3, 3, 3, 2, 3, 2],
  [3, 3, 4, 2],
  [2, 2],
] as const
/** People of an ordinary floor, and the mean share of them who come, by site. */
const peoplePerFloor = [167, 150, 145] as const
const rates = [0.5, 0.46, 0.45] as const
/** A floor that few people belong to, and even fewer come to. */
const quiet = { people: 60, rate: 0.16 } as const

export interface TeamPlan {
  teams: Team[]
  /** Teams of teams. */
  divisions: number
  /** For each team, its people relative to the others; 0 for a team of teams and the one that a split creates. */
  weights: number[]
  /** Teams of each site that people may move to. */
  movable: number[][]
  /** The team that will be split, and the one that the split creates. */
  split: number
  created: number
  quietFloor: number | undefined
  /** Floors without a team that is fixed there, but for the quiet one. */
  freeFloors: number[]
}

/** Creates the teams of each floor and, for each four of a site, one above them: 40 on twelve floors. */
export function planTeams(spaces: SpacePlan): TeamPlan {
  const plan: TeamPlan = {
    teams: [],
    divisions: 0,
    weights: [],
    movable: [],
    split: -1,
    created: -1,
    quietFloor: undefined,
    freeFloors: [],
  }
  for (const [site, floors] of spaces.floorsOf.entries()) addTeamsOfSite(plan, spaces, site, floors)
  return plan
}

function addTeamsOfSite(plan: TeamPlan, spaces: SpacePlan, site: number, floors: readonly number[]): void {
  const { teams, weights } = plan
  const movable: number[] = []
  let inDivision = 4
  let division = -1
  for (const [position, floor] of floors.entries()) {
    const isQuiet = site === 1 && floors.length > 1 && position === floors.length - 1
    const isFree = site === 0 && floors.length > 2 && position >= Math.ceil((floors.length * 2) / 3)
    if (isQuiet) plan.quietFloor = floor
    if (isFree) plan.freeFloors.push(floor)
    const pattern = teamsPerFloor[site] ?? [1]
    const count = pattern[position % pattern.length] ?? 1
    for (let number = 0; number < count; number += 1) {
      if (inDivision === 4) {
        division = addDivision(plan)
        inDivision = 0
      }
      inDivision += 1
      const isFixed = number === 0 && !isQuiet && !isFree
      const team = addTeam(plan, spaces, { site, floor, floors, number, division, isQuiet, isFixed })
      const people = isQuiet ? quiet.people : (peoplePerFloor[site] ?? 0)
      // Teams differ in size, also on the same floor.
      weights[team] = (people * (4 + ((number + position) % 3))) / (4 * count + spread(count, position))
      if (!isQuiet) movable.push(team)
      if (site === 0 && position === Math.min(1, floors.length - 1) && number > 0) {
        if (number === 1) plan.split = team
        if (number === 2) plan.created = team
      }
    }
  }
  // The team that the split creates has no members before; its floor keeps its people.
  if (plan.created >= 0 && site === 0) {
    weights[plan.split] = (weights[plan.split] ?? 0) + (weights[plan.created] ?? 0)
    weights[plan.created] = 0
  }
  plan.movable.push(movable.filter((team) => team !== plan.created))
  for (const [index, team] of movable.entries()) {
    const next = movable[index + 1]
    const known = teams[team]
    if (known !== undefined && next !== undefined && index % 5 === 1) teams[team] = { ...known, near: [next] }
  }
}

const spread = (count: number, position: number) =>
  Array.from({ length: count }, (_, number) => (number + position) % 3).reduce((sum, extra) => sum + extra, 0)

const noPlaces = { home: -1, near: [], fixed: [], excluded: [], rate: 0, weekdays: [] }

function addDivision(plan: TeamPlan): number {
  const { teams, weights } = plan
  plan.divisions += 1
  const number = plan.divisions
  weights.push(0)
  return (
    teams.push({ ...noPlaces, id: `D${number}`, name: `Division ${number}`, unit: `HA ${number}00`, parent: -1 }) - 1
  )
}

function addTeam(
  { teams, weights, divisions }: TeamPlan,
  { zonesOf }: SpacePlan,
  place: {
    site: number
    floor: number
    floors: readonly number[]
    number: number
    division: number
    isQuiet: boolean
    isFixed: boolean
  },
): number {
  const { site, floor, floors, number, division, isQuiet, isFixed } = place
  const leaf = teams.length - divisions + 1
  const padded = String(leaf).padStart(2, '0')
  const zones = zonesOf.get(floor)
  const varied = [weekdayPatterns.tuesday, weekdayPatterns.level, weekdayPatterns.thursday][leaf % 3]
  const first = floors[0]
  weights.push(0)
  return (
    teams.push({
      id: `T${padded}`,
      name: `Team ${padded}`,
      unit: `OE ${1000 + leaf}`,
      parent: division,
      home: zones?.[number % zones.length] ?? floor,
      near: [],
      fixed: isFixed ? [floor] : [],
      excluded: leaf % 9 === 5 && first !== undefined && first !== floor ? [first] : [],
      rate: isQuiet ? quiet.rate : (rates[site] ?? 0),
      weekdays: isFixed ? weekdayPatterns.steady : (varied ?? weekdayPatterns.level),
    }) - 1
  )
}
