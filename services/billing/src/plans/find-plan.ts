import type { Plan } from '@wp/contracts'
import { plans } from './catalog.ts'

/** Returns the plan of a workspace that never subscribed. */
export const freePlan: Plan = planOf('free')

/** Returns the plan with a code. @throws Error if the catalogue has none: a plan in use may not be removed */
export function planOf(code: string): Plan {
  const plan = plans.find((each) => each.code === code)
  if (plan === undefined) throw new Error(`the catalogue has no plan ${code}`)
  return plan
}

/** Returns the plan with an id; undefined if there is none. */
export const findPlan = (id: string): Plan | undefined => plans.find((each) => each.id === id)

/** Returns the price of a month with so many seats, in minor units. */
export const monthlyPrice = ({ price_minor, seat_price_minor, included_seats }: Plan, seats: number): number =>
  price_minor + seat_price_minor * Math.max(0, seats - included_seats)
