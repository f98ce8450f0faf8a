import { z } from 'zod'
import { meterActions } from '../billing/plan-shapes.ts'
import { UsagePeriod } from '../billing/usage.ts'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { type Meter, meters } from '../core/quota/meter.ts'
import { quotaCounters, quotaNames } from '../core/quota/quota.ts'
import type { SignerName } from '../core/services.ts'
import { signerNames } from '../core/services.ts'
import { timestamp } from '../core/shape/shape.ts'

/** One quota and its use. */
export const UsageEntry = z
  .object({
    quota: z.enum(quotaNames).describe('Name of the limit'),
    /** The kind of job, for `queued_jobs`; otherwise null. */
    kind: z.string().nullable().describe('The kind of job, for `queued_jobs`; null for other quotas'),
    unit: z.enum(['count', 'bytes']).describe('Numbers of things, or bytes'),
    /** Null, like `current`, if the service that counts it did not answer. */
    limit: z.number().int().nullable().describe('The limit; null if the service that counts it did not answer'),
    current: z.number().int().nullable().describe('The use; null if the service that counts it did not answer'),
    /** The day (UTC) in which the use is counted; null for a quota of what exists now. */
    period: z
      .object({
        start: timestamp().describe('Start of the day'),
        end: timestamp().describe('End of the day, not included'),
      })
      .nullable()
      .describe('The day (UTC) whose use is counted; null for a quota of what exists now'),
  })
  .meta({ id: 'UsageEntry' })
export type UsageEntry = z.infer<typeof UsageEntry>

/** The process that records the use of each meter. */
export const meterSources = {
  api_calls: 'gateway',
  agent_runs: 'ai',
  tokens_in: 'ai',
  tokens_out: 'ai',
  syncs: 'data',
  records: 'data',
  forecast_runs: 'solutions',
  deliveries: 'webhook-delivery',
} as const satisfies Record<Meter, SignerName>

/** One meter and its use in the current period of the plan. */
export const MeterEntry = z
  .object({
    meter: z.enum(meters),
    service: z.enum(signerNames).describe('The process that records the use'),
    period: UsagePeriod,
    quantity: z.number().int().min(0).describe('Use in the period, in units of the meter'),
    included: z.number().int().min(0).nullable().describe('Quantity a period; null if unlimited'),
    percent: z.number().int().min(0).nullable().describe('Used part of `included`; null if unlimited'),
    action: z.enum(meterActions).describe('What happens to use beyond `included`'),
  })
  .meta({ id: 'MeterEntry' })
export type MeterEntry = z.infer<typeof MeterEntry>

/** The quotas and meters of a workspace and their use. */
export const systemUsage = declareEndpoints('system', {
  usage: {
    method: 'GET',
    path: '/v1/system/usage',
    summary: 'Read the quotas and meters of the workspace and their use',
    description:
      'The quota `workspaces` belongs to the calling user; other callers do not see it. If a service does not answer, `limit` and `current` of its quotas are null, and `warnings` names it. If billing does not answer, `meters` is empty, and `warnings` says so.',
    scope: 'workspace:read',
    tool: { name: 'get_usage', hints: { readOnly: true } },
    ok: z.object({
      quotas: z.array(UsageEntry).max(quotaCounters.length).describe('Each limit with its use'),
      meters: z.array(MeterEntry).max(meters.length).describe('Each meter of the plan with its use'),
      warnings: z
        .array(z.string())
        .max(quotaCounters.length + 1)
        .describe('What could not be read, in sentences'),
    }),
  },
})
