import { useApiQuery } from '../../../session/workspace-context.tsx'

/** Reads a source with its columns. */
export const useSchema = (sourceId: string) =>
  useApiQuery(
    ['data', 'sources', sourceId, 'schema'],
    (api, options) => api.data.getSource({ params: { data_source_id: sourceId } }, options),
    { enabled: sourceId !== '' },
  )

const sampleMs = 60_000

/** Reads the most frequent values of a column among the newest records, at most ten; none of a restricted source. */
export const useGroupValues = (sourceId: string, field: string | undefined) =>
  useApiQuery(
    ['forecast-group-values', sourceId, field],
    async (api, options) => {
      if (field === undefined) return []
      const body = { data_source_ids: [sourceId], filters: { [field]: { exists: true } }, facets: [field], limit: 1 }
      const { meta } = await api.data.searchRecords({ body }, options)
      return (meta.facets?.[field] ?? []).map(({ value }) => String(value))
    },
    { enabled: sourceId !== '' && field !== undefined, staleTime: sampleMs, retry: false },
  )

const sampleSize = 20

/** Reads whether the times of the newest records are dates alone; fails for a restricted source. */
export const useIsDaily = (sourceId: string, timeField: string) =>
  useApiQuery(
    ['forecast-times', sourceId, timeField],
    async (api, options) => {
      const filters = { [timeField]: { exists: true } }
      const body = { data_source_ids: [sourceId], filters, include: ['data' as const], limit: sampleSize }
      const { items } = await api.data.searchRecords({ body }, options)
      const times = items.map(({ data = {} }) => String(data[timeField]))
      return times.length > 0 && times.every((time) => /^\d{4}-\d\d-\d\d(?:T00:00:00(?:\.0+)?Z?)?$/.test(time))
    },
    { enabled: sourceId !== '' && timeField !== '', staleTime: sampleMs, retry: false },
  )

/** Returns true while the columns of a file are read, on which the period depends. @param sourceId empty for no file */
export function useIsReadingFile(sourceId: string, timeField: string): boolean {
  const schema = useSchema(sourceId)
  const daily = useIsDaily(sourceId, timeField)
  return sourceId !== '' && (schema.isPending || (timeField !== '' && daily.isPending))
}
