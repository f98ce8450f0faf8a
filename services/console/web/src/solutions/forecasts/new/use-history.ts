import { useApiQuery } from '../../../session/workspace-context.tsx'
import { measuresOf } from '../run-input.ts'
import { useSpaces } from '../use-names.ts'

const dayMs = 86_400_000
/** As many days as the longest forecast needs. */
const maxDays = 170

/**
 * Returns the days of history of a space or team, at most 170, and if only the most people at a moment are known of
 * them: counters and bookings do not tell people apart. Without a subject, those of the first site. Undefined while
 * that is not known.
 */
export function useHistory(
  isEnabled: boolean,
  subject: { space_id: string } | { team_id: string } | undefined,
): { days: number; isOfPeaks: boolean } | undefined {
  const first = useSpaces(isEnabled && subject === undefined).data?.items.find(
    ({ parent_id: parent }) => parent === null,
  )?.id
  const of = subject ?? (first === undefined ? undefined : { space_id: first })
  const { data, isError } = useApiQuery(
    ['workplace', 'history-days', of],
    async (api, options) => {
      const recent = await api.solutions.getUtilization({ query: { ...of, interval: 'day' } }, options)
      const last = recent.items.at(-1)?.start
      if (last == null) return { days: 0, isOfPeaks: false }
      const range = { since: dateOf(Date.parse(last) - maxDays * dayMs), until: dateOf(Date.parse(last) + dayMs) }
      const page = await api.solutions.getUtilization({ query: { ...of, ...range, interval: 'day' } }, options)
      const days = page.items.flatMap(({ start, attendance, peak, suppressed }) =>
        attendance !== null || peak !== null || suppressed ? (start ?? []) : [],
      )
      const [from, until] = [days[0], days.at(-1)]
      return {
        days: from === undefined || until === undefined ? 0 : (Date.parse(until) - Date.parse(from)) / dayMs + 1,
        isOfPeaks: !measuresOf(page).includes('attendance'),
      }
    },
    { enabled: isEnabled && of !== undefined, staleTime: 60_000, retry: false },
  )
  if (!isEnabled) return undefined
  // The start of a forecast says what is missing.
  return isError ? { days: maxDays, isOfPeaks: false } : data
}

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
