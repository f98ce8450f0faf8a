import ICAL from 'ical.js'
import { CalendarFault } from './expand-rule.ts'

/** A property with parsed parameters and values; times are RFC 3339, local without offset. */
export interface Property {
  /** In lower case. */
  name: string
  parameters: Readonly<Record<string, unknown>>
  values: unknown[]
}

/** Parses a property. @throws CalendarFault with the reason */
export function parseProperty(written: string): Property {
  const name = (/^[^;:]*/.exec(written)?.[0] ?? '').toUpperCase()
  // ical.js ignores a part of a rule that has a space before its name, or small letters.
  const text = name === 'RRULE' ? written.replaceAll(/\s/g, '').toUpperCase() : written
  try {
    const [lowerName, parameters, , ...values] = ICAL.parse.property(text, ICAL.design.icalendar) as [
      ...[string, Record<string, unknown>, string],
      ...unknown[],
    ]
    return { name: lowerName, parameters, values }
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 100) : ''
    throw new CalendarFault(`${name} cannot be read: ${reason}`, { cause: error })
  }
}

/** Returns a text of a parameter; the first, if it has several. */
export function parameterOf({ parameters }: Property, name: string): string | undefined {
  const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' ? first : undefined
}

/** A rule and its limits. */
export interface ParsedRule {
  rule: InstanceType<typeof ICAL.Recur>
  count: number | undefined
  /** The last time, local or UTC. */
  untilMs: number | undefined
  isUtc: boolean
}

/** Parses the value of an RRULE. @throws CalendarFault */
export function parseRule(value: unknown): ParsedRule {
  if (typeof value !== 'object' || value === null) throw new CalendarFault('RRULE cannot be read')
  const { until, count, ...parts } = value as { until?: unknown; count?: unknown }
  const rule = new ICAL.Recur(parts)
  const untilText = until === undefined ? undefined : String(until)
  const isDate = untilText !== undefined && untilText.length <= 10
  return {
    rule,
    count: typeof count === 'number' ? count : undefined,
    // A date as the end of a rule of times includes that day.
    untilMs: untilText === undefined ? undefined : localMsOf(untilText) + (isDate ? 86_399_000 : 0),
    isUtc: untilText?.endsWith('Z') ?? false,
  }
}

/** Returns the milliseconds since 1970 of a date or time as if its clock reading were UTC. @throws CalendarFault */
export function localMsOf(value: unknown): number {
  const text = String(value)
  const [match, date = '', time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)Z?)?$/.exec(text) ?? []
  const ms = match === undefined ? Number.NaN : Date.parse(`${date}T${time}Z`)
  // Date.parse takes days such as 30 February for the day after the month.
  if (!Number.isFinite(ms) || !new Date(ms).toISOString().startsWith(`${date}T${time}`))
    throw new CalendarFault(`"${text.slice(0, 40)}" is not a date or time`)
  return ms
}
