import { Buffer } from 'node:buffer'
import { TextDecoder } from 'node:util'
import ICAL from 'ical.js'
import { type EventTime, instantOf, timesOf, timeText } from './event-time.ts'
import { CalendarFault, checkRule } from './expand-rule.ts'
import { type ParsedRule, type Property, parameterOf, parseProperty, parseRule } from './parse-property.ts'
import type { CalendarComponent } from './read-components.ts'
import type { CalendarZones } from './time-zones.ts'

/** An event, a series of events, or one changed occurrence of a series. */
export interface CalendarEvent {
  line: number
  uid: string
  sequence: number
  start: EventTime
  /** Days of the calendar and milliseconds, in this order. */
  duration: { days: number; ms: number }
  /** The original start, of a changed occurrence. */
  recurrenceId: EventTime | undefined
  rule: ParsedRule | undefined
  added: EventTime[]
  excluded: EventTime[]
  fields: EventFields
}

/** The values of all occurrences of an event. */
export interface EventFields {
  summary: string | null
  location: string | null
  room: string | null
  organizer: string | null
  attendees: number | null
  status: string
  created: string | null
  updated: string | null
}

const dayMs = 86_400_000
const maxUidLength = 450
const statuses = new Set(['confirmed', 'tentative', 'cancelled'])

/** Parses an event. @throws CalendarFault with the reason why it cannot be read */
export function parseEvent(component: CalendarComponent, zones: CalendarZones): CalendarEvent {
  const { line, fault, calendar } = component
  if (fault !== undefined) throw new CalendarFault(fault)
  const isMessage = /^(?:REPLY|REFRESH|COUNTER|DECLINECOUNTER)$/.test(calendar.method ?? '')
  if (isMessage) throw new CalendarFault(`is a message about an event (METHOD:${calendar.method}), not an event`)
  const properties = component.properties.map(({ text }) => parseProperty(text))
  const all = (name: string) => properties.filter((property) => property.name === name)
  const times = (name: string) => all(name).flatMap((property) => timesOf(property, zones))
  const text = (name: string) => textOf(all(name)[0])
  const uid = text('uid')
  if (uid === null || uid.length > maxUidLength)
    throw new CalendarFault(uid === null ? 'has no UID' : 'has a UID that is too long')
  const [recurrence] = all('recurrence-id')
  if (recurrence !== undefined && parameterOf(recurrence, 'range') !== undefined)
    throw new CalendarFault('RECURRENCE-ID with a RANGE is not read')
  const [recurrenceId] = times('recurrence-id')
  const start = times('dtstart')[0] ?? recurrenceId
  if (start === undefined) throw new CalendarFault('has no DTSTART')
  const [created] = times('created')
  const [updated] = times('last-modified')
  return {
    line,
    uid,
    start,
    recurrenceId,
    sequence: Number(text('sequence') ?? 0) || 0,
    duration: durationOf(start, times('dtend')[0], all('duration')[0]),
    rule: ruleOf(all('rrule'), all('exrule'), recurrenceId),
    added: times('rdate'),
    excluded: times('exdate'),
    fields: {
      summary: text('summary'),
      location: text('location'),
      organizer: addressOf(all('organizer')[0]),
      ...attendeesOf(all('attendee')),
      status: calendar.method === 'CANCEL' ? 'cancelled' : statusOf(text('status')),
      created: created === undefined ? null : timeText(created),
      updated: updated === undefined ? null : timeText(updated),
    },
  }
}

function ruleOf(rules: readonly Property[], exceptions: readonly Property[], recurrenceId: EventTime | undefined) {
  const [first] = rules
  if (exceptions.length > 0) throw new CalendarFault('EXRULE is not read')
  if (rules.length > 1) throw new CalendarFault('has several RRULEs, which are not read')
  if (first === undefined) return undefined
  if (recurrenceId !== undefined)
    throw new CalendarFault('is an occurrence of a series (RECURRENCE-ID) with an RRULE of its own')
  const parsed = parseRule(first.values[0])
  checkRule(parsed.rule)
  return parsed
}

function durationOf(start: EventTime, end: EventTime | undefined, duration: Property | undefined) {
  if (end !== undefined) {
    if (end.isDate !== start.isDate || (end.zone === undefined) !== (start.zone === undefined))
      throw new CalendarFault('DTEND is not of the kind of DTSTART: both are dates, local times, or times of a zone')
    const ms = instantOf(end) - instantOf(start)
    if (ms < 0) throw new CalendarFault('DTEND is before DTSTART')
    return start.isDate ? { days: ms / dayMs, ms: 0 } : { days: 0, ms }
  }
  if (duration === undefined) return { days: start.isDate ? 1 : 0, ms: 0 }
  const text = String(duration.values[0])
  if (!/^\+?P(?=\d|T\d)(?:\d{1,6}W)?(?:\d{1,6}D)?(?:T(?:\d{1,6}H)?(?:\d{1,7}M)?(?:\d{1,9}S)?)?$/.test(text))
    throw new CalendarFault(`DURATION "${text.slice(0, 40)}" is not a duration`)
  const { weeks, days, hours, minutes, seconds } = ICAL.Duration.fromString(text)
  return { days: weeks * 7 + days, ms: ((hours * 60 + minutes) * 60 + seconds) * 1_000 }
}

function statusOf(text: string | null): string {
  const status = text?.toLowerCase() ?? 'confirmed'
  if (!statuses.has(status)) throw new CalendarFault(`STATUS "${status.slice(0, 40)}" is none of an event`)
  return status
}

/** Counts the people who have not declined. Rooms are attendees too, of a kind of their own. */
function attendeesOf(properties: readonly Property[]): Pick<EventFields, 'attendees' | 'room'> {
  const invited = properties.filter((property) => parameterOf(property, 'partstat')?.toUpperCase() !== 'DECLINED')
  const isRoom = (property: Property) => /^(?:ROOM|RESOURCE)$/i.test(parameterOf(property, 'cutype') ?? '')
  const rooms = invited.filter(isRoom).map((room) => parameterOf(room, 'cn')?.trim() || addressOf(room))
  return {
    room: rooms.length === 0 ? null : rooms.join('; '),
    attendees: properties.length === 0 ? null : invited.length - rooms.length,
  }
}

/** Returns the mail address of a person, or the name if there is none. */
function addressOf(property: Property | undefined): string | null {
  if (property === undefined) return null
  const [, address] = /^mailto:(.+)$/i.exec(String(property.values[0] ?? '')) ?? []
  return address?.trim() || parameterOf(property, 'cn')?.trim() || textOf(property)
}

function textOf(property: Property | undefined): string | null {
  if (property === undefined) return null
  const text = property.values.map(String).join(',')
  const isQuoted = parameterOf(property, 'encoding')?.toUpperCase() === 'QUOTED-PRINTABLE'
  return (isQuoted ? decodeQuoted(text, parameterOf(property, 'charset')) : text).trim() || null
}

/** Decodes the quoted-printable text of programs that write vCalendar 1.0. @throws CalendarFault */
function decodeQuoted(text: string, charset = 'utf-8'): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  try {
    return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(bytes, 'latin1'))
  } catch {
    throw new CalendarFault(`has quoted-printable text that is not ${charset.slice(0, 40)}`)
  }
}
