import { z } from 'zod'
import { endpoint } from '../endpoint/endpoint.ts'
import type { ServiceName } from '../services.ts'
import { quotaCounters, quotaNames } from './quota.ts'

/** The use of one quota, as the service that counts it reports it. */
export const QuotaUsage = z.object({
  quota: z.enum(quotaNames),
  kind: z.string().nullable(),
  limit: z.number().int().min(0),
  current: z.number().int().min(0),
})
export type QuotaUsage = z.infer<typeof QuotaUsage>

/** Declares the internal endpoint from which the system service reads the quotas that a service counts. */
export const quotaUsageEndpoint = <const Surface extends string, const Service extends ServiceName>(
  surface: Surface,
  service: Service,
) =>
  endpoint({
    id: `${surface}.readQuotaUsage`,
    method: 'GET',
    path: `/internal/${service}/quota-usage`,
    summary: 'Read the quotas of the workspace that this service counts, and their use',
    audience: 'internal',
    scope: 'workspace:read',
    callers: ['system'],
    ok: z.object({ quotas: z.array(QuotaUsage).max(quotaCounters.length) }),
  })
