import { isReceiverAddress, type SubscriptionView } from './subscription-name.ts'

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

/** Returns when to read figures of a subscription again: while deliveries are pending, or shown as they arrive. */
export const followMs = ({
  delivery,
  stats,
  endpoint,
}: Pick<SubscriptionView, 'delivery' | 'endpoint'> & { stats: Pick<SubscriptionView['stats'], 'pending'> }):
  | number
  | false => (delivery === 'push' && (stats.pending > 0 || isReceiverAddress(endpoint)) ? 2_000 : false)
