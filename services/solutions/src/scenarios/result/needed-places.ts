import type { Demand } from '../demand/needs.ts'
import { type Condition, subjectsOf } from '../model/find-conflict.ts'
import { type Model, mayUse } from '../model/model.ts'
import type { ScenarioInput } from '../scenario-input.ts'

/** Conditions of a weekday that cannot all be met, and the places that its teams need together. */
export interface Shortage {
  weekday: number
  conditions: Condition[]
  places: number
  /** The share of the days of the weekday on which everyone has one of the places. */
  share: number
  /** Present on average. */
  people: number
  /** True if all who come on the weekday need them. */
  isOfAll: boolean
}

/**
 * Returns what is missing where conditions cannot be met. A smallest set of conditions has only as many teams as just
 * exceed the floors, so all others are added that have no other floors.
 * @param shares of days, ascending: the first is taken for which the places do not suffice
 */
export function shortageOf(
  input: ScenarioInput,
  demand: Demand,
  found: { model: Model; weekday: number; conditions: Condition[]; shares: readonly number[] },
): Shortage {
  const { model, weekday, shares } = found
  // Where teams do not fit even with the closed floors, these are named by their places: they have none.
  const named = found.conditions.map((condition): Condition => {
    const isClosed = condition.kind === 'capacity' && model.floors[condition.floor]?.closed[weekday] === true
    return isClosed ? { kind: 'closed', floor: condition.floor } : condition
  })
  const conditions = withAlike(model, weekday, named)
  const full = subjectsOf(conditions, 'capacity')
  const capacity = full.reduce((sum, floor) => sum + (model.floors[floor]?.capacity ?? 0), 0)
  const needing = subjectsOf(conditions, 'need')
  const { needed, people } = sumsOf(input, demand, weekday, needing)
  const placesFor = (share: number) =>
    Math.ceil(Math.round((needed[Math.max(0, Math.ceil(share * needed.length) - 1)] ?? 0) * 100) / 100 - 0.5)
  const share = shares.find((each) => placesFor(each) > capacity) ?? shares.at(-1) ?? 1
  const isOfAll = needing.length === model.teams.filter(({ needs }) => (needs[weekday] ?? 0) > 0).length
  return { weekday, conditions, places: placesFor(share), share, people, isOfAll }
}

/** Adds the teams that may sit on no open floor but those of the conflict, with what keeps them off the others. */
function withAlike({ teams, floors }: Model, weekday: number, conditions: Condition[]): Condition[] {
  if (conditions.some(({ kind }) => kind === 'max_floors')) return conditions
  const full = new Set(subjectsOf(conditions, 'capacity'))
  const others = floors.flatMap(({ closed }, floor) => (closed[weekday] || full.has(floor) ? [] : [floor]))
  const known = new Set(conditions.flatMap((condition) => ('team' in condition ? [condition.team] : [])))
  const added = teams.flatMap((team, at): Condition[] => {
    if (known.has(at) || (team.needs[weekday] ?? 0) === 0) return []
    if (others.some((floor) => mayUse(team, floor))) return []
    const need = { kind: 'need', team: at } as const
    return others.length === 0 ? [need] : [need, { kind: team.fixed === null ? 'excluded' : 'fixed', team: at }]
  })
  const placeOf = (condition: Condition) => ('team' in condition ? condition.team : condition.floor)
  return [...conditions, ...added].sort((a, b) => placeOf(a) - placeOf(b))
}

/** Returns the places that teams need together on each day of a weekday, ascending, and the mean of their people. */
function sumsOf(
  { weekdayOf, pathCount, teams }: ScenarioInput,
  demand: Demand,
  weekday: number,
  of: readonly number[],
) {
  const days = weekdayOf.flatMap((each, day) => (each === weekday ? [day] : []))
  const needed = new Float64Array(days.length * pathCount)
  let people = 0
  for (const team of of)
    for (const [at, day] of days.entries())
      for (let path = 0; path < pathCount; path++) {
        const present = demand[team]?.[day * pathCount + path] ?? 0
        people += present
        needed[at * pathCount + path] =
          (needed[at * pathCount + path] ?? 0) + present * (1 + (teams[team]?.contingency ?? 0))
      }
  return { needed: needed.sort(), people: needed.length === 0 ? 0 : people / needed.length }
}
