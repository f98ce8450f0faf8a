import type { Weekday } from '@wp/contracts'
import { listNames } from '../../workplace/tree.ts'
import type { ScenarioInput } from '../scenario-input.ts'
import type { ScenarioResult } from '../scenario-job.ts'
import type { PlacedScenario, ScenarioSolution } from '../solve-scenario.ts'
import { type Saving, savingBeyond } from './saving.ts'
import type { Simulated } from './simulate.ts'
import {
  describeBinding,
  describeShortage,
  formatKept,
  formatMoney,
  formatShare,
  listDays,
  shortNames,
} from './words.ts'

/** Returns what a scenario answers. */
export function scenarioResult(input: ScenarioInput, { placed, conflict }: ScenarioSolution): ScenarioResult {
  const places = placed === null ? { ...noPlaces, conclusion: '' } : placesResult(input, placed)
  const weekdays = input.weekdays as Weekday[] // of the opening hours
  const result = {
    ...places,
    weekdays,
    warnings: [...places.warnings, ...unplacedWarning(input), ...unruledWarning(input)],
  }
  if (conflict === null) return { ...result, is_feasible: true, conflict: [] }
  const { shortage, reachable } = conflict
  const described = describeShortage(input, shortage)
  const reached = reachable === null ? '' : `; at best on ${formatKept(reachable)}`
  const closing =
    result.free.length === 0 ? '' : `Without missing that share on a further weekday, ${result.conclusion}`
  return {
    ...result,
    is_feasible: false,
    conflict: described,
    next_point: null,
    conclusion: [
      `A place for everyone on ${formatShare(input.serviceLevel)} of days is not possible${reached}.`,
      ...described,
      closing,
    ]
      .filter((part) => part !== '')
      .join(' '),
  }
}

type Places = Omit<ScenarioResult, 'is_feasible' | 'conflict' | 'weekdays'>

const noPlaces: Omit<Places, 'conclusion'> = {
  gap: null,
  floors: [],
  teams: [],
  free: [],
  moved_people: 0,
  saving: null,
  saving_missing: null,
  next_point: null,
  risk: null,
  before: null,
  demand_changed: null,
  allocation_changed: null,
  warnings: [],
}

function placesResult(input: ScenarioInput, solved: PlacedScenario): Places {
  const { floors, teams, weekdays } = input
  const { allocation, bindings, saving, before, changed, after } = solved
  const days = weekdays as Weekday[] // of the opening hours
  const openOf = (floor: number) => days.filter((_, day) => allocation.open[day]?.[floor])
  const moved = weekdays.map((_, day) => teams.map((_, team) => movedOn(input, solved, team, day)))
  const isOpenToday = (floor: number, day: number) => floors[floor]?.shut[day] !== true
  const homes = new Set(teams.map(({ home }) => home))
  const isTodayKnown = teams.some(({ home }) => home !== null)
  // Of a floor where no one in the plan sits, it is not known that it is empty: others may be counted there.
  const isUseKnown = (floor: number) => isTodayKnown && (homes.has(floor) || hasPeople(before.load[floor]))
  const free = floors.flatMap(({ id, name, shut }, floor) => {
    const closed = days.filter((_, day) => !shut[day] && !allocation.open[day]?.[floor])
    return closed.length === 0 ? [] : [{ space_id: id, name, weekdays: closed }]
  })
  const result: Omit<Places, 'conclusion'> = {
    gap: round(solved.gap),
    floors: floors.map(({ id, name, capacity }, floor) => ({
      space_id: id,
      name,
      capacity,
      open: openOf(floor),
      utilization_before: isUseKnown(floor)
        ? byDay(days, (day) => share(before.load[floor]?.[day] ?? 0, capacity))
        : {},
      utilization_after: byDay(days, (day) => share(after.load[floor]?.[day] ?? 0, capacity)),
      kept_open_by: keptOpenBy(input, bindings[floor]),
    })),
    teams: teams.map(({ id, name, isOfSpace = false }, team) => ({
      team_id: isOfSpace ? null : id,
      space_id: isOfSpace ? id : null,
      name,
      needs: byDay(days, (day) => solved.needs[team]?.[day] ?? 0),
      seats: days.flatMap((weekday, day) =>
        (allocation.seats[day]?.[team] ?? []).flatMap((places, floor) =>
          places > 0 ? [{ weekday, space_id: floors[floor]?.id ?? '', places }] : [],
        ),
      ),
      moved_people: Math.max(0, ...moved.map((ofDay) => ofDay[team] ?? 0)),
    })),
    free,
    moved_people: Math.max(0, ...moved.map((ofDay) => ofDay.reduce((sum, people) => sum + people, 0))),
    saving: savingView(input, saving),
    saving_missing: saving.currency === null ? saving.warnings.join(' ') || 'No floor closes.' : null,
    next_point: nextPoint(input, solved),
    risk: {
      overflow_days: round(1 - after.serviceLevel),
      by_weekday: byDay(days, (day) => round(1 - (after.byWeekday[day] ?? 1))),
      people_without_place: round(after.withoutPlace),
      people_on_other_floor: round(after.elsewhere),
      people: null,
    },
    before: isTodayKnown ? demandView(input, before, isOpenToday) : null,
    demand_changed: isTodayKnown ? demandView(input, changed, isOpenToday) : null,
    allocation_changed: demandView(input, after, (floor, day) => allocation.open[day]?.[floor] === true),
    warnings: [...(solved.isCutShort ? [cutShort] : []), ...(saving.currency === null ? [] : saving.warnings)],
  }
  return { ...result, conclusion: conclusionOf(result, saving) }
}

const cutShort =
  'The time limit ended the search for places: this is the best plan found so far. With more time, a better one may be found.'

const hasPeople = (load: readonly number[] = []): boolean => load.some((people) => people > 0)

/** Returns null where there is no further point, or where costs in several currencies cannot be compared. */
function nextPoint({ serviceLevel }: ScenarioInput, { saving, nextSaving }: PlacedScenario): Places['next_point'] {
  const level = round(serviceLevel + 0.01)
  const cost = nextSaving === null ? null : savingBeyond(saving, nextSaving)
  if (level > 1 || (nextSaving !== null && cost === null)) return null
  return { service_level: level, saving: nextSaving?.amount ?? null, cost }
}

function conclusionOf(
  { floors, free, risk, moved_people: moved, before }: Omit<Places, 'conclusion'>,
  saving: Saving,
): string {
  const short = new Map(shortNames(floors.map(({ name }) => name)).map((name, at) => [floors[at]?.space_id, name]))
  const isAllWeek = allWeekOf(floors)
  const alike = Map.groupBy(free, (floor) => (isAllWeek(floor) ? '' : floor.weekdays.join()))
  const parts = [...alike.values()].map((group) => {
    const closed = group[0]?.weekdays ?? []
    const named = group.map(({ space_id: id, name }) => short.get(id) ?? name)
    const names = listNames(named, 6)
    return group.every(isAllWeek) ? `${names} all week` : `${names} on ${listDays(closed)}`
  })
  const closing = parts.length === 0 ? 'No floor can close' : `${listParts(parts)} can close`
  const money = saving.currency === null ? '' : `, which saves ${formatMoney(saving.amount, saving.currency)} a year`
  // Who moves cannot be told if no team has a known floor today.
  const movers = moved === 0 ? 'no one moves' : `up to ${moved} people a day sit elsewhere`
  const people = before === null ? '' : `${movers}, and `
  return `${closing}${money}; ${people}everyone has a place on ${formatKept(1 - (risk?.overflow_days ?? 0))} of days.`
}

/** Returns a function that tells if a free floor closes on all weekdays on which it is open today. */
export const allWeekOf = (floors: ScenarioResult['floors']): ((floor: { space_id: string }) => boolean) => {
  const neverOpen = new Set(floors.flatMap(({ space_id: id, open }) => (open.length === 0 ? [id] : [])))
  return ({ space_id: id }) => neverOpen.has(id)
}

/** Counts the floors that close, and the days of a week on which they do. */
export function freeTotalsOf({ floors, free }: Pick<ScenarioResult, 'floors' | 'free'>) {
  const allWeek = free.filter(allWeekOf(floors)).length
  const closedDays = free.reduce((sum, floor) => sum + floor.weekdays.length, 0)
  const openDays = floors.reduce((sum, { open }) => sum + open.length, 0)
  return {
    floors_all_week: allWeek,
    floors_some_days: free.length - allWeek,
    of_floors: floors.length,
    floor_days: closedDays,
    of_floor_days: closedDays + openDays,
  }
}

/** Joins parts that are lists themselves. */
const listParts = (parts: readonly string[]): string =>
  parts.some((part) => / and /.test(part)) && parts.length > 1
    ? `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`
    : listNames(parts, 6)

function savingView({ floors }: ScenarioInput, { currency, amount, rent, lines }: Saving): ScenarioResult['saving'] {
  if (currency === null) return null
  return {
    amount,
    currency,
    rent,
    lines: lines.map((line) => {
      const floor = floors.find(({ id }) => id === line.floor)
      const cost = formatMoney(floor?.annualCost ?? 0, currency)
      const days = `${line.days} of ${line.openDays + line.days} days`
      return {
        space_id: line.floor,
        name: floor?.name ?? '',
        closed_days: line.days,
        amount: line.amount,
        rent: line.rent,
        annual_cost: floor?.annualCost ?? 0,
        avoidable_share: floor?.avoidableShare ?? 0,
        arithmetic: `${cost} a year × ${formatShare(floor?.avoidableShare ?? 0)} that ends with a closed day × ${days} = ${formatMoney(line.amount, currency)}`,
      }
    }),
  }
}

const keptOpenBy = (input: ScenarioInput, binding: PlacedScenario['bindings'][number] | undefined): string | null =>
  binding == null ? null : describeBinding(input, binding)

/** Returns the people of a team who sit on another floor than today on a weekday, by the places planned for them. */
function movedOn({ teams }: ScenarioInput, { allocation }: PlacedScenario, team: number, day: number): number {
  const home = teams[team]?.home ?? null
  if (home === null) return 0
  return (allocation.seats[day]?.[team] ?? []).reduce((sum, places, floor) => sum + (floor === home ? 0 : places), 0)
}

function demandView(
  { floors, weekdays }: ScenarioInput,
  { load, people: expected, serviceLevel, withoutPlace, elsewhere }: Simulated,
  isOpen: (floor: number, day: number) => boolean,
): NonNullable<ScenarioResult['before']> {
  let [people, places] = [0, 0]
  for (const day of weekdays.keys())
    for (const [floor, { capacity }] of floors.entries()) {
      people += load[floor]?.[day] ?? 0
      if (isOpen(floor, day)) places += capacity
    }
  return {
    people: byDay(weekdays as Weekday[], (day) => round(expected[day] ?? 0)),
    utilization: places === 0 ? null : round(people / places),
    service_level: round(serviceLevel),
    people_without_place: round(withoutPlace),
    people_on_other_floor: round(elsewhere),
  }
}

function unplacedWarning({ teams }: ScenarioInput): string[] {
  const unplaced = teams.filter(({ home }) => home === null).map(({ name }) => name)
  if (unplaced.length === 0) return []
  return [`The floor of ${listNames(unplaced)} is not known, so that they do not count as moved, nor in what is today.`]
}

/** A rule that counts members needs to know how many there are. */
function unruledWarning({ teams }: ScenarioInput): string[] {
  const unruled = teams.filter(
    ({ headcount, attendance: { minDays, fixedDays = [] } }) =>
      headcount === null && (minDays !== undefined || fixedDays.length > 0),
  )
  if (unruled.length === 0) return []
  const names = listNames(unruled.map(({ name }) => name))
  return [`The headcount of ${names} is not known, so that minimum days and fixed days do not change who comes.`]
}

const byDay = (days: readonly Weekday[], value: (day: number) => number): Partial<Record<Weekday, number>> =>
  Object.fromEntries(days.map((weekday, day) => [weekday, value(day)]))

const share = (people: number, capacity: number): number => (capacity === 0 ? 0 : round(people / capacity))
const round = (value: number): number => Math.round(value * 10_000) / 10_000
