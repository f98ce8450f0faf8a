import { useQuery } from '@tanstack/react-query'
import { useApi, useWorkspaceId } from '../../session/workspace-context.tsx'

const pendingPollMs = 2_000

/** Reads a subscription; again and again while deliveries are pending. */
export function useSubscription(webhookId: string) {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: [workspaceId, 'webhooks', 'subscriptions', webhookId],
    queryFn: ({ signal }) => api.webhooks.getSubscription({ params: { webhook_id: webhookId } }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.delivery === 'push' && state.data.stats.pending > 0 ? pendingPollMs : false,
  })
}
