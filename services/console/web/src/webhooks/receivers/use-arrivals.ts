import { usePortal } from '../../session/portal-context.ts'
import { useApiQuery } from '../../session/workspace-context.tsx'
import { isReceiverAddress } from '../shared/subscription-name.ts'

const pollMs = 1_500

/** Reads the test receiver of an endpoint and follows what arrives; nothing for any other endpoint. */
export function useArrivals(endpoint: string | null | undefined) {
  const isPortal = usePortal() !== undefined
  const isReceiver = isReceiverAddress(endpoint) && !isPortal
  const receivers = useApiQuery(
    ['webhooks', 'receivers'],
    (api, options) => api.webhooks.listReceivers({ query: { limit: 100 } }, options),
    { enabled: isReceiver, staleTime: 60_000 },
  )
  const receiver = receivers.data?.items.find((item) => item.endpoint === endpoint)
  const receiverId = receiver?.receiver_id
  const page = useApiQuery(
    ['webhooks', 'arrivals', receiverId],
    (api, options) =>
      api.webhooks.listReceivedRequests({ params: { receiver_id: receiverId ?? '' }, query: { limit: 50 } }, options),
    { enabled: receiverId !== undefined, refetchInterval: pollMs },
  )
  const error = receivers.error ?? page.error
  return {
    isReceiver,
    /** True until it is known what arrived, so that the page takes its place at once. */
    isLoading: isReceiver && error === null && (receivers.data === undefined || (receiver && page.data === undefined)),
    receiver,
    requests: page.data?.items,
    error,
    refetch: () => void Promise.all([receivers.refetch(), page.refetch()]),
  }
}
