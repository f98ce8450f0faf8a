import type { Operation } from '../context.ts'
import { search as searchIn } from '../search/engine/search.ts'

export const search: Operation<'search'> = (context, { workspaceId }, { query: parameters, signal }) => {
  const { q, query = q, data_source_id: source, min_score: minScore, include, ...rest } = parameters
  const dataSourceIds = source === undefined ? undefined : [source]
  const pointers = {
    query: q === undefined ? '?query' : '?q',
    dataSourceId: () => '?data_source_id',
    cursor: '?cursor',
    mode: '?mode',
  }
  const hasData = include === 'data'
  return searchIn(context, workspaceId, { query, dataSourceIds, minScore, hasData, pointers, signal, ...rest })
}

/** Searches like `search`, with a query in the body, which may exceed the length of a URL. */
export const searchRecords: Operation<'searchRecords'> = (
  context,
  { workspaceId },
  { body: { data_source_ids: dataSourceIds, min_score: minScore, q, query = q, include, ...rest }, signal },
) => {
  const pointers = {
    query: q === undefined ? '/query' : '/q',
    dataSourceId: (nth: number) => `/data_source_ids/${nth}`,
    cursor: '/cursor',
    mode: '/mode',
  }
  const hasData = include?.includes('data') === true
  return searchIn(context, workspaceId, { query, dataSourceIds, minScore, hasData, pointers, signal, ...rest })
}
