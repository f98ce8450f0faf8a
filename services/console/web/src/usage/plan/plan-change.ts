import type { BillingSubscription, ChangeTime, Plan, UsageEntry } from '@wp/contracts'
import { formatBytes, formatCount, formatNumber } from '../../ui/format/format.ts'
import { nameOfQuota } from '../quota-limits.ts'

/** Returns the price of a month with seats, in minor units. */
export const monthlyPrice = ({ price_minor, seat_price_minor, included_seats }: Plan, seats: number): number =>
  price_minor + seat_price_minor * Math.max(0, seats - included_seats)

/**
 * Returns when the API lets a change take effect by default: at once if the month becomes dearer, else at the period's
 * end.
 */
export const defaultChangeTime = (current: Plan, currentSeats: number, next: Plan, seats: number): ChangeTime =>
  monthlyPrice(next, seats) > monthlyPrice(current, currentSeats) ? 'now' : 'period_end'

/** Returns the seats a change of plan sets by default: those included, or those in use if they are more. */
export const defaultSeats = (current: Plan, subscription: BillingSubscription, next: Plan, used: number): number =>
  next.id === current.id ? subscription.seats : Math.max(next.included_seats, used)

/**
 * Returns the resources of which a workspace has more than the new plan allows, in words. Limits that the plan does not
 * name are not known here, so nothing is said of them.
 */
export const exceededLimits = ({ limits }: Plan, quotas: readonly UsageEntry[]): string[] =>
  quotas.flatMap(({ quota, unit, current }) => {
    const limit = quota === 'seats' ? limits.seats : limits.quotas[quota]
    if (limit === undefined || current === null || current <= limit) return []
    const format = unit === 'bytes' ? formatBytes : formatNumber
    return [`${nameOfQuota(quota)}: ${format(current)} in use, ${format(limit)} allowed`]
  })

/** Returns meters of the new plan that refuse use which the current plan bills or does not limit. */
export const newlyRefused = (current: Plan, next: Plan): Plan['meters'][number]['meter'][] =>
  next.meters.flatMap(({ meter, included, at_limit: atLimit }) => {
    const before = current.meters.find((entry) => entry.meter === meter)
    const isRefused = included !== null && atLimit === 'refuse'
    const wasRefused = before !== undefined && before.included !== null && before.at_limit === 'refuse'
    return isRefused && !wasRefused ? [meter] : []
  })

/** Describes the seats of a plan: `10 seats included`. */
export const describeSeats = ({ included_seats: seats }: Plan): string => `${formatCount(seats, 'seat')} included`
