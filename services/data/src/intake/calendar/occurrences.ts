import { type EventTime, exceptionKeys, instantOf, timeKey } from './event-time.ts'
import { CalendarFault, type DayBudget, expandRule } from './expand-rule.ts'
import type { CalendarEvent } from './parse-event.ts'

/** One occurrence of an event. */
export interface Occurrence {
  event: CalendarEvent
  /** Identifies it in every file with the event, also when it is moved. */
  key: string
  start: EventTime
  /** The original start; undefined for an event that is no series. */
  original: EventTime | undefined
}

/** The versions of one event by its UID. */
export interface EventGroup {
  main: CalendarEvent | undefined
  /** The changed occurrences by their original start. */
  changed: Map<string, CalendarEvent>
}

/** Limit of the occurrences of a series. */
export const maxSeriesOccurrences = 10_000

/** Adds an event to its group, in place of an earlier version. A cancellation has no rule: it cancels the series. */
export function addToGroup(group: EventGroup, event: CalendarEvent): void {
  if (event.recurrenceId !== undefined) {
    const key = timeKey(event.recurrenceId)
    const known = group.changed.get(key)
    if (known === undefined || event.sequence >= known.sequence) group.changed.set(key, event)
    return
  }
  const { main } = group
  if (main !== undefined && event.sequence < main.sequence) return
  const isCancelled = event.fields.status === 'cancelled' && event.rule === undefined
  group.main =
    isCancelled && main?.rule !== undefined ? { ...main, fields: { ...main.fields, status: 'cancelled' } } : event
}

/**
 * Yields the occurrences of an event up to an instant, and `undefined` where a caller may pause.
 * @throws CalendarFault if there are too many
 */
export function* occurrencesOf(
  { main, changed }: EventGroup,
  untilMs: number,
  budget: DayBudget,
): Generator<Occurrence | undefined> {
  const rest = new Map(changed)
  if (main !== undefined) {
    if (main.rule === undefined && main.added.length === 0 && changed.size === 0) {
      yield { event: main, key: main.uid, start: main.start, original: undefined }
      return
    }
    const excluded = new Set(main.excluded.map(timeKey))
    for (const original of startsOf(main, untilMs, budget)) {
      const hasExceptions = rest.size > 0 || excluded.size > 0
      const keys = original === undefined || !hasExceptions ? [] : exceptionKeys(original)
      const change = keys.find((key) => rest.has(key))
      if (original === undefined) yield undefined
      else if (change !== undefined) {
        yield toOccurrence(rest.get(change) ?? main, original, main)
        rest.delete(change)
      } else if (!keys.some((key) => excluded.has(key)))
        yield { event: main, key: occurrenceKey(main, original), start: original, original }
    }
  }
  for (const event of rest.values()) yield toOccurrence(event, event.recurrenceId ?? event.start, main)
}

/** A cancelled occurrence keeps the fields of its series that the cancellation leaves out. */
function toOccurrence(event: CalendarEvent, original: EventTime, main: CalendarEvent | undefined): Occurrence {
  const fields = main?.fields.status === 'cancelled' ? { ...event.fields, status: 'cancelled' } : event.fields
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
  const isCancelled = fields.status === 'cancelled' && main !== undefined
  return {
    event: { ...event, fields: isCancelled ? { ...main.fields, ...given } : fields },
    key: occurrenceKey(event, original),
    start: event.start,
    original,
  }
}

const occurrenceKey = ({ uid }: CalendarEvent, original: EventTime): string => `${uid}/${timeKey(original)}`

/** Yields the starts of a series: the first, those of its rule in order, then the dates that are added. */
function* startsOf(event: CalendarEvent, untilMs: number, budget: DayBudget): Generator<EventTime | undefined> {
  const { start, rule, added } = event
  const seen = new Set<number>()
  function* next(time: EventTime): Generator<EventTime> {
    const instant = instantOf(time)
    if (seen.has(instant)) return
    seen.add(instant)
    if (seen.size > maxSeriesOccurrences) throw new CalendarFault(`has more than ${maxSeriesOccurrences} occurrences`)
    yield time
  }
  yield* next(start)
  if (rule !== undefined) {
    const { count = Number.POSITIVE_INFINITY } = rule
    // A local time differs from its instant by a day at most.
    const lastMs = Math.min(untilMs, (rule.untilMs ?? untilMs) + dayMs)
    for (const localMs of expandRule(rule.rule, { startMs: start.localMs, endMs: lastMs }, budget)) {
      if (seen.size >= count) break
      if (localMs === undefined) {
        yield undefined
        continue
      }
      const time = { ...start, localMs }
      const reading = rule.isUtc ? instantOf(time) : localMs
      if (rule.untilMs === undefined || reading <= rule.untilMs) yield* next(time)
    }
  }
  for (const time of added) yield* next(time)
}

const dayMs = 86_400_000
