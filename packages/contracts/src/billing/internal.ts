import { z } from 'zod'
import { endpoint } from '../core/endpoint/endpoint.ts'
import { meters } from '../core/quota/meter.ts'
import { MeterUsage, UsagePeriod } from './usage-shapes.ts'

/** Endpoints of billing for other services. */
export const billingInternal = {
  readMeterUsage: endpoint({
    id: 'billing.readMeterUsage',
    method: 'GET',
    path: '/internal/billing/meter-usage',
    summary: 'Read the use of every meter in the current period of the plan',
    audience: 'internal',
    scope: 'workspace:read',
    callers: ['system'],
    ok: z.object({ period: UsagePeriod, meters: z.array(MeterUsage).max(meters.length) }),
  }),
}
