import { type Operation, problem, type webhooks } from '@wp/contracts'
import type { Context } from '../context.ts'
import { eventCatalogue } from '../event-catalogue.ts'

export const listEventKinds: Operation<typeof webhooks.listEventKinds, Context> = async (
  _context,
  _caller,
  { query },
) => {
  const start = query.cursor === undefined ? 0 : indexAfter(query.cursor)
  const items = eventCatalogue.slice(start, start + query.limit)
  const last = items.at(-1)
  const hasMore = start + items.length < eventCatalogue.length
  return { items, nextCursor: hasMore && last !== undefined ? Buffer.from(last.kind).toString('base64url') : null }
}

/** Returns the start of the page after the cursor's kind. @throws Problem `invalid_cursor` */
function indexAfter(cursor: string): number {
  const kind = Buffer.from(cursor, 'base64url').toString()
  const index = eventCatalogue.findIndex((entry) => entry.kind === kind)
  if (index === -1)
    throw problem('invalid_cursor', { errors: [{ pointer: '?cursor', detail: 'is not a cursor of this list' }] })
  return index + 1
}
