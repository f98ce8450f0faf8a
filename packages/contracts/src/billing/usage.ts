import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { meters } from '../core/quota/meter.ts'
import { timestamp } from '../core/shape/shape.ts'
import { checkTimeRange, timeInput } from '../core/shape/time-input.ts'
import { meterActions } from './plan-shapes.ts'

/** A period of billing or of a report: from `start`, before `end`. */
export const UsagePeriod = z
  .object({
    start: timestamp().describe('Start of the period'),
    end: timestamp().describe('End of the period, not included'),
  })
  .meta({ id: 'UsagePeriod' })

/** The use of a meter in the current period of the plan. */
export const MeterUsage = z
  .object({
    meter: z.enum(meters),
    quantity: z.number().int().min(0).describe('Use in the period, in units of the meter'),
    included: z.number().int().min(0).nullable().describe('Quantity a period; null if unlimited'),
    at_limit: z.enum(meterActions).describe('Use beyond `included` is refused (`refuse`) or charged (`bill`)'),
    percent: z.number().int().min(0).nullable().describe('Used part of `included`, rounded down; null if unlimited'),
  })
  .meta({ id: 'MeterUsage' })

/** Dimensions by which usage is counted beside its meter. Others are ignored. */
export const usageDimensions = ['service', 'model', 'agent_id', 'data_source_id'] as const

/** The parts into which a usage report can be divided. */
export const usageGroupings = ['meter', 'hour', 'day', 'month', ...usageDimensions] as const

/** A report has at most so many groups; a range that would have more is rejected. */
export const maxUsageGroups = 10_000

export const UsageGroup = z
  .object({
    meter: z.enum(meters),
    start: timestamp().nullable().describe('Start of the hour, day or month (UTC); otherwise null'),
    value: z.string().nullable().describe('Value of the dimension; null for use without one'),
    quantity: z.number().int().min(0).describe('Use of this entry, in units of the meter'),
  })
  .meta({ id: 'UsageGroup' })

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

export type UsagePeriod = z.infer<typeof UsagePeriod>

export type MeterUsage = z.infer<typeof MeterUsage>

export type UsageDimension = (typeof usageDimensions)[number]

export type UsageGrouping = (typeof usageGroupings)[number]

export type UsageGroup = z.infer<typeof UsageGroup>
