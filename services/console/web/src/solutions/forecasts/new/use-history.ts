import { useApiQuery } from '../../../session/workspace-context.tsx'
import { type Measure, measuresOf } from '../run-input.ts'
import { useSpaces } from '../use-names.ts'

const dayMs = 86_400_000
/** As many days as the longest forecast needs, and those in which the last one that is counted is looked for. */
const [maxDays, readDays] = [170, 365]

export interface HistoryDays {
  /** At most 170. */
  days: number
  /** The last local date that is counted; undefined without any. */
  last?: string
  /** Without `attendance` if counters and bookings alone tell of them. */
  measures: readonly Measure[]
  /** The names of the spaces directly in it of which the most people at a moment are all that is known. */
  countedOnly: readonly string[]
}

/**
 * Returns the days of history of a space or team, up to the last one that is counted, and what is known of them.
 * Without a subject, those of the first site. Undefined while that is not known.
 */
export function useHistory(
  isEnabled: boolean,
  subject: { space_id: string } | { team_id: string } | undefined,
): HistoryDays | undefined {
  const spaces = useSpaces(isEnabled && (subject === undefined || 'space_id' in subject)).data?.items
  const first = spaces?.find(({ parent_id: parent }) => parent === null)?.id
  const of = subject ?? (first === undefined ? undefined : { space_id: first })
  const inside = spaces?.flatMap(({ id, parent_id: parent }) =>
    of !== undefined && 'space_id' in of && parent === of.space_id ? [id] : [],
  )
  const ids = (inside ?? []).slice(0, maxSpaces)
  const { data, isError } = useApiQuery(
    ['workplace', 'history-days', of, ids],
    async (api, options): Promise<HistoryDays> => {
      const page = await api.solutions.getUtilization({ query: { ...of, interval: 'day', days: readDays } }, options)
      const counted = page.items.flatMap(({ start, attendance, peak, suppressed }) =>
        attendance !== null || peak !== null || suppressed ? (start ?? []) : [],
      )
      const last = counted.at(-1)
      const measures = measuresOf(page)
      if (last === undefined) return { days: 0, measures, countedOnly: [] }
      const daysUntilLast = (start: string) => Math.round((Date.parse(last) - Date.parse(start)) / dayMs) + 1
      const days = Math.max(...counted.map(daysUntilLast).filter((length) => length <= maxDays))
      const parts =
        ids.length === 0
          ? []
          : await api.solutions
              .getUtilization({ query: { space_ids: ids.join(','), interval: 'range', days: readDays } }, options)
              .then(({ items }) => items)
      const isCountedOnly = (one: (typeof parts)[number]) => one.peak !== null && one.attendance_source === null
      const only = new Set(parts.filter(isCountedOnly).map(({ space_id: id }) => id))
      const countedOnly = (spaces ?? []).flatMap(({ id, name }) => (only.has(id) ? [name] : []))
      return { days, last, measures, countedOnly }
    },
    {
      enabled: isEnabled && of !== undefined && (spaces !== undefined || !('space_id' in of)),
      staleTime: 60_000,
      retry: false,
    },
  )
  if (!isEnabled) return undefined
  // The start of a forecast says what is missing.
  return isError ? { days: maxDays, measures: ['attendance'], countedOnly: [] } : data
}

/** Spaces of one request. */
const maxSpaces = 100
