import { columnMatchKey, invalidField, type SourceFormat } from '@wp/contracts'
import { momentDistance } from '@wp/tabular'
import type { Row } from '../parsers/row.ts'
import type { Period } from '../store/records/read-fields.ts'
import type { Source } from '../store/sources/sources.ts'

/**
 * The first and the last time of a field of a file, as texts and in milliseconds since 1970, and the rows of its days.
 */
export interface NotedPeriod extends Period {
  from: number
  to: number
  days: Map<string, number>
  kinds: Set<TimeKind>
}

/** Days and local times are of an unknown time zone. */
type TimeKind = 'day' | 'local' | 'offset'

/** Returns the columns of times whose values may be read, those that say when a row happened first. */
export function timeFields({ columns = {} }: SourceFormat, pseudonymize: readonly string[] = []): string[] {
  const hidden = new Set(pseudonymize.map(columnMatchKey))
  return Object.keys(columns)
    .filter((name) => columns[name]?.type === 'timestamp' && !hidden.has(columnMatchKey(name)))
    .toSorted((a, b) => momentDistance(a) - momentDistance(b))
}

/** Returns true for dates of persons, such as that of birth, which tell nothing of when the rows happened. */
export const isOfPersons = (field: string): boolean => momentDistance(field) === momentDistance('birth')
/** Columns of ends, and of the making of rows, say when only where no other column does. */
const lastOfMoments = momentDistance('time')

/**
 * Returns the column that says when the rows of a file happened, by which it replaces stored ones.
 * @throws Problem `validation_failed` if none does, several may, or no record has it
 */
export function periodField(format: SourceFormat, { config, fields, recordCount }: Source): string {
  const times = timeFields(format, config.pseudonymize)
  const [field, next] = times
  const isSure = next === undefined || (field !== undefined && momentDistance(next) > momentDistance(field))
  const isMoment = field !== undefined && momentDistance(field) <= lastOfMoments
  if (field === undefined || isOfPersons(field))
    throw invalidField('?mode', `period needs a file with a column of the times of its rows. ${others}`)
  if (!isSure || (!isMoment && next !== undefined))
    throw invalidField(
      '?mode',
      `period needs one column of the times of the rows, and ${times.map((name) => `"${name}"`).join(', ')} may each be it. ${others}`,
    )
  if (recordCount > 0 && !fields.some(([name]) => name === field))
    throw invalidField('?mode', `period replaces records by "${field}", and no record has this column. ${others}`)
  return field
}
const others = 'Upload the whole content with `mode=full`, or name in `config.key` a column that identifies rows'

/**
 * Passes on rows, and notes the period of each of some fields.
 * @param isOfOneKind true refuses rows whose times cannot be compared, before these are stored
 */
export function notePeriod(rows: AsyncIterable<Row[]>, fields: readonly string[], isOfOneKind = false) {
  const periods = fields.map(
    (field): NotedPeriod => ({
      field,
      first: '',
      last: '',
      rows: 0,
      from: Infinity,
      to: -Infinity,
      days: new Map(),
      kinds: new Set(),
    }),
  )
  async function* noted() {
    for await (const batch of rows) {
      for (const row of batch) if ('value' in row) for (const period of periods) extend(period, row.value[period.field])
      const [mixed] = periods.filter(({ kinds }) => kinds.size > 1)
      if (isOfOneKind && mixed !== undefined)
        throw invalidField(
          '?mode',
          `period needs times of one form in "${mixed.field}": all with an offset from UTC, all without, or days alone`,
        )
      yield batch
    }
  }
  return { rows: noted(), noted: () => periods.find(({ rows: timed }) => timed > 0) }
}

function extend(period: NotedPeriod, value: unknown): void {
  const time = readTime(value)
  if (time === undefined || typeof value !== 'string') return
  period.rows++
  period.days.set(time.day, (period.days.get(time.day) ?? 0) + 1)
  period.kinds.add(time.kind)
  if (time.ms < period.from) [period.from, period.first] = [time.ms, value]
  if (time.ms > period.to) [period.to, period.last] = [time.ms, value]
}

/** Reads a time as records have it; a local one as if it were of UTC. */
function readTime(value: unknown): { day: string; kind: TimeKind; ms: number } | undefined {
  const [text, day = '', time, offset] = timePattern.exec(typeof value === 'string' ? value : '') ?? []
  if (text === undefined) return undefined
  const kind = time === undefined ? 'day' : offset === undefined ? 'local' : 'offset'
  const ms = Date.parse(kind === 'local' ? `${text}Z` : text)
  return Number.isNaN(ms) ? undefined : { day, kind, ms }
}
const timePattern = /^(\d{4}-\d\d-\d\d)(T[\d:.]+(Z|[+-]\d\d:\d\d)?)?$/

/**
 * Returns the day of a stored time within the period of a file, undefined outside: days are compared as a whole, times
 * exactly, since the days of a zone that is not known begin and end at other times, and the time of a measurement may
 * be its end.
 * @throws Problem `validation_failed` if only one of the two states its time zone
 */
export function dayWithin(period: NotedPeriod, value: unknown): string | undefined {
  const time = readTime(value)
  const { field, kinds, from } = period
  const to = kinds.has('local') || kinds.has('offset') ? period.to : period.to + dayMs - 1
  if (time === undefined || time.ms < from - dayMs || time.ms > to + dayMs) return undefined
  if ((time.kind === 'offset') !== kinds.has('offset'))
    throw invalidField(
      '?mode',
      `period cannot compare ${period.first} with ${time.kind === 'day' ? 'days' : 'times'} of stored records in "${field}", of which only one has an offset from UTC. The rows of the file were added, and nothing was deleted`,
    )
  return time.ms < from || time.ms > to ? undefined : time.day
}
const dayMs = 86_400_000
