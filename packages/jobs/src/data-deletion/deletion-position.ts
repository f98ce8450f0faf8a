import type { StepResult } from './delete-rows.ts'

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
