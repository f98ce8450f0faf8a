import {
  maxUsageGroups,
  queryPointer,
  type UsageDimension,
  type UsageGroup,
  type UsageGrouping,
  usageDimensions,
  validationProblem,
} from '@wp/contracts'
import type { Query } from '@wp/database'
import type { Operation } from '../context.ts'
import { readUsageByDimension, readUsageByTime, type UsageGroupRow } from '../store/usage-totals.ts'
import type { Period } from '../subscriptions/period.ts'
import { msPerHour } from '../usage/aggregate-usage.ts'
import { readCurrentTerms } from '../usage/current-terms.ts'

/** Longest range of a report in days, by its grouping. */
const maxDaysByHour = 31
const maxDays = 366
const maxDaysByMonth = 3_660

/** Values of a dimension in one report, the largest first. */
const maxDimensionGroups = Math.min(1_000, maxUsageGroups)

type GetUsage = Operation<'getUsage'>

/** Returns the use in a range of hours, in groups. */
export const getUsage: GetUsage = (context, { workspaceId }, { query: { meter = null, group_by, ...given } }) =>
  context.database.read({ workspaceId }, async (_, query) => {
    const [terms] = await readCurrentTerms(query, [workspaceId], context.now())
    if (terms === undefined) throw new Error('every workspace has terms')
    const range = reportRange(
      { since: given.since ?? given.from, until: given.until ?? given.to, groupBy: group_by },
      terms.period,
    )
    const rows = await readGroups(query, { workspaceId, meter, ...range }, group_by)
    const period = { start: range.start.toISOString(), end: range.end.toISOString() }
    return { period, group_by, groups: rows.map(toGroup) }
  })

function readGroups(
  query: Query,
  range: Parameters<typeof readUsageByTime>[1],
  groupBy: Parameters<GetUsage>[2]['query']['group_by'],
): Promise<UsageGroupRow[]> {
  if (isDimension(groupBy)) return readUsageByDimension(query, range, { dimension: groupBy, limit: maxDimensionGroups })
  return readUsageByTime(query, range, groupBy === 'meter' ? 'all' : groupBy)
}

const isDimension = (grouping: string): grouping is UsageDimension =>
  (usageDimensions as readonly string[]).includes(grouping) // widened for the lookup only

const toGroup = ({ meter, start, value, quantity }: UsageGroupRow): UsageGroup => ({
  meter,
  start: start?.toISOString() ?? null,
  value,
  quantity,
})

/**
 * Returns the hours of a report: those given, or else of the current period.
 * @throws Problem `validation_failed` if the range is empty or too long
 */
function reportRange(
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
