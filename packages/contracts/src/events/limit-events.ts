import { z } from 'zod'
import { PlanLimits } from '../billing/plan-shapes.ts'
import { event } from '../core/event.ts'
import { meters } from '../core/quota/meter.ts'
import { timestamp } from '../core/shape/shape.ts'

/**
 * The included use of a meter is exhausted, or no longer is. Services that refuse further use store it; it lifts itself
 * at the end of the period.
 */
export const meterLimitChanged = event({
  kind: 'METER_LIMIT_CHANGED',
  producer: 'billing',
  summary: 'Further use of a meter is refused, or allowed again',
  isSubscribable: false,
  data: z.object({
    meter: z.enum(meters),
    exhausted: z.boolean(),
    period_end: timestamp(),
    /** Increases with each event of a workspace and meter; an event with a lower version is out of date. */
    version: z.int().min(1),
  }),
  example: { meter: 'forecast_runs', exhausted: true, period_end: '2026-02-01T00:00:00.000Z', version: 1 },
})

/** The names are open: a service of the previous release stores those that it does not know, too. */
const limitsByName = z.record(z.string(), z.int().min(0))

/** The limits of a workspace changed with its plan, or are sent again. Every service stores the part it enforces. */
export const planLimitsChanged = event({
  kind: 'PLAN_LIMITS_CHANGED',
  producer: 'billing',
  summary: 'The limits of the workspace changed, or are sent again',
  isSubscribable: false,
  data: z.object({
    /** Code of the plan. */
    plan: z.string(),
    limits: PlanLimits.extend({ workspace_per_minute: limitsByName, quotas: limitsByName }),
    effective_at: timestamp(),
    /** Increases with each change of a workspace; an event with a lower version is out of date. */
    version: z.int().min(1),
  }),
  example: {
    plan: 'team',
    limits: {
      credential_per_minute: 1_200,
      workspace_per_minute: { data: 6_000 },
      seats: 10,
      quotas: { sources: 400 },
      audit_retention_days: 365,
    },
    effective_at: '2026-02-01T00:00:00.000Z',
    version: 1,
  },
})
