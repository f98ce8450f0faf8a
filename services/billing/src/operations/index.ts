import type { billingInternal, billingPlans, billingUsage, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { getUsage } from './get-usage.ts'
import { listPlans } from './list-plans.ts'
import { readMeterUsage } from './read-meter-usage.ts'

export const planOperations = { listPlans } satisfies Operations<typeof billingPlans, Context>

export const usageOperations = { getUsage } satisfies Operations<typeof billingUsage, Context>

export const internalOperations = { readMeterUsage } satisfies Operations<typeof billingInternal, Context>
