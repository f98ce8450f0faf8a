import { weekdayOf } from '../model/calendar.ts'
import type { Company } from '../model/company.ts'

/** The share of days on which everyone must have a place. */
export const serviceLevel = 0.95
const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri'] as const

/** The floors of a site that can close on one weekday, and the figures that say so. */
export interface Closure {
  site: string
  weekday: (typeof weekdayNames)[number]
  /** The floors, as identifiers. */
  closable: string[]
  /** Floors without a team that is fixed there. */
  candidates: string[]
  /** The places of the floors that stay open. */
  capacity: number
  /** Days of this weekday without public holidays, and those of them on which more people came than places stay. */
  days: number
  overflowDays: number
  /** The most people on one of these days. */
  peakAttendance: number
}

/**
 * Returns the floors that can close on each weekday: as many floors of a site without a fixed team as possible, those
 * with the fewest places first, while on at least 95 % of the days that are no public holidays the people who came to
 * the site are no more than the places of its other floors. People stay in their site.
 *
 * @param attendance for each space, the people of each day
 */
export function findClosures(company: Company, attendance: readonly (readonly number[])[]): Closure[] {
  const { spaces } = company
  const sites = [...spaces.keys()].filter((space) => spaces[space]?.parent === -1)
  return sites.flatMap((site) =>
    weekdayNames.map((weekday, index) => closeFloors(company, site, index, weekday, attendance)),
  )
}

function closeFloors(
  company: Company,
  site: number,
  weekdayNumber: number,
  weekday: Closure['weekday'],
  attendance: readonly (readonly number[])[],
): Closure {
  const { spaces, teams, holidays, days } = company
  const capacityOf = (floor: number) => spaces[floor]?.capacity ?? 0
  const floors = [...spaces.keys()].filter(
    (space) => spaces[space]?.kind === 'floor' && rootOf(company, space) === site,
  )
  const candidates = floors
    .filter((floor) => !teams.some(({ fixed }) => fixed.includes(floor)))
    .toSorted((a, b) => capacityOf(a) - capacityOf(b))
  const people = Array.from({ length: days }, (_, day) => day)
    .filter((day) => weekdayOf(company, day) === weekdayNumber && !holidays[site]?.has(day))
    .map((day) => attendance[site]?.[day] ?? 0)

  let capacity = floors.reduce((sum, floor) => sum + capacityOf(floor), 0)
  const overflows = (places: number) => people.filter((count) => count > places).length
  const closable: number[] = []
  for (const floor of candidates) {
    const rest = capacity - capacityOf(floor)
    if (floors.length - closable.length < 2 || overflows(rest) > (1 - serviceLevel) * people.length) break
    closable.push(floor)
    capacity = rest
  }
  const idOf = (space: number) => spaces[space]?.id ?? ''
  return {
    site: idOf(site),
    weekday,
    closable: closable.map(idOf),
    candidates: candidates.map(idOf),
    capacity,
    days: people.length,
    overflowDays: overflows(capacity),
    peakAttendance: Math.max(0, ...people),
  }
}

function rootOf(company: Company, space: number): number {
  const parent = company.spaces[space]?.parent ?? -1
  return parent < 0 ? space : rootOf(company, parent)
}

/** Returns the floors that can close on all five weekdays, and those that can close on Fridays but not on all. */
export function summarizeClosures(closures: readonly Closure[]): { wholeWeek: string[]; fridays: string[] } {
  const closable = (day: Closure['weekday']) =>
    closures.filter(({ weekday }) => weekday === day).flatMap(({ closable: floors }) => floors)
  const wholeWeek = weekdayNames.map(closable).reduce((all, floors) => all.filter((floor) => floors.includes(floor)))
  return { wholeWeek, fridays: closable('fri').filter((floor) => !wholeWeek.includes(floor)) }
}
