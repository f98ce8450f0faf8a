import type { Transaction } from '@wp/database'
import { deliveryQueue } from './due-marks.ts'

/** Attempts that may start at once, in seconds of the rate, so that a late claim catches up. Always at least one. */
const burstSeconds = 0.1

const burst = `greatest(1, floor(e.rate_limit * ${burstSeconds}))`

/**
 * SQL expression of endpoint `e`: the time from which its attempts are counted, each of which takes `1 / rate_limit`
 * seconds; null without a limit. Kept in `rate_free_at`, by the database's clock, so that replicas share it and a
 * restart does not lose it (the generic cell rate algorithm, ITU-T I.371).
 */
export const rateBase = `CASE WHEN e.rate_limit IS NOT NULL
  THEN greatest(e.rate_free_at, now() - (${burst} - 1) / e.rate_limit * interval '1 second') END`

/** SQL expression of `rateBase`: the attempts that may start now; null without a limit. */
export const attemptsWithinRate = (base: string, rateLimit: string): string =>
  `CASE WHEN ${rateLimit} IS NOT NULL
    THEN greatest(0, floor(extract(epoch FROM now() - ${base}) * ${rateLimit}) + 1)::int END`

/** SQL expression of `rateBase`: the time from which the next attempt may start after `attempts` have. */
export const rateFreeAt = (base: string, rateLimit: string, attempts: string): string =>
  `${base} + ${attempts} / ${rateLimit} * interval '1 second'`

/**
 * Changes the limit of an endpoint. It applies to the next attempt. @param rateLimit attempts per second; null: none
 */
export async function changeRateLimit(
  tx: Pick<Transaction, 'query' | 'wake'>,
  webhookId: string,
  rateLimit: number | null,
): Promise<void> {
  await tx.query(
    'UPDATE endpoints SET rate_limit = $2, rate_free_at = NULL, saturated_until = NULL WHERE webhook_id = $1',
    [webhookId, rateLimit],
  )
  tx.wake(deliveryQueue)
}
