import { useQuery } from '@tanstack/react-query'
import type { Client } from '@wp/client/browser'
import type { SeriesKey } from '../group-key.ts'

/** A group of a source, and more of its kind. */
export interface GroupSample {
  /** The group of the newest record. */
  key: SeriesKey
  /** The most frequent values of the first column, at most ten. */
  values: string[]
}

const sampleMs = 60_000

/** Reads the newest record of a source and the values of its group columns. */
export function useGroupSample(
  api: Client,
  workspaceId: string,
  { sourceId, time, groupBy }: { sourceId: string; time: string; groupBy: readonly string[] },
) {
  return useQuery({
    queryKey: [workspaceId, 'forecast-groups', sourceId, time, groupBy],
    enabled: sourceId !== '' && time !== '',
    staleTime: sampleMs,
    retry: false,
    queryFn: async ({ signal }): Promise<GroupSample> => {
      const { items, meta } = await api.data.searchRecords(
        {
          body: {
            data_source_ids: [sourceId],
            filters: { [time]: { exists: true } },
            sort: `-${time}`,
            include: ['data'],
            limit: 1,
            ...(groupBy.length > 0 && { facets: [...groupBy] }),
          },
        },
        { signal },
      )
      const data = items[0]?.data ?? {}
      const text = (value: unknown) => (value === null || value === undefined ? '' : String(value))
      const [first] = groupBy
      return {
        key: Object.fromEntries(groupBy.map((field) => [field, text(data[field])])),
        values: first === undefined ? [] : (meta.facets?.[first] ?? []).map(({ value }) => String(value)),
      }
    },
  })
}
