import { z } from 'zod'
import { endpoint } from '../core/endpoint.ts'
import { quotaCounters, quotaNames } from '../core/quota.ts'
import { timestamp } from '../core/shape.ts'

/** One quota and its use. */
export const UsageEntry = z
  .object({
    quota: z.enum(quotaNames),
    /** The kind of job, for `queued_jobs`; otherwise null. */
    kind: z.string().nullable(),
    unit: z.enum(['count', 'bytes']),
    /** Null, like `current`, if the service that counts it did not answer. */
    limit: z.number().int().nullable(),
    current: z.number().int().nullable(),
    /** The day (UTC) in which the use is counted; null for a quota of what exists now. */
    period: z.object({ start: timestamp(), end: timestamp() }).nullable(),
  })
  .meta({ id: 'UsageEntry' })
export type UsageEntry = z.infer<typeof UsageEntry>

/** The quotas of a workspace and their use. */
export const systemUsage = {
  usage: endpoint({
    id: 'system.usage',
    method: 'GET',
    path: '/v1/system/usage',
    summary: 'Read the quotas of the workspace and their use',
    description:
      'The quota `workspaces` belongs to the calling user; other callers do not see it. If a service does not answer, `limit` and `current` of its quotas are null, and `warnings` names it.',
    scope: 'workspace:read',
    tool: { name: 'get_usage', hints: { readOnly: true } },
    ok: z.object({
      quotas: z.array(UsageEntry).max(quotaCounters.length),
      warnings: z.array(z.string()).max(quotaCounters.length),
    }),
  }),
}
