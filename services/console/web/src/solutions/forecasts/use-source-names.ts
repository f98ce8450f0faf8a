import { useApiQuery, useCan } from '../../session/workspace-context.tsx'

const maxSources = 100
const namesMs = 60_000

/** Returns the data sources of the workspace, at most 100, newest first; undefined while they are loaded. */
export function useSources() {
  const can = useCan()
  return useApiQuery(
    ['data', 'sources', 'names'],
    (api, options) => api.data.listSources({ query: { limit: maxSources } }, options),
    { staleTime: namesMs, enabled: can('data:read') },
  )
}

/** Returns the name of a data source; its id while that is not known. */
export function useSourceName(id: string | undefined): string {
  const { data } = useSources()
  return data?.items.find(({ data_source_id }) => data_source_id === id)?.name ?? id ?? ''
}
