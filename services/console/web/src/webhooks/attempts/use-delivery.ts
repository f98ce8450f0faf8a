import { useApiQuery } from '../../session/workspace-context.tsx'
import { isPending } from './delivery-status.ts'

const soonMs = 15_000
const activePollMs = 1_000
const waitingPollMs = 10_000

/** Returns how often a delivery is read again: often while an attempt is made or near, not at all after its end. */
export function pollIntervalOf(
  delivery: { status: string; next_attempt_at: string | null } | undefined,
  nowMs: number,
): number | false {
  if (delivery === undefined || !isPending(delivery)) return false
  const { next_attempt_at: next } = delivery
  return next === null || Date.parse(next) - nowMs < soonMs ? activePollMs : waitingPollMs
}

/** Reads a delivery, and follows it until it has ended. */
export function useDelivery(requestId: string | undefined) {
  return useApiQuery(
    ['webhooks', 'delivery', requestId],
    (api, options) => api.webhooks.getDelivery({ params: { request_id: requestId ?? '' } }, options),
    { enabled: requestId !== undefined, refetchInterval: ({ state }) => pollIntervalOf(state.data, Date.now()) },
  )
}
