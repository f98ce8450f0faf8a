import {
  convertLocalTimes,
  createOffsetReader,
  type LocalTimeConverter,
  type OffsetReader,
} from '../../schema/time-zone.ts'
import { createCustomOffsets } from './custom-zone.ts'
import type { DayBudget } from './expand-rule.ts'
import type { CalendarComponent } from './read-components.ts'
import { windowsZones } from './windows-zones.ts'

/** A time zone whose offsets are known. */
export interface Zone {
  offsetAt: OffsetReader
  toInstant: LocalTimeConverter
}

/** Finds the zones of one calendar by the names that its events use. */
export interface CalendarZones {
  /** Adds a VTIMEZONE of the calendar. */
  add(component: CalendarComponent): void
  /** Returns undefined for a name that is not known. */
  find(tzid: string): Zone | undefined
}

/** Zones by IANA name, for the calendars of a file. */
export type ZoneCache = Map<string, Zone | undefined>

/**
 * Creates the zones of a calendar. Names of the time zone database and of Windows have the offsets of the database,
 * other ones those of the VTIMEZONE in the calendar.
 */
export function createCalendarZones(cache: ZoneCache, budget: DayBudget): CalendarZones {
  const components = new Map<string, CalendarComponent>()
  const custom: ZoneCache = new Map()

  function findCustom(tzid: string): Zone | undefined {
    if (custom.has(tzid)) return custom.get(tzid)
    const component = components.get(tzid)
    const location = component === undefined ? undefined : propertyText(component, 'X-LIC-LOCATION')
    const known = location === undefined ? undefined : findKnown(cache, location)
    const offsetAt = known === undefined && component !== undefined ? createCustomOffsets(component, budget) : undefined
    const zone = known ?? (offsetAt === undefined ? undefined : toZone(offsetAt))
    custom.set(tzid, zone)
    return zone
  }

  return {
    add(component) {
      const tzid = propertyText(component, 'TZID')
      if (tzid !== undefined) components.set(tzid, component)
    },
    find: (tzid) => findKnown(cache, tzid) ?? findCustom(tzid),
  }
}

function propertyText({ properties }: CalendarComponent, name: string): string | undefined {
  const pattern = new RegExp(`^${name}(?:;[^:]*)?:(.*)$`, 'i')
  for (const { text, observance } of properties) {
    const [, value] = observance === 0 ? (pattern.exec(text) ?? []) : []
    if (value !== undefined) return unquote(value)
  }
  return undefined
}

/** Programs write the name of a zone with quotes, or with the escapes of a text. */
export const unquote = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replaceAll(/\\([,;\\])/g, '$1')

const maxCached = 1_000

function findKnown(cache: ZoneCache, tzid: string): Zone | undefined {
  if (cache.has(tzid)) return cache.get(tzid)
  const zone = toKnown(tzid)
  if (cache.size < maxCached) cache.set(tzid, zone)
  return zone
}

function toKnown(tzid: string): Zone | undefined {
  for (const name of namesOf(tzid)) {
    // Offsets such as +01:00 are names for Intl, but not for calendars.
    if (!/^[A-Za-z]/.test(name)) continue
    try {
      return toZone(createOffsetReader(name))
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }
  return undefined
}

/** Returns the names of the database to try: `/example.org/20260101_1/Europe/Berlin` ends with one. */
function namesOf(tzid: string): string[] {
  const windows = Object.hasOwn(windowsZones, tzid) ? windowsZones[tzid] : undefined
  if (windows !== undefined) return [windows]
  if (!tzid.startsWith('/')) return [tzid]
  const parts = tzid.split('/')
  return [3, 2].map((count) => parts.slice(-count).join('/'))
}

function toZone(offsetAt: OffsetReader): Zone {
  const cached = cacheOffsets(offsetAt)
  return { offsetAt: cached, toInstant: convertLocalTimes(cached) }
}

const quarterMs = 900_000
const maxOffsets = 50_000

/** Clocks have changed at quarters of an hour since 1973, so one offset holds for each quarter. */
function cacheOffsets(offsetAt: OffsetReader): OffsetReader {
  const offsets = new Map<number, number>()
  return (instantMs) => {
    if (instantMs < 94_694_400_000) return offsetAt(instantMs)
    const quarter = Math.floor(instantMs / quarterMs)
    const known = offsets.get(quarter)
    if (known !== undefined) return known
    const offset = offsetAt(quarter * quarterMs)
    if (offsets.size >= maxOffsets) offsets.clear()
    offsets.set(quarter, offset)
    return offset
  }
}
