import type { dataSearch, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { search } from '../search/query/search.ts'

/** Searches like `search`, with a query in the body, which may exceed the length of a URL. */
export const searchRecords: Operation<typeof dataSearch.searchRecords, Context> = (
  context,
  { workspaceId },
  { body: { data_source_ids: dataSourceIds, min_score: minScore, ...rest }, signal },
) => {
  const pointers = {
    query: '/query',
    dataSourceId: (nth: number) => `/data_source_ids/${nth}`,
    cursor: '/cursor',
    mode: '/mode',
  }
  return search(context, workspaceId, { dataSourceIds, minScore, pointers, signal, ...rest })
}
