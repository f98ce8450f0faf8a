import type { Operation } from '../context.ts'
import { readMeterTotals } from '../store/usage-totals.ts'
import { readCurrentTerms } from '../usage/current-terms.ts'
import { usedPercent } from '../usage/evaluate-limits.ts'

/** Returns the use of every meter in the current period of the plan. */
export const readMeterUsage: Operation<'readMeterUsage'> = (context, { workspaceId }) =>
  context.database.read({ workspaceId }, async (_, query) => {
    const [terms] = await readCurrentTerms(query, [workspaceId], context.now())
    if (terms === undefined) throw new Error('every workspace has terms')
    const { plan, period } = terms
    const totals = await readMeterTotals(query, [{ workspaceId, ...period }])
    const quantities = new Map(totals.map(({ meter, quantity }) => [meter, quantity]))
    return {
      period: { start: period.start.toISOString(), end: period.end.toISOString() },
      meters: plan.meters.map(({ meter, included, at_limit }) => {
        const quantity = quantities.get(meter) ?? 0
        return { meter, quantity, included, at_limit, percent: usedPercent(quantity, included) }
      }),
    }
  })
