import type { dataSearch, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { search } from '../search/engine/search.ts'

/** Searches like `search`, with a query in the body, which may exceed the length of a URL. */
export const searchRecords: Operation<typeof dataSearch.searchRecords, Context> = (
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
  return search(context, workspaceId, { query, dataSourceIds, minScore, hasData, pointers, signal, ...rest })
}
