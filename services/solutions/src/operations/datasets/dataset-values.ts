import { Problem } from '@wp/contracts'
import { found, type Operation } from '../../context.ts'
import { readMatchers } from '../../datasets/read-dataset.ts'
import { findDataset, findValues } from '../../store/datasets.ts'
import { createSuggester } from '../../workplace/suggest-matches.ts'

export const listDatasetValues: Operation<'listDatasetValues'> = (
  { database },
  { workspaceId },
  { params, query: { limit, cursor, role, mapped } },
) =>
  database.read({ workspaceId }, async (db, sql) => {
    const { matchers, candidates } = await readMatchers(sql, found(await findDataset(db, workspaceId, params.id)))
    const suggest = { space: createSuggester(candidates.space), team: createSuggester(candidates.team) }
    const rows = (await findValues(sql, workspaceId, params.id))
      .map((row) => ({ ...row, role: row.role as 'space' | 'team' })) // written by this service from these words alone
      .filter((row) => role === undefined || row.role === role)
      .map((row) => ({ row, match: matchers[row.role](row.value) }))
      .filter(({ match }) => mapped === undefined || mapped === (match.matchedBy !== 'none'))
    const start = cursor === undefined ? 0 : readOffset(cursor)
    const items = rows.slice(start, start + limit).map(({ row, match }) => ({
      role: row.role,
      value: row.value,
      rows: row.rows,
      mapped_to: match.id,
      matched_by: match.matchedBy,
      suggestions: match.matchedBy === 'none' ? suggest[row.role](row.value) : [],
    }))
    return { items, nextCursor: start + limit < rows.length ? `o${start + limit}` : null }
  })

function readOffset(cursor: string): number {
  const offset = Number(/^o(\d{1,6})$/.exec(cursor)?.[1])
  if (Number.isNaN(offset))
    throw new Problem('invalid_cursor', { errors: [{ pointer: '?cursor', detail: 'is not a cursor of this list' }] })
  return offset
}
