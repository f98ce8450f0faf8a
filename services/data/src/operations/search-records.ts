import type { dataSearch, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { search } from '../search/query/search.ts'

/** Reads only: what it is sent is a question, too long for an address. */
export const searchRecords: Operation<typeof dataSearch.searchRecords, Context> = (
  context,
  { workspaceId },
  { body: { data_source_ids: dataSourceIds, min_score: minScore, ...rest } },
) => {
  const pointers = { dataSourceId: (place: number) => `/data_source_ids/${place}`, cursor: '/cursor', mode: '/mode' }
  return search(context, workspaceId, { dataSourceIds, minScore, pointers, ...rest })
}
