import type { CostLimit } from '@wp/contracts'
import type { ModelPrice } from './price.ts'

const microsPerMinorUnit = 1_000_000

export const isReached = ({ amount }: CostLimit, costMicros: number): boolean =>
  costMicros >= amount * microsPerMinorUnit

/** Returns true if a model costs nothing, or has a price in the currency of a limit. */
export const hasPriceFor = ({ currency }: CostLimit, price: ModelPrice | null): boolean =>
  price !== null && (price.currency === null || price.currency === currency)

/** Returns a limit as people write it: EUR 5.00. */
export function costText({ amount, currency }: CostLimit): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions()
  return format.format(amount / 10 ** digits).replaceAll('\u00A0', ' ')
}
