import type { Query } from '@wp/database'
import type { DeletableTable } from './workspace-tables.ts'

/** Limits of one step, which is one transaction: few rows and pages, so that locks and transactions are short. */
export const stepLimits = { rows: 2_000, blocks: 2_048 }

export interface StepResult {
  deleted: number
  /** The page at which the next step goes on; null if the table has no further rows of the workspace. */
  nextBlock: number | null
}

/**
 * Deletes up to `limits.rows` rows of a workspace from a table. Where no index finds the rows of a workspace, a step
 * reads `limits.blocks` pages from `block` on.
 */
export async function deleteRows(
  query: Query,
  table: DeletableTable,
  workspaceId: string,
  block: number,
  limits = stepLimits,
): Promise<StepResult> {
  const { quoted, column, isIndexed, isPartitioned, blocks } = table
  const isByPage = !isIndexed && !isPartitioned
  // The rows of a large workspace fill the table, which PostgreSQL would then rather scan, with all deleted rows.
  if (isIndexed) await query('SET LOCAL enable_seqscan = off')
  const end = block + limits.blocks
  const pages = isByPage ? `AND ctid >= '(${block},0)'::tid AND ctid < '(${end},0)'::tid` : ''
  const row = isPartitioned ? '(tableoid, ctid)' : 'ctid'
  const columns = isPartitioned ? 'tableoid, ctid' : 'ctid'
  const selected = `SELECT ${columns} FROM ${quoted} WHERE ${column} = $1 ${pages} LIMIT ${limits.rows}`
  const matches = isPartitioned ? `${row} IN (${selected})` : `${row} = ANY (ARRAY(${selected}))`
  const [result] = await query<{ deleted: number }>(
    `WITH deleted AS (DELETE FROM ${quoted} WHERE ${column} = $1 AND ${matches} RETURNING 1)
     SELECT count(*)::integer AS deleted FROM deleted`,
    [workspaceId],
  )
  const deleted = result?.deleted ?? 0
  if (deleted === limits.rows) return { deleted, nextBlock: block }
  return { deleted, nextBlock: isByPage && end < blocks ? end : null }
}

/** Position of the deletion of a workspace's rows: in a pass over all tables, the last of which finds no row. */
export interface DeletionPosition {
  /** A pass after the time until which rows may still be added. */
  isFinalPass: boolean
  /** Null before the first table. */
  table: string | null
  /** The page of the table. */
  block: number
  deletedInPass: number
  /** The final pass has found no row. */
  isComplete: boolean
}

export const startOfPass = (isFinalPass: boolean): DeletionPosition => ({
  isFinalPass,
  table: null,
  block: 0,
  deletedInPass: 0,
  isComplete: false,
})

/**
 * Returns the position after a step.
 *
 * @param tables names of the tables in the order of the deletion
 * @param table the table of the step
 */
export function nextPosition(
  position: DeletionPosition,
  tables: readonly string[],
  table: string,
  { deleted, nextBlock }: StepResult,
): DeletionPosition {
  const deletedInPass = position.deletedInPass + deleted
  if (nextBlock !== null) return { ...position, table, block: nextBlock, deletedInPass }
  const next = tables[tables.indexOf(table) + 1]
  if (next !== undefined) return { ...position, table: next, block: 0, deletedInPass }
  if (position.isFinalPass && deletedInPass === 0) return { ...position, table, block: 0, isComplete: true }
  return startOfPass(true)
}
