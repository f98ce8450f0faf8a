import type { billingPlans, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { plans } from '../plans/catalog.ts'

/** Returns all plans as one page. */
export const listPlans: Operation<typeof billingPlans.listPlans, Context> = async () => ({
  items: [...plans],
  nextCursor: null,
})
