import type { billingPlans, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { listPlans } from './list-plans.ts'

export const planOperations = { listPlans } satisfies Operations<typeof billingPlans, Context>
