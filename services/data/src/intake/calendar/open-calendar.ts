import { setImmediate } from 'node:timers/promises'
import { problem, type SourceFormat } from '@wp/contracts'
import type { InvalidRow } from '../../parsers/row.ts'
import { type RawRow, type RawTable, TimeCell } from '../raw-table.ts'
import type { TextSource } from '../text/open-text.ts'
import { instantOf, textAt, timeText } from './event-time.ts'
import { CalendarFault } from './expand-rule.ts'
import { addToGroup, type EventGroup, type Occurrence, occurrencesOf } from './occurrences.ts'
import { parseEvent } from './parse-event.ts'
import { type Calendar, type CalendarComponent, readComponents } from './read-components.ts'
import { type CalendarZones, createCalendarZones, type ZoneCache } from './time-zones.ts'

interface CalendarInput {
  format: SourceFormat
  isTruncated?: boolean | undefined
  /** Milliseconds since 1970. */
  now: () => number
}

type ColumnFormat = NonNullable<SourceFormat['columns']>[string]

/** The columns have types of their own: a summary such as `2026` stays a text. */
const columnTypes = {
  uid: 'string',
  start: 'timestamp',
  end: 'timestamp',
  summary: 'string',
  location: 'string',
  room: 'string',
  organizer: 'string',
  attendees: 'number',
  status: 'string',
  all_day: 'boolean',
  recurrence_id: 'timestamp',
  created: 'timestamp',
  updated: 'timestamp',
} as const satisfies Record<string, ColumnFormat['type']>

/** Series are read up to this time after the reading. */
const horizonMs = 2 * 366 * 86_400_000
/** Limits of a file: occurrences, and days that its rules are compared with. */
const maxOccurrences = 200_000
const maxRuleDays = 10_000_000
/** Days of rules, and characters of events, between two pauses for other work. */
const pauseDays = 5_000
const pauseLength = 65_536
const minEventLength = 500
const batchRows = 500

/**
 * Opens a file of calendars (RFC 5545): a row for each occurrence of an event, from the first one to two years after
 * the reading. An event that cannot be read is a refused row.
 */
export function openCalendar(text: TextSource, input: CalendarInput): { table: RawTable; known: SourceFormat } {
  const { encoding: _encoding, delimiter: _delimiter, header_row: _row, sheet: _sheet, ...known } = input.format
  const columns = Object.fromEntries(Object.entries(columnTypes).map(([name, type]) => [name, { type }]))
  return {
    known: { ...known, columns: { ...columns, ...known.columns } },
    table: {
      format: { type: 'icalendar', encoding: text.encoding.name },
      columns: Object.keys(columnTypes).map((name) => ({ name, isDropped: false })),
      warnings: [],
      rows: () => readRows(text.chunks, input),
    },
  }
}

async function* readRows(chunks: AsyncIterable<string>, input: CalendarInput): AsyncGenerator<RawRow[]> {
  const budget = { days: 0 }
  const { groups, refused } = await readGroups(chunks, input, budget)
  for (let at = 0; at < refused.length; at += batchRows) yield refused.slice(at, at + batchRows)
  const untilMs = input.now() + horizonMs
  let batch: RawRow[] = []
  let [count, pausedAt] = [0, budget.days]
  for (const group of groups) {
    const line = group.main?.line ?? [...group.changed.values()][0]?.line ?? 1
    const found: RawRow[] = []
    try {
      for (const occurrence of occurrencesOf(group, untilMs, budget)) {
        if (budget.days > maxRuleDays) throw tooLarge('rules over too many years')
        if (budget.days - pausedAt > pauseDays) {
          pausedAt = budget.days
          await setImmediate()
        }
        if (occurrence === undefined) continue
        if (++count > maxOccurrences) throw tooLarge(`more than ${maxOccurrences} occurrences of events`)
        found.push(toRow(occurrence))
        if (found.length % batchRows === 0) await setImmediate()
      }
      batch = batch.concat(found)
    } catch (error) {
      batch.push(refusal(line, error))
    }
    if (batch.length < batchRows) continue
    yield batch
    batch = []
    await setImmediate()
  }
  if (batch.length > 0) yield batch
}

const tooLarge = (found: string) => problem('payload_too_large', { detail: `The calendar has ${found}` })

interface CalendarContent {
  groups: Iterable<EventGroup>
  refused: InvalidRow[]
}

/** Reads all events: the zone, a change or a cancellation of an event may stand anywhere in the file. */
async function readGroups(
  chunks: AsyncIterable<string>,
  { isTruncated = false }: CalendarInput,
  budget: { days: number },
): Promise<CalendarContent> {
  const groups = new Map<string, EventGroup>()
  const refused: InvalidRow[] = []
  const cache: ZoneCache = new Map()
  const zonesOf = new Map<Calendar, CalendarZones>()
  const components: (CalendarComponent | undefined)[] = []
  for await (const component of readComponents(chunks, isTruncated)) {
    const zones = zonesOf.get(component.calendar) ?? createCalendarZones(cache, budget)
    zonesOf.set(component.calendar, zones)
    if (component.name === 'VTIMEZONE') zones.add(component)
    else components.push(component)
  }
  let unpaused = 0
  for (let index = 0; index < components.length; index++) {
    const component = components[index]
    if (component === undefined) continue
    unpaused += component.length + minEventLength
    if (unpaused > pauseLength) {
      unpaused = 0
      await setImmediate()
    }
    if (budget.days > maxRuleDays) throw tooLarge('time zones with rules over too many years')
    // The text of an event is not needed any more.
    components[index] = undefined
    const zones = zonesOf.get(component.calendar)
    if (zones === undefined) continue
    try {
      const event = parseEvent(component, zones)
      const group = groups.get(event.uid) ?? { main: undefined, changed: new Map() }
      groups.set(event.uid, group)
      addToGroup(group, event)
    } catch (error) {
      refused.push(refusal(component.line, error))
    }
  }
  return { groups: groups.values(), refused }
}

/** @throws the error, unless it is the fault of an event */
function refusal(line: number, error: unknown): InvalidRow {
  if (!(error instanceof CalendarFault)) throw error
  return { line, reason: `event: ${error.message}` }
}

const dayMs = 86_400_000

function toRow({ event, key, start, original }: Occurrence): RawRow {
  const { line, uid, duration, fields } = event
  const time = (text: string | null) => (text === null ? null : new TimeCell(text))
  const endMs = instantOf({ ...start, localMs: start.localMs + duration.days * dayMs }) + duration.ms
  const values: Record<keyof typeof columnTypes, unknown> = {
    uid,
    ...fields,
    all_day: start.isDate,
    start: new TimeCell(timeText(start)),
    end: new TimeCell(textAt(start, endMs)),
    recurrence_id: time(original === undefined ? null : timeText(original)),
    created: time(fields.created),
    updated: time(fields.updated),
  }
  return { line, key, cells: Object.keys(columnTypes).map((name) => values[name as keyof typeof columnTypes]) }
}
