import { z } from 'zod'
import { meters } from '../core/quota/meter.ts'
import { timestamp } from '../core/shape/shape.ts'
import { meterActions } from './plan-shapes.ts'

/** A period of billing or of a report: from `start`, before `end`. */
export const UsagePeriod = z
  .object({
    start: timestamp().describe('Start of the period'),
    end: timestamp().describe('End of the period, not included'),
  })
  .meta({ id: 'UsagePeriod' })
export type UsagePeriod = z.infer<typeof UsagePeriod>

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
export type MeterUsage = z.infer<typeof MeterUsage>

/** Dimensions by which usage is counted beside its meter. Others are ignored. */
export const usageDimensions = ['service', 'model', 'agent_id', 'data_source_id'] as const
export type UsageDimension = (typeof usageDimensions)[number]

/** The parts into which a usage report can be divided. */
export const usageGroupings = ['meter', 'hour', 'day', 'month', ...usageDimensions] as const
export type UsageGrouping = (typeof usageGroupings)[number]

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
export type UsageGroup = z.infer<typeof UsageGroup>
