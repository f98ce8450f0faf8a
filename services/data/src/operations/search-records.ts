import type { dataSearch, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { search } from '../search/search.ts'

/** Reads only: what it is sent is a question, too long for an address. */
export const searchRecords: Operation<typeof dataSearch.searchRecords, Context> = (
  { database, postings },
  { workspaceId },
  { body: { data_source_ids: dataSourceIds, min_score: minScore, ...rest } },
) => {
  const pointers = { dataSourceId: (place: number) => `/data_source_ids/${place}`, cursor: '/cursor', mode: '/mode' }
  return database.read({ workspaceId }, (_db, sql) =>
    search(sql, postings, workspaceId, { dataSourceIds, minScore, pointers, ...rest }),
  )
}
