import type { Client } from '@wp/client/browser'
import { textOfNumber } from '../../../ui/form/number-text.ts'
import { minorUnitsOf } from '../../../ui/format/format.ts'
import { parseNumber } from '../../../ui/format/number-signs.ts'
import { type Weekday, weekdays } from '../../buildings/space-words.ts'
import { allChanges } from '../scenario-words.ts'
import type { ScenarioDetail, Workplace } from '../workplace.ts'

export type NewScenario = Parameters<Client['solutions']['createScenario']>[0]['body']
export type Objective = ScenarioDetail['objective']

export const peopleKinds = ['percent', 'number', 'min_days', 'fixed_days', 'stagger'] as const
export const floorKinds = ['capacity', 'annual_cost', 'avoidable_share'] as const

/** A change of the people of one team, or of all. */
export interface PeopleChange {
  key: string
  /** Empty: all teams. */
  team: string
  kind: (typeof peopleKinds)[number]
  value: string
  days: readonly Weekday[]
}

/** A change of one floor. */
export interface FloorChange {
  key: string
  floor: string
  kind: (typeof floorKinds)[number]
  value: string
}

/** A scenario as it is being asked for; numbers are texts as they are typed. */
export interface ScenarioDraft {
  /** Null: a name that says what is asked. */
  name: string | null
  spaceId: string | null
  /** Null: the newest forecast that can be its base. */
  forecastId: string | null
  /** The weekdays on which floors are closed, by the id of the floor. */
  closed: Readonly<Record<string, readonly Weekday[]>>
  people: readonly PeopleChange[]
  floors: readonly FloorChange[]
  objective: Objective
  /** Of 100 days, those on which everyone has a place. */
  promise: string
}

export const emptyDraft = (spaceId: string | null): ScenarioDraft => ({
  name: null,
  spaceId,
  forecastId: null,
  closed: {},
  people: [],
  floors: [],
  objective: 'lowest_cost',
  promise: '95',
})

let lastKey = 0
/** Returns the key of a new row of a list. */
export const newKey = (): string => `row-${++lastKey}`

/** Returns the weekdays on which a building is open; Monday to Friday if it is not known. */
export function openDays({ spaces }: Pick<Workplace, 'spaces'>, spaceId: string | null): Weekday[] {
  const hours = spaces.find(({ id }) => id === spaceId)?.effective.opening_hours
  const open = weekdays.filter((day) => hours?.[day] !== undefined)
  return open.length === 0 ? weekdays.slice(0, 5) : open
}

export type Preset = 'find' | 'friday' | 'growth'

/** Returns a draft as a manager asks first. The floor that closes on Fridays is for the manager to choose. */
export const presetDraft = (preset: Preset, spaceId: string | null): ScenarioDraft => ({
  ...emptyDraft(spaceId),
  people: preset === 'growth' ? [{ key: newKey(), team: '', kind: 'percent', value: '10', days: [] }] : [],
})

/** Returns the draft of a scenario that exists. A building that is closed becomes its floors. */
export function draftOf(scenario: ScenarioDetail, workplace: Workplace): ScenarioDraft {
  const { floorsOf, spaces } = workplace
  const changes = allChanges(scenario.changes)
  const closed: Record<string, readonly Weekday[]> = {}
  for (const { space_id: id, weekdays: days = weekdays } of changes.close_spaces) {
    const isFloor = spaces.find((space) => space.id === id)?.kind === 'floor'
    for (const floor of isFloor ? [id] : floorsOf(id).map((space) => space.id))
      closed[floor] = weekdays.filter((day) => days.includes(day) || closed[floor]?.includes(day))
  }
  const row = (team: string | undefined, kind: PeopleChange['kind'], value = '', days: readonly Weekday[] = []) => ({
    key: newKey(),
    team: team ?? '',
    kind,
    value,
    days,
  })
  return {
    name: null,
    spaceId: scenario.space_id,
    forecastId: scenario.forecast_run_id,
    closed,
    people: [
      ...changes.headcount.map(({ team_id: team, percent, number }) =>
        percent === undefined ? row(team, 'number', String(number)) : row(team, 'percent', String(percent)),
      ),
      ...changes.attendance.flatMap(({ team_id: team, min_days: least, fixed_days: days, stagger }) => [
        ...(least === undefined ? [] : [row(team, 'min_days', String(least))]),
        ...(days === undefined ? [] : [row(team, 'fixed_days', '', days)]),
        ...(stagger === true ? [row(team, 'stagger')] : []),
      ]),
    ],
    floors: [
      ...changes.capacity.map(({ space_id: floor, capacity }) => ({
        key: newKey(),
        floor,
        kind: 'capacity' as const,
        value: textOfNumber(capacity),
      })),
      ...changes.cost.flatMap(({ space_id: floor, annual_cost: cost, avoidable_share: share }) => [
        ...(cost === undefined
          ? []
          : [
              {
                key: newKey(),
                floor,
                kind: 'annual_cost' as const,
                value: textOfNumber(cost / minorUnits(workplace, floor)),
              },
            ]),
        ...(share === undefined
          ? []
          : [{ key: newKey(), floor, kind: 'avoidable_share' as const, value: textOfNumber(toPercent(share)) }]),
      ]),
    ],
    objective: scenario.objective,
    promise: textOfNumber(toPercent(scenario.service_level)),
  }
}

const minorUnits = ({ spaces }: Pick<Workplace, 'spaces'>, floor: string): number =>
  minorUnitsOf(spaces.find(({ id }) => id === floor)?.effective.currency ?? 'EUR')
const toPercent = (share: number): number => Math.round(share * 10_000) / 100

/** Returns the changes that a draft asks for. Later rows of a team replace earlier ones of the same kind. */
export function changesOf(
  { closed, people, floors }: ScenarioDraft,
  workplace: Pick<Workplace, 'spaces'>,
): NonNullable<NewScenario['changes']> {
  const headcount = new Map<string, { team_id?: string; percent?: number; number?: number }>()
  const attendance = new Map<
    string,
    { team_id?: string; min_days?: number; fixed_days?: Weekday[]; stagger?: boolean }
  >()
  for (const { team, kind, value, days } of people) {
    const of = team === '' ? {} : { team_id: team }
    if (kind === 'percent' || kind === 'number') headcount.set(team, { ...of, [kind]: parseNumber(value) })
    else {
      const rule = kind === 'fixed_days' ? [...days] : kind === 'stagger' ? true : parseNumber(value)
      attendance.set(team, { ...of, ...attendance.get(team), [kind]: rule })
    }
  }
  const costs = new Map<string, { space_id: string; annual_cost?: number; avoidable_share?: number }>()
  for (const { floor, kind, value } of floors)
    if (kind === 'annual_cost')
      costs.set(floor, {
        space_id: floor,
        ...costs.get(floor),
        annual_cost: Math.round(parseNumber(value) * minorUnits(workplace, floor)),
      })
    else if (kind === 'avoidable_share')
      costs.set(floor, { space_id: floor, ...costs.get(floor), avoidable_share: parseNumber(value) / 100 })
  const capacities = new Map(
    floors.flatMap(({ floor, kind, value }) => (kind === 'capacity' ? [[floor, parseNumber(value)] as const] : [])),
  )
  return {
    close_spaces: Object.entries(closed).flatMap(([id, days]) =>
      days.length === 0 ? [] : [{ space_id: id, weekdays: [...days] }],
    ),
    headcount: [...headcount.values()],
    attendance: [...attendance.values()],
    cost: [...costs.values()],
    capacity: [...capacities].map(([id, capacity]) => ({ space_id: id, capacity })),
  }
}

/** Days ahead of a forecast that is made for a scenario, the most first. */
export const horizons = [60, 28, 14, 7] as const

/** Returns the most days ahead for which so many days less of history are enough: a week less needs a week less. */
export const horizonFor = (refused: number, missingDays: number): number | undefined =>
  horizons.find((horizon) => Math.ceil(refused / 7) - Math.ceil(horizon / 7) >= missingDays / 7 && horizon < refused)
