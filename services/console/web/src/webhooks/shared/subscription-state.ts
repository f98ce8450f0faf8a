import type { SubscriptionView } from './subscription-name.ts'

/** Below these shares of successful attempts a receiver needs attention, or does not work. */
export const [lowRate, brokenRate] = [0.95, 0.5]

/** Returns the state of a subscription in a word that agrees with its success rate: `active` had deliveries lately. */
export function stateOf({
  status,
  stats,
}: Pick<SubscriptionView, 'status'> & { stats: Pick<SubscriptionView['stats'], 'success_rate'> }): string {
  const { success_rate: rate } = stats
  if (status !== 'active') return status
  if (rate === null) return 'idle'
  return rate < brokenRate ? 'failing' : rate < lowRate ? 'unreliable' : 'active'
}
