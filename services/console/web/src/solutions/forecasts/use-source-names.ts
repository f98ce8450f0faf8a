import { useQuery } from '@tanstack/react-query'
import { useApi, useCan, useWorkspaceId } from '../../session/workspace-context.tsx'

const maxSources = 100
const namesMs = 60_000

/** Returns the data sources of the workspace, at most 100, newest first; undefined while they are loaded. */
export function useSources() {
  const api = useApi()
  const workspaceId = useWorkspaceId()
  const can = useCan()
  return useQuery({
    queryKey: [workspaceId, 'data', 'sources', 'names'],
    queryFn: ({ signal }) => api.data.listSources({ query: { limit: maxSources } }, { signal }),
    staleTime: namesMs,
    enabled: can('data:read'),
  })
}

/** Returns the name of a data source; its id while that is not known. */
export function useSourceName(id: string | undefined): string {
  const { data } = useSources()
  return data?.items.find(({ data_source_id }) => data_source_id === id)?.name ?? id ?? ''
}
