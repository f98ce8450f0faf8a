import type { Query } from '@wp/database'

/**
 * Reads rows in the order of an index. Of a source that has just grown the planner knows nothing and believes it
 * small: it would fetch and sort all of it for every page.
 */
export async function inIndexOrder<T>(query: Query, read: () => Promise<T>): Promise<T> {
  await query('BEGIN READ ONLY; SET LOCAL enable_sort = off')
  try {
    return await read()
  } finally {
    await query('COMMIT')
  }
}
