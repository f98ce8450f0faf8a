import type { Client } from '@wp/client/browser'
import { isNotFound } from '../../api/describe-error.ts'
import { useApiQuery } from '../../session/workspace-context.tsx'
import type { DeliveryFilters } from './delivery-filters.tsx'
import type { DeliveryView } from './delivery-table.tsx'

const pageSize = 50
const livePollMs = 2_000

interface DeliveryPage {
  items: DeliveryView[]
  nextCursor: string | null
}

/** Reads a page of the deliveries to all subscriptions. @param isLive reads the first page again and again */
export function useDeliveries(filters: DeliveryFilters & { cursor?: string }, isLive: boolean) {
  return useApiQuery(['webhooks', 'deliveries', filters], (api, { signal }) => readPage(api, filters, signal), {
    refetchInterval: isLive ? livePollMs : false,
  })
}

async function readPage(
  api: Client,
  { webhook, id, ...filters }: DeliveryFilters & { cursor?: string },
  signal: AbortSignal,
): Promise<DeliveryPage> {
  if (id?.startsWith('dlv_')) return readOne(api, id, signal)
  const query = {
    ...filters,
    limit: pageSize,
    webhook_id: webhook,
    event_id: id,
  }
  return api.webhooks.listAllDeliveries({ query }, { signal })
}

/** Reads the delivery with a request id; a page without items if there is none. */
async function readOne(api: Client, requestId: string, signal: AbortSignal): Promise<DeliveryPage> {
  try {
    const item = await api.webhooks.getDelivery({ params: { request_id: requestId } }, { signal })
    return { items: [item], nextCursor: null }
  } catch (error) {
    if (isNotFound(error)) return { items: [], nextCursor: null }
    throw error
  }
}
