import type { Database, Query } from '@wp/database'

/** Returns a query function for single statements with the worker role, which sees all workspaces. */
export const workerQuery =
  (pool: Database['worker']): Query =>
  async <Row>(text: string, values: readonly unknown[] = []) => {
    const { rows } = await pool.query(text, [...values])
    return rows as Row[] // the caller declares the row type of its statement
  }
