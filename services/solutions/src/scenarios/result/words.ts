import type { Weekday } from '@wp/contracts'
import { listNames } from '../../workplace/tree.ts'
import { type Condition, subjectsOf } from '../model/find-conflict.ts'
import type { ScenarioInput } from '../scenario-input.ts'
import type { Binding } from '../solve-scenario.ts'
import type { Shortage } from './needed-places.ts'

/** The full names of weekdays. */
export const dayNames: Record<string, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

/** Stands for the reason of a missing saving in results that were made without it. */
export const noSaving = 'No saving is stated.'

/** Joins weekdays in the plural: `Mondays and Fridays`. */
export const listDays = (weekdays: readonly Weekday[]): string => {
  const plural = weekdays.map((weekday) => `${dayNames[weekday]}s`)
  return listNames(plural, plural.length)
}

/** Returns the digits of the minor unit of a currency: 2 for cents, 0 for yen. */
export const minorDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** Formats an amount of minor units: `EUR 1,235`, and below 100 with cents if there are any, `EUR 12.50`. */
export function formatMoney(amount: number, currency: string): string {
  const minor = minorDigits(currency)
  const units = amount / 10 ** minor
  const digits = Math.abs(units) >= 100 || Number.isInteger(units) ? 0 : minor
  return `${currency} ${units.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
}

/** Formats a mean number of people: whole people from 10 up, below with one decimal. */
export const formatPeople = (people: number): string => {
  if (people > 0 && people < 0.05) return 'under 0.1'
  return people.toLocaleString('en', { maximumFractionDigits: people >= 10 ? 0 : 1 })
}

/** Formats the share of places that are taken, a mean that is no more exact than a whole percent. */
export const formatUse = (share: number): string => `${Math.round(share * 100)} %`

/** Formats a share that was given, so that arithmetic with it can be repeated, or that is small. */
export const formatShare = (share: number): string => `${Math.round(share * 1000) / 10} %`

/** Formats a share of days that is promised or kept, rounded down: 99.97 % are not all days. */
export const formatKept = (share: number): string => `${Math.floor(share * 1000 + 1e-6) / 10} %`

/** Returns the names of spaces or teams without the names around them that all have in common. */
export function shortNames(names: readonly string[]): string[] {
  const paths = names.map((name) => name.split(separator))
  const [first = []] = paths
  let shared = 0
  while (paths.every((path) => shared < path.length - 1 && path[shared] === first[shared]) && shared < first.length)
    shared++
  return paths.map((path) => path.slice(shared).join(separator))
}

/** Stands between a name and those around it. */
export const separator = ' / '

/** Describes what is missing on a weekday: the places needed and those there are, then each other condition. */
export function describeShortage({ floors, teams, weekdays }: ScenarioInput, shortage: Shortage): string[] {
  const { weekday, conditions, places, share, people, isOfAll } = shortage
  const day = `${dayNames[weekdays[weekday] ?? '']}s`
  const [shortFloors, shortTeams] = [floors, teams].map((all) => shortNames(all.map(({ name }) => name)))
  const floorNames = (at: readonly number[]) => listNames(at.map((floor) => shortFloors?.[floor] ?? ''))
  const nameOf = (team: number) => shortTeams?.[team] ?? ''
  const of = (kind: Condition['kind']) => subjectsOf(conditions, kind)
  const placesOf = (at: readonly number[]) => at.reduce((sum, floor) => sum + (floors[floor]?.capacity ?? 0), 0)
  const [needing, closed, full] = [of('need'), of('closed'), of('capacity')]
  const missing = places - placesOf(full)
  const lines: string[] = []
  if (needing.length > 0) {
    const who = `${listNames(needing.map(nameOf))} ${needing.length === 1 ? 'needs' : 'need'} ${countPlaces(places)}`
    const needed = isOfAll ? `${countPlaces(places)} ${places === 1 ? 'is' : 'are'} needed` : who
    lines.push(
      `On ${day}, ${needed}, so that everyone has one on ${formatShare(share)} of them; ${formatPeople(people)} come on average.`,
    )
  }
  if (full.length > 0) {
    const short = missing > 0 ? `: ${missing} ${missing === 1 ? 'is' : 'are'} missing` : ''
    const isAll = full.length > 2 && full.length === floors.length
    const named = isAll ? `All ${full.length} floors` : floorNames(full)
    lines.push(`${named} ${full.length === 1 ? 'has' : 'have'} ${countPlaces(placesOf(full))}${short}.`)
  }
  if (closed.length > 0) {
    const [left, isFree] = [missing - placesOf(closed), conditions.every(({ kind }) => placeKinds.includes(kind))]
    const rest = left > 0 ? `${left} would still be missing` : 'there would be enough'
    const withThem = `: with ${closed.length === 1 ? 'its' : 'their'} ${countPlaces(placesOf(closed))}, ${rest}`
    lines.push(`${floorNames(closed)} ${closed.length === 1 ? 'is' : 'are'} closed on ${day}${isFree ? withThem : ''}.`)
  }
  for (const [fixed, own] of Map.groupBy(of('fixed'), (team) => teams[team]?.fixed?.join() ?? ''))
    lines.push(
      `${listNames(own.map(nameOf))} may sit only on ${floorNames(fixed === '' ? [] : fixed.split(',').map(Number)) || 'floors that are not in this plan'}.`,
    )
  for (const team of of('excluded'))
    lines.push(`${nameOf(team)} must not sit on ${floorNames(teams[team]?.excluded ?? [])}.`)
  for (const team of of('max_floors'))
    lines.push(`${nameOf(team)} may be divided among ${countFloors(teams[team]?.maxFloors ?? 0)} at most.`)
  return lines
}

/** Conditions that are no wish of a team. */
const placeKinds: readonly Condition['kind'][] = ['need', 'capacity', 'closed']

const countPlaces = (places: number): string => `${places.toLocaleString('en')} ${places === 1 ? 'place' : 'places'}`
const countFloors = (floors: number): string => `${floors} ${floors === 1 ? 'floor' : 'floors'}`

/** Describes what keeps a floor open. */
export function describeBinding(input: ScenarioInput, binding: Binding): string {
  if (binding.kind === 'service_level') {
    const day = `${dayNames[input.weekdays[binding.weekday] ?? '']}s`
    return `Without it, ${binding.left} places are left on ${day}: everyone has one on ${formatKept(binding.reached)} of them.`
  }
  if (binding.kind === 'conditions') return describeShortage(input, binding.shortage).join(' ')
  if (binding.kind === 'objective') return 'It could close as well, but no fewer people would move for it.'
  return 'It was not found out within the time limit.'
}
