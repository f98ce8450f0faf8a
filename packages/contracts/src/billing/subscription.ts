import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { listQuery, timestamp } from '../core/shape/shape.ts'
import { Plan } from './plan-shapes.ts'

/** The times at which a change of plan or seats can take effect. */
export const changeTimes = ['now', 'period_end'] as const
export type ChangeTime = (typeof changeTimes)[number]

export const PendingChange = z
  .object({
    plan_id: id('plan'),
    plan: z.string().describe('Code of the plan'),
    seats: z.number().int().min(1).describe('Users that the workspace can have from then on'),
    effective_at: timestamp().describe('When the change takes effect'),
  })
  .meta({ id: 'PendingChange' })
export type PendingChange = z.infer<typeof PendingChange>

export const BillingSubscription = z
  .object({
    id: id('sub'),
    workspace_id: id('ws'),
    plan_id: id('plan'),
    plan: z.string().describe('Code of the plan'),
    status: z.enum(['active']).describe('Always active'),
    seats: z.number().int().min(1).describe('Users the workspace can have, with those invited'),
    current_period_start: timestamp().describe('Start of the current billing period'),
    current_period_end: timestamp().describe('End of the current billing period, not included'),
    pending_change: PendingChange.nullable().describe('The change that takes effect at the end of the period'),
    created_at: timestamp().nullable().describe('Null if the workspace has never changed its plan or seats'),
    updated_at: timestamp().nullable(),
  })
  .meta({ id: 'BillingSubscription' })
export type BillingSubscription = z.infer<typeof BillingSubscription>

const periodFields = ['current_period_start', 'current_period_end'] as const

/** The subscription of a workspace to a plan. */
export const billingSubscription = declareEndpoints('billing', {
  getSubscription: {
    method: 'GET',
    path: '/v1/billing/subscription',
    summary: 'Read the plan of the workspace',
    description:
      'A workspace that never subscribed has the plan `free`, and its periods are the calendar months (UTC). Otherwise periods begin on the day of the first change to a plan with a price, in a shorter month on its last day.',
    scope: 'billing:read',
    volatile: periodFields,
    ok: BillingSubscription,
  },
  updateSubscription: {
    method: 'PATCH',
    path: '/v1/billing/subscription',
    summary: 'Change the plan or the seats',
    description:
      'A change to a higher monthly price takes effect `now`, any other at the `period_end`; `effective` overrides this. A change replaces a pending one; `pending_change: null` withdraws it. Without `seats`, a change of plan sets those the plan includes, or those in use if they are more. Prices are prorated by the second. Seats in use must fit; what exceeds any other limit of the new plan stays and can be changed and deleted, but nothing can be added to it.',
    scope: 'billing:write',
    volatile: periodFields,
    body: z
      .strictObject({
        plan_id: id('plan').optional(),
        seats: z
          .number()
          .int()
          .min(1)
          .max(1_000_000)
          .optional()
          .describe('Users that the workspace can have, with those invited'),
        effective: z
          .enum(changeTimes)
          .optional()
          .describe('When the change takes effect; default: `now` for a higher monthly price, otherwise `period_end`'),
        pending_change: z.null().optional().describe('`null` withdraws the pending change'),
      })
      .refine(
        ({ plan_id, seats, pending_change }) => pending_change === undefined || (plan_id ?? seats) === undefined,
        {
          path: ['pending_change'],
          message: 'must not be sent with plan_id or seats, which replace the pending change',
        },
      )
      .refine(({ plan_id, seats, effective }) => effective === undefined || (plan_id ?? seats) !== undefined, {
        path: ['effective'],
        message: 'must be sent with plan_id or seats',
      }),
    ok: BillingSubscription,
    errors: ['validation_failed', 'unknown_reference'],
    audit: { action: 'subscription.updated', target: 'subscription' },
  },
})

/** The plans a workspace can subscribe to. */
export const billingPlans = declareEndpoints('billing', {
  listPlans: {
    method: 'GET',
    path: '/v1/billing/plans',
    summary: 'List the plans, cheapest first',
    description:
      'Each plan has its price, its included usage, and its limits. `PATCH /v1/billing/subscription` changes to one.',
    scope: 'billing:read',
    query: listQuery({}),
    list: Plan,
  },
})
