import { useQuery } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'
import type { SeriesKey } from '../groups.ts'

const sampleMs = 60_000

interface SampleColumns {
  sourceId: string
  time: string
  groupBy: readonly string[]
}

/** Reads the group of the newest record of a source. */
export function useGroupSample(api: Client, workspaceId: string, { sourceId, time, groupBy }: SampleColumns) {
  return useQuery({
    queryKey: [workspaceId, 'forecast-groups', sourceId, time, groupBy],
    enabled: sourceId !== '' && time !== '',
    staleTime: sampleMs,
    retry: false,
    queryFn: async ({ signal }): Promise<SeriesKey> => {
      const { items } = await api.data.searchRecords(
        {
          body: {
            data_source_ids: [sourceId],
            filters: { [time]: { exists: true } },
            include: ['data'],
            limit: 1,
          },
        },
        { signal },
      )
      const data = items[0]?.data ?? {}
      const text = (value: unknown) => (value === null || value === undefined ? '' : String(value))
      return Object.fromEntries(groupBy.map((field) => [field, text(data[field])]))
    },
  })
}

/** Reads the most frequent values of a column among the newest records, at most ten. */
export function useGroupValues(api: Client, workspaceId: string, sourceId: string, field: string | undefined) {
  return useQuery({
    queryKey: [workspaceId, 'forecast-group-values', sourceId, field],
    enabled: sourceId !== '' && field !== undefined,
    staleTime: sampleMs,
    retry: false,
    queryFn: async ({ signal }): Promise<string[]> => {
      if (field === undefined) return []
      const body = { data_source_ids: [sourceId], filters: { [field]: { exists: true } }, facets: [field], limit: 1 }
      const { meta } = await api.data.searchRecords({ body }, { signal })
      return (meta.facets?.[field] ?? []).map(({ value }) => String(value))
    },
  })
}
