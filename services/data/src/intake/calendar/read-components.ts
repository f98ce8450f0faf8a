import { problem } from '@wp/contracts'

/** One event or time zone of a calendar, with the properties that are read. */
export interface CalendarComponent {
  name: 'VEVENT' | 'VTIMEZONE'
  /** The line of its BEGIN, from 1. */
  line: number
  properties: {
    line: number
    text: string
    /** The STANDARD or DAYLIGHT of a time zone that the property is in, from 1; 0 for one of the component itself. */
    observance: number
  }[]
  /** Length of the properties. */
  length: number
  /** The reason why it cannot be read. */
  fault?: string
  /** The calendar it is of. */
  calendar: Calendar
}

/** A VCALENDAR object: a file may have several. */
export interface Calendar {
  method: string | undefined
}

const eventProperties = new Set([
  ...['UID', 'DTSTART', 'DTEND', 'DURATION', 'SUMMARY', 'LOCATION', 'ORGANIZER', 'ATTENDEE', 'STATUS', 'SEQUENCE'],
  ...['RRULE', 'RDATE', 'EXDATE', 'EXRULE', 'RECURRENCE-ID', 'CREATED', 'LAST-MODIFIED'],
])
const zoneProperties = new Set(['TZID', 'X-LIC-LOCATION', 'DTSTART', 'RRULE', 'RDATE', 'TZOFFSETFROM', 'TZOFFSETTO'])

/** Limits of a property after unfolding, and of the properties of an event and of a file that are read. */
const maxPropertyLength = 16_384
const maxEventLength = 1_048_576
const maxKeptLength = 67_108_864
/** Limit of the events of a file. */
const maxEvents = 200_000

/**
 * Reads the events and time zones of a file of calendars. Properties that are not read take no memory, however long
 * they are, and components within an event, such as alarms, are skipped at any depth.
 * @param isTruncated true if the last component may be incomplete; it is dropped
 * @throws Problem `payload_too_large`
 */
export async function* readComponents(
  chunks: AsyncIterable<string>,
  isTruncated: boolean,
): AsyncGenerator<CalendarComponent> {
  const reader = createComponentReader()
  for await (const lines of unfoldLines(chunks)) for (const line of lines) yield* reader.add(line)
  yield* reader.end(isTruncated)
}

interface Line {
  /** The first line it is on. */
  line: number
  /** Cut after the first character beyond the limit. */
  text: string
}

/** Yields the unfolded lines (RFC 5545, section 3.1). CRLF, LF and CR may be mixed. */
async function* unfoldLines(chunks: AsyncIterable<string>): AsyncGenerator<Line[]> {
  let pending: Line | undefined
  let [rest, number] = ['', 0]

  function take(physical: string): Line | undefined {
    number++
    const isFolded = /^[ \t]/.test(physical)
    if (pending !== undefined && (isFolded || isSoftBreak(pending.text))) {
      const before = isFolded ? pending.text : pending.text.slice(0, -1)
      if (before.length <= maxPropertyLength)
        pending.text = (before + (isFolded ? physical.slice(1) : physical)).slice(0, maxPropertyLength + 1)
      return undefined
    }
    const done = pending
    pending = { line: number, text: physical.slice(0, maxPropertyLength + 1) }
    return done
  }

  for await (const chunk of chunks) {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    yield lines.flatMap((line) => take(line) ?? [])
    if (rest.length > 2 * maxPropertyLength) rest = rest.slice(0, maxPropertyLength + 1)
  }
  const last = take(rest.replace(/\r$/, ''))
  yield [last ?? [], pending ?? []].flat()
}

/** Quoted-printable text of old programs goes on in the next line after a `=`, without a fold. */
const isSoftBreak = (text: string): boolean => text.endsWith('=') && /^[A-Z-]+;[^:]*QUOTED-PRINTABLE/i.test(text)

/** Longer than most functions: the lines of a calendar move one state. */
function createComponentReader() {
  let calendar: Calendar = { method: undefined }
  let current: CalendarComponent | undefined
  /** Components that are open within the current one. */
  let depth = 0
  let observances = 0
  let isObservance = false
  let [events, kept] = [0, 0]

  function* close(fault?: string): Generator<CalendarComponent> {
    if (current === undefined) return
    if (fault !== undefined) current.fault ??= fault
    yield current
    current = undefined
    depth = 0
    observances = 0
  }

  function* begin(name: string, line: number): Generator<CalendarComponent> {
    const isStart = name === 'VCALENDAR' || name === 'VEVENT' || name === 'VTIMEZONE'
    if (current !== undefined && !isStart) {
      depth++
      if (depth > 1) return
      isObservance = name === 'STANDARD' || name === 'DAYLIGHT'
      if (isObservance) observances++
      return
    }
    if (!isStart) return
    yield* close('has no END')
    if (name === 'VCALENDAR') calendar = { method: undefined }
    else current = { name: name === 'VEVENT' ? 'VEVENT' : 'VTIMEZONE', line, properties: [], length: 0, calendar }
    if (name === 'VEVENT' && ++events > maxEvents)
      throw problem('payload_too_large', { detail: `The calendar has more than ${maxEvents} events` })
  }

  function* end(name: string): Generator<CalendarComponent> {
    if (current === undefined) return
    if (name === current.name) yield* close()
    else if (name === 'VCALENDAR') yield* close('has no END')
    else if (depth > 0) depth--
  }

  function addProperty(component: CalendarComponent, name: string, line: number, text: string): void {
    const isEvent = component.name === 'VEVENT'
    if (depth > 0 && (isEvent || depth > 1 || !isObservance)) return
    if (!(isEvent ? eventProperties : zoneProperties).has(name)) return
    if (text.length > maxPropertyLength) {
      component.fault ??= `line ${line}: ${name} is longer than ${maxPropertyLength} characters`
      return
    }
    component.length += text.length
    if (component.length > maxEventLength) {
      component.fault ??= `is larger than ${maxEventLength / 1_048_576} MiB`
      component.properties = []
      return
    }
    kept += text.length
    if (kept > maxKeptLength)
      throw problem('payload_too_large', {
        detail: `The events of the calendar are larger than ${maxKeptLength / 1_048_576} MiB`,
      })
    component.properties.push({ line, text, observance: depth === 0 ? 0 : observances })
  }

  return {
    *add({ line, text }: Line): Generator<CalendarComponent> {
      const [, property = '', value = ''] = /^([A-Za-z0-9-]+)(?:;[^:]*)?:?(.{0,100})/.exec(text) ?? []
      const name = property.toUpperCase()
      if (name === 'BEGIN') yield* begin(value.trim().toUpperCase(), line)
      else if (name === 'END') yield* end(value.trim().toUpperCase())
      else if (current === undefined) {
        if (name === 'METHOD') calendar.method = value.trim().toUpperCase()
      } else if (!/^[A-Za-z0-9-]+[;:]/.test(text)) {
        if (text.trim() !== '' && depth === 0)
          current.fault ??= `line ${line}: "${text.trim().slice(0, 60)}" is not a property`
      } else addProperty(current, name, line, text)
    },
    *end(isTruncated: boolean): Generator<CalendarComponent> {
      if (!isTruncated) yield* close('has no END')
    },
  }
}
