import { CalendarFault } from './expand-rule.ts'
import { localMsOf, type Property, parameterOf } from './parse-property.ts'
import type { CalendarZones, Zone } from './time-zones.ts'

/** A date, or a time that is local in a zone, or without one in any place. */
export interface EventTime {
  /** The clock reading, as milliseconds since 1970 of the same reading in UTC. */
  localMs: number
  isDate: boolean
  zone: Zone | undefined
}

const utc: Zone = { offsetAt: () => 0, toInstant: (localMs) => localMs }

/** Returns the times of a property. @throws CalendarFault with the reason, such as the name of an unknown zone */
export function timesOf(property: Property, zones: CalendarZones): EventTime[] {
  return property.values.map((value) => {
    const localMs = localMsOf(value)
    const text = String(value)
    if (text.length <= 10) return { localMs, isDate: true, zone: undefined }
    if (text.endsWith('Z')) return { localMs, isDate: false, zone: utc }
    const tzid = parameterOf(property, 'tzid')
    return { localMs, isDate: false, zone: tzid === undefined ? undefined : findZone(zones, tzid) }
  })
}

function findZone(zones: CalendarZones, tzid: string): Zone {
  const zone = zones.find(tzid.trim().replaceAll(/^"|"$/g, ''))
  if (zone === undefined) throw new CalendarFault(`the time zone "${tzid.slice(0, 100)}" is not known`)
  return zone
}

/** Returns the instant of a time of a zone, and the clock reading of any other one. */
export const instantOf = ({ localMs, zone }: EventTime): number => zone?.toInstant(localMs) ?? localMs

/** Returns RFC 3339: a date, a local time, or a time with the offset of its zone. */
export const timeText = (time: EventTime): string => textAt(time, instantOf(time))

/** Returns the text of another instant, in the form of a time. */
export function textAt({ isDate, zone }: EventTime, instantMs: number): string {
  if (zone === undefined) return isDate ? dateText(instantMs) : localText(instantMs)
  if (zone === utc) return `${localText(instantMs)}Z`
  const offsetMs = zone.offsetAt(instantMs)
  const minutes = Math.round(Math.abs(offsetMs) / 60_000)
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'))
  return `${localText(instantMs + offsetMs)}${offsetMs < 0 ? '-' : '+'}${hour}:${minute}`
}

/** Returns the text that identifies a time among those of a series, whatever zone names it. */
export const timeKey = (time: EventTime): string =>
  time.zone === undefined ? timeText(time) : `${localText(instantOf(time))}Z`

/** Returns the texts by which exceptions name a time: as it is, without its zone, and as a date. */
export const exceptionKeys = (time: EventTime): string[] => [
  timeKey(time),
  localText(time.localMs),
  dateText(time.localMs),
]

const dateText = (ms: number): string => isoText(ms).slice(0, 10)
const localText = (ms: number): string => isoText(ms).slice(0, 19)

const [firstMs, endMs] = [Date.parse('0001-01-01T00:00:00Z'), Date.UTC(10_000, 0, 1)]

function isoText(ms: number): string {
  if (!(ms >= firstMs && ms < endMs)) throw new CalendarFault('has a time beyond the years 1 to 9999')
  return new Date(ms).toISOString()
}
