import type { Query } from '@wp/database'

/**
 * Runs `read` in a read-only transaction with sorts disabled, so that PostgreSQL reads rows in index order. Without
 * it, for a source that has just grown, the planner underestimates the row count and sorts the whole source per page.
 */
export async function inIndexOrder<T>(query: Query, read: () => Promise<T>): Promise<T> {
  await query('BEGIN READ ONLY; SET LOCAL enable_sort = off')
  try {
    return await read()
  } finally {
    await query('COMMIT')
  }
}
