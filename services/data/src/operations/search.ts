import type { dataSearch, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { search as searchRecords } from '../search/engine/search.ts'

export const search: Operation<typeof dataSearch.search, Context> = (
  context,
  { workspaceId },
  { query: parameters, signal },
) => {
  const { q, query = q, data_source_id: source, min_score: minScore, include, ...rest } = parameters
  const dataSourceIds = source === undefined ? undefined : [source]
  const pointers = {
    query: q === undefined ? '?query' : '?q',
    dataSourceId: () => '?data_source_id',
    cursor: '?cursor',
    mode: '?mode',
  }
  const hasData = include === 'data'
  return searchRecords(context, workspaceId, { query, dataSourceIds, minScore, hasData, pointers, signal, ...rest })
}
