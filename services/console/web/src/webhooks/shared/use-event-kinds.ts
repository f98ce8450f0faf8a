import { useQuery } from '@tanstack/react-query'
import { useApi, useWorkspaceId } from '../../session/workspace-context.tsx'

/** Reads the catalogue of event kinds. It changes with releases of the platform only. */
export function useEventKinds() {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: [workspaceId, 'webhooks', 'event-kinds'],
    queryFn: async ({ signal }) => (await api.webhooks.listEventKinds({ query: { limit: 100 } }, { signal })).items,
    staleTime: 600_000,
  })
}
