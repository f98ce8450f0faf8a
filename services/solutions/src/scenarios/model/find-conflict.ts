import type { Highs } from 'highs'
import type { Model, ModelFloor, ModelTeam } from './model.ts'
import { openFloors } from './solve-model.ts'

/** One condition of a model on a weekday: what a team needs or may do, or what a floor has. */
export type Condition =
  | { kind: 'need' | 'fixed' | 'excluded' | 'max_floors'; team: number }
  | { kind: 'capacity' | 'closed'; floor: number }

/** More places than any team needs. */
export const roomForAll = 1_000_000

/** Returns the teams or floors that conditions of a kind are about. */
export const subjectsOf = (conditions: readonly Condition[], kind: Condition['kind']): number[] =>
  conditions.flatMap((one) => (one.kind !== kind ? [] : ['team' in one ? one.team : one.floor]))

/**
 * Returns a set of conditions that cannot all be met on a weekday, of which each is needed: without any of them, the
 * rest can. Tries to leave out needs first, closed floors last, so that the decisions of a scenario remain.
 * Source: the deletion filter of Chinneck & Dravnieks, *Locating minimal infeasible constraint sets in linear
 * programs*, ORSA Journal on Computing 3 (1991).
 * @throws Error if they can be met; TimeLimitError
 */
export function findConflict(
  highs: Highs,
  model: Model,
  weekday: number,
  { seconds }: { seconds: number },
): Condition[] {
  const isFeasible = (conditions: readonly Condition[]) =>
    openFloors(highs, onlyWith(model, weekday, conditions), { seconds, gap: 1 }) !== null
  let kept = conditionsOf(model, weekday)
  if (isFeasible(kept)) throw new Error('the conditions can be met')
  // Whole blocks first: most conditions of a large model have nothing to do with the conflict.
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < kept.length; ) {
      const rest = [...kept.slice(0, at), ...kept.slice(at + size)]
      if (rest.length < kept.length && !isFeasible(rest)) kept = rest
      else at += size
    }
  return kept
}

function conditionsOf({ teams, floors }: Model, weekday: number): Condition[] {
  const places = [...teams.keys()]
  const ofTeams = (kind: 'need' | 'fixed' | 'excluded' | 'max_floors', has: (team: ModelTeam) => boolean) =>
    places.filter((team) => has(teams[team] as ModelTeam)).map((team): Condition => ({ kind, team })) // a key of it
  return [
    ...ofTeams('need', ({ needs }) => (needs[weekday] ?? 0) > 0),
    ...floors.map((_, floor): Condition => ({ kind: 'capacity', floor })),
    ...ofTeams('max_floors', ({ maxFloors }) => maxFloors !== null),
    ...ofTeams('excluded', ({ excluded }) => excluded.length > 0),
    ...ofTeams('fixed', ({ fixed }) => fixed !== null),
    ...floors.flatMap(({ closed }, floor): Condition[] => (closed[weekday] ? [{ kind: 'closed', floor }] : [])),
  ]
}

/** Returns the model of one weekday in which only some conditions hold. Any allocation will do. */
function onlyWith({ floors, teams }: Model, weekday: number, conditions: readonly Condition[]): Model {
  const kept = new Set(
    conditions.map((condition) => `${condition.kind} ${'team' in condition ? condition.team : condition.floor}`),
  )
  return {
    weekdayCount: 1,
    objective: 'least_moves',
    floors: floors.map(
      (floor, at): ModelFloor => ({
        weekdayCost: 0,
        closed: [kept.has(`closed ${at}`)],
        capacity: kept.has(`capacity ${at}`) ? floor.capacity : roomForAll,
      }),
    ),
    teams: teams.map(
      (team, at): ModelTeam => ({
        home: null,
        near: [],
        needs: [kept.has(`need ${at}`) ? (team.needs[weekday] ?? 0) : 0],
        fixed: kept.has(`fixed ${at}`) ? team.fixed : null,
        excluded: kept.has(`excluded ${at}`) ? team.excluded : [],
        maxFloors: kept.has(`max_floors ${at}`) ? team.maxFloors : null,
      }),
    ),
  }
}
