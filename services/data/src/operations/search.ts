import type { dataSearch, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { search as searchRecords } from '../search/query/search.ts'

export const search: Operation<typeof dataSearch.search, Context> = (context, { workspaceId }, { query, signal }) => {
  const { q, data_source_id: source, min_score: minScore, ...rest } = query
  const dataSourceIds = source === undefined ? undefined : [source]
  const pointers = { query: '?q', dataSourceId: () => '?data_source_id', cursor: '?cursor', mode: '?mode' }
  return searchRecords(context, workspaceId, { query: q, dataSourceIds, minScore, pointers, signal, ...rest })
}
