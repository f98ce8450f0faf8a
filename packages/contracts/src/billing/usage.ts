import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { meters } from '../core/quota/meter.ts'
import { checkTimeRange, timeInput } from '../core/shape/time-input.ts'
import { MeterUsage, maxUsageGroups, UsageGroup, UsagePeriod, usageGroupings } from './usage-shapes.ts'

/** The metered use of a workspace. */
export const billingUsage = declareEndpoints('billing', {
  getUsage: {
    method: 'GET',
    path: '/v1/billing/usage',
    summary: 'Read the metered use of the workspace',
    description: `Use is counted by hour (UTC): \`since\` and \`until\` are rounded down to the hour. The default is the current period of the plan. A report has at most ${maxUsageGroups} groups: at most 31 days by hour, 366 days by day or in total, and ten years by month. With a dimension, the groups are those with the largest quantities; quantities of the meters that lack the dimension have the value null. Use appears seconds after it happened.`,
    scope: 'billing:read',
    query: z
      .strictObject({
        since: timeInput().optional().describe('Used at this time or later'),
        until: timeInput().optional().describe('Used before this time'),
        from: timeInput().optional().meta({ description: 'Use `since`', deprecated: true }),
        to: timeInput().optional().meta({ description: 'Use `until`', deprecated: true }),
        meter: z.enum(meters).optional().describe('Only the use of this meter'),
        group_by: z.enum(usageGroupings).default('meter').describe('What the entries of a meter are added up by'),
      })
      .superRefine(checkTimeRange),
    ok: z.object({
      period: UsagePeriod,
      group_by: z.enum(usageGroupings).describe('The grouping of the request'),
      groups: z.array(UsageGroup).max(maxUsageGroups).describe('The entries, for each meter'),
    }),
  },
})

/** Endpoints of billing for other services. */
export const billingInternal = declareEndpoints('billing', {
  readMeterUsage: {
    method: 'GET',
    path: '/internal/billing/meter-usage',
    summary: 'Read the use of every meter in the current period of the plan',
    audience: 'internal',
    scope: 'workspace:read',
    callers: ['system'],
    ok: z.object({ period: UsagePeriod, meters: z.array(MeterUsage).max(meters.length) }),
  },
})
