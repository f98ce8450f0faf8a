import type { Dataset } from '../../store/datasets.ts'
import { dateOf, dayOf } from '../../workplace/local-days.ts'
import type { AskedWorkplace } from './scope.ts'

/** A dataset that ended so many days before another one was replaced by it. */
const retiredDays = 28

/** Returns the last day that all datasets tell about, but for those that were replaced. */
export function lastDayOf(
  datasets: readonly Dataset[],
  lastDays: readonly { datasetId: string; last: string }[],
  { measure }: AskedWorkplace,
  today: string,
): { last: string | undefined; warnings: string[] } {
  const yesterday = dateOf(dayOf(today) - 1)
  const daysOf = (kinds: readonly string[]) =>
    lastDays.flatMap(({ datasetId, last }) => {
      const dataset = datasets.find(({ id }) => id === datasetId)
      return kinds.includes(dataset?.kind ?? '') ? { name: dataset?.name, last: earlier(last, yesterday) } : []
    })
  const measured = daysOf(['badge_events', 'attendance_days', ...(measure === 'peak' ? ['counts'] : [])])
  const ends = measured.length === 0 && measure === 'peak' ? daysOf(['bookings']) : measured
  const latest = ends.map(({ last }) => last).sort()[ends.length - 1]
  if (latest === undefined) return { last: undefined, warnings: [] }
  const isRetired = ({ last }: { last: string }) => dayOf(last) < dayOf(latest) - retiredDays
  return {
    last: ends
      .filter((end) => !isRetired(end))
      .map(({ last }) => last)
      .sort()[0],
    warnings: ends
      .filter(isRetired)
      .map(({ name, last }) => `The dataset "${name}" ended on ${last}: what it measured counts as gone since.`),
  }
}

const earlier = (a: string, b: string): string => [a, b].sort()[0] ?? a
