import type { CostLimit } from '@wp/contracts'
import { z } from 'zod'

/** A model costs less than this for a million tokens, in minor units. */
const maxPrice = 100_000_000
const price = z.number().min(0).max(maxPrice)

/** A price as it is configured: in minor units of the currency, for a million tokens. */
export const ConfiguredPrice = z.object({
  currency: z.string().regex(/^[A-Z]{3}$/),
  input: price,
  output: price,
  cached_input: price.optional(),
})

/** The price of a model, in minor units for a million tokens. */
export interface ModelPrice {
  /** Null for a model that costs nothing. */
  currency: string | null
  input: number
  output: number
  cachedInput: number
}

export const freeOfCharge: ModelPrice = { currency: null, input: 0, output: 0, cachedInput: 0 }

/** Returns the price of a configuration. Without one of their own, cached tokens cost as much as others. */
export const toModelPrice = ({
  currency,
  input,
  output,
  cached_input: cachedInput = input,
}: z.output<typeof ConfiguredPrice>): ModelPrice => ({ currency, input, output, cachedInput })

/** Tokens of a call. */
export interface PricedTokens {
  inputTokens: number
  outputTokens: number
  /** Those of the input that the provider had in its cache. */
  cachedTokens?: number
}

/**
 * Returns the cost of a call in millionths of a minor unit: tokens by the price of a million of them, rounded up. Null
 * without a price.
 */
export function costOf(
  price: ModelPrice | null,
  { inputTokens, outputTokens, cachedTokens = 0 }: PricedTokens,
): number | null {
  if (price === null) return null
  const cached = Math.min(cachedTokens, inputTokens)
  return Math.ceil((inputTokens - cached) * price.input + cached * price.cachedInput + outputTokens * price.output)
}

const microsPerMinorUnit = 1_000_000

/** Returns true if a cost has used up a limit. */
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
