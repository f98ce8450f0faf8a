import { z } from 'zod'
import { meters } from '../core/quota/meter.ts'
import { quotaNames } from '../core/quota/quota.ts'
import { serviceNames } from '../core/services.ts'
import { id } from '../core/shape/id.ts'

/** Treatment of further use of a meter once the included quantity is used up. */
export const meterActions = ['refuse', 'bill'] as const
export type MeterAction = (typeof meterActions)[number]

/** The limits that a plan sets. Services store the part that they enforce. */
export const PlanLimits = z
  .object({
    credential_per_minute: z.number().int().min(1).describe('Requests a minute of one credential'),
    workspace_per_minute: z
      .partialRecord(z.enum(serviceNames), z.number().int().min(1)) // unbounded: its keys are the services
      .describe('Requests a minute of the workspace, by service'),
    seats: z.number().int().min(1).describe('Users of the workspace, with those invited'),
    quotas: z
      .partialRecord(z.enum(quotaNames), z.number().int().min(0)) // unbounded: its keys are the quotas
      .describe('Limits of quotas that differ from the default'),
    audit_retention_days: z.number().int().min(1).describe('Days for which audit records are kept'),
  })
  .meta({ id: 'PlanLimits' })
export type PlanLimits = z.infer<typeof PlanLimits>

export const PlanMeter = z
  .object({
    meter: z.enum(meters),
    included: z.number().int().min(0).nullable().describe('Quantity a period; null if unlimited'),
    at_limit: z.enum(meterActions).describe('Use beyond `included` is refused (`refuse`) or charged (`bill`)'),
    price_minor: z.number().int().min(0).describe('Price of each started unit beyond what is included'),
    unit: z.number().int().min(1).describe('Quantity that `price_minor` pays for'),
  })
  .meta({ id: 'PlanMeter' })
export type PlanMeter = z.infer<typeof PlanMeter>

export const Plan = z
  .object({
    id: id('plan'),
    code: z.string().describe('Stable name: free, team, business or enterprise'),
    name: z.string().describe('Name for people'),
    description: z.string().describe('What the plan is for, for people'),
    currency: z.string().describe('ISO 4217'),
    price_minor: z.number().int().min(0).describe('Price of a month, in minor units of the currency'),
    seat_price_minor: z.number().int().min(0).describe('Price of a seat and month beyond `included_seats`'),
    included_seats: z.number().int().min(1).describe('Seats that the price of the plan includes'),
    limits: PlanLimits,
    meters: z.array(PlanMeter).max(meters.length).describe('Included use and price of each meter'),
  })
  .meta({ id: 'Plan' })
export type Plan = z.infer<typeof Plan>
