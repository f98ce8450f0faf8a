import { type UsageDimension, type UsageGroup, usageDimensions } from '@wp/contracts'
import type { Query } from '@wp/database'
import type { Operation } from '../context.ts'
import { readUsageByDimension, readUsageByTime, type UsageGroupRow } from '../store/usage-totals.ts'
import { readCurrentTerms } from '../usage/current-terms.ts'
import { maxDimensionGroups, reportRange } from '../usage/report-range.ts'

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
