import { ApiError, type Client } from '@wp/client/browser'
import type { SampledColumn } from './mapping-fields.tsx'

const sampledRows = 20
const maxExamples = 3

/** A source with the columns of its rows. */
export interface SampledSource {
  name: string
  columns: readonly SampledColumn[]
}

/** Returns a reader of the columns of a source with some of their values, where rows may be read. */
export const readSamples =
  (sourceId: string) =>
  async (api: Client, options: { signal: AbortSignal }): Promise<SampledSource> => {
    const params = { data_source_id: sourceId }
    const [{ name, schema }, rows] = await Promise.all([
      api.data.getSource({ params }, options),
      api.data.listRecords({ params, query: { limit: sampledRows } }, options).then(
        ({ items }) => items.map(({ data }) => data),
        (error: unknown) => {
          // Rows with people in them are closed to every reader.
          if (error instanceof ApiError && error.code === 'records_restricted') return []
          throw error
        },
      ),
    ])
    return {
      name,
      columns: schema.map(({ name: column, type }) =>
        describeColumn(
          column,
          type,
          rows.map((row) => row[column]),
        ),
      ),
    }
  }

function describeColumn(name: string, type: string, values: readonly unknown[]): SampledColumn {
  const texts = values.flatMap((value) => (value === null || value === undefined ? [] : [String(value)]))
  const examples = [...new Set(texts)]
    .slice(0, maxExamples)
    .map((text) => (type === 'timestamp' ? text.replace('T', ' ') : text))
  if (type !== 'timestamp' || texts.length === 0) return { name, type: type === 'text' ? 'string' : type, examples }
  return { name, type, examples, isDateOnly: texts.every((text) => !text.includes('T')) }
}
