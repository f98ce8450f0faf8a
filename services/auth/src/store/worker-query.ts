import type { Database, Query } from '@wp/database'

/** Single statements of the worker role, which sees all workspaces. */
export const workerQuery =
  (pool: Database['worker']): Query =>
  async <Row>(text: string, values: readonly unknown[] = []) => {
    const { rows } = await pool.query(text, [...values])
    return rows as Row[] // the caller names the shape of the rows its statement gives
  }
