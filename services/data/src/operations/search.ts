import type { dataSearch, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { search as find } from '../search/search.ts'

export const search: Operation<typeof dataSearch.search, Context> = (
  { database, postings },
  { workspaceId },
  { query },
) => {
  const { q, data_source_id: source, min_score: minScore, ...rest } = query
  const dataSourceIds = source === undefined ? undefined : [source]
  const pointers = { dataSourceId: () => '?data_source_id', cursor: '?cursor', mode: '?mode' }
  return database.read({ workspaceId }, (_db, sql) =>
    find(sql, postings, workspaceId, { query: q, dataSourceIds, minScore, pointers, ...rest }),
  )
}
