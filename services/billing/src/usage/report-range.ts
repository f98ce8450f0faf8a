import { maxUsageGroups, queryPointer, type UsageGrouping, validationProblem } from '@wp/contracts'
import type { Period } from '../subscriptions/period.ts'
import { msPerHour } from './aggregate-usage.ts'

/** Longest range of a report in days, by its grouping. */
const maxDaysByHour = 31
const maxDays = 366
const maxDaysByMonth = 3_660

/** Values of a dimension in one report, the largest first. */
export const maxDimensionGroups = Math.min(1_000, maxUsageGroups)

/**
 * Returns the hours of a report: those given, or else of the current period.
 * @throws Problem `validation_failed` if the range is empty or too long
 */
export function reportRange(
  { since, until, groupBy }: { since: string | undefined; until: string | undefined; groupBy: UsageGrouping },
  current: Period,
): Period {
  const start = startOfHour(since === undefined ? current.start : new Date(since))
  const end = startOfHour(until === undefined ? current.end : new Date(until))
  if (end <= start) throw invalid('until', 'must be at least an hour after since')
  const days = (end.getTime() - start.getTime()) / (24 * msPerHour)
  const longest = groupBy === 'hour' ? maxDaysByHour : groupBy === 'month' ? maxDaysByMonth : maxDays
  if (days > longest)
    throw invalid('since', `must be at most ${longest} days before until when grouped by ${groupBy}; shorten the range`)
  return { start, end }
}

const startOfHour = (time: Date): Date => new Date(Math.floor(time.getTime() / msPerHour) * msPerHour)

const invalid = (parameter: string, detail: string) =>
  validationProblem([{ pointer: queryPointer([parameter]), detail }])
