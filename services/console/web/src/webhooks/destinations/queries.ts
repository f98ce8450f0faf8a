import { useApiQuery } from '../../session/workspace-context.tsx'

const pollMs = 5_000

/** Reads an event destination; again and again while it is active, because records are written all the time. */
export const useDestination = (destinationId: string) =>
  useApiQuery(
    ['webhooks', 'destinations', destinationId],
    (api, options) => api.webhooks.getDestination({ params: { destination_id: destinationId } }, options),
    { refetchInterval: ({ state }) => (state.data?.status === 'active' ? pollMs : false) },
  )
