import { useApiQuery } from '../../session/workspace-context.tsx'
import { nameOfSubscription } from './subscription-name.ts'
import { followMs } from './subscription-state.ts'

const maxListed = 100

/** Returns the newest subscriptions, for filters and to name those of deliveries. */
export function useSubscriptions() {
  const { data } = useApiQuery(
    ['webhooks', 'names'],
    (api, options) => api.webhooks.listSubscriptions({ query: { limit: maxListed } }, options),
    { staleTime: 60_000 },
  )
  const names = new Map(data?.items.map((item) => [item.webhook_id, nameOfSubscription(item)]))
  return {
    subscriptions: data?.items ?? [],
    /** Returns the name of a subscription, or its id if it is not known. */
    nameOf: (webhookId: string) => names.get(webhookId) ?? webhookId,
  }
}

/** Reads a subscription as soon as its id is known. */
export function useSubscription(webhookId: string | undefined) {
  return useApiQuery(
    ['webhooks', 'subscriptions', webhookId],
    (api, options) => api.webhooks.getSubscription({ params: { webhook_id: webhookId ?? '' } }, options),
    {
      enabled: webhookId !== undefined,
      refetchInterval: ({ state }) => state.data !== undefined && followMs(state.data),
    },
  )
}

/** Reads the catalogue of event kinds. It changes with releases of the platform only. */
export function useEventKinds() {
  return useApiQuery(
    ['webhooks', 'event-kinds'],
    async (api, options) => (await api.webhooks.listEventKinds({ query: { limit: 100 } }, options)).items,
    { staleTime: 600_000 },
  )
}
