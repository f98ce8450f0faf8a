import { problem } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { eventCatalogue } from '../event-catalogue.ts'
import { readCustomerRules } from '../portal/customer-rules.ts'

export const listEventKinds: Operation<'listEventKinds'> = async (context, caller, { query }) => {
  const rules = await context.database.read(caller, (db) => readCustomerRules(db, context, caller))
  const entries = rules === undefined ? eventCatalogue : eventCatalogue.filter(({ kind }) => rules.kinds.includes(kind))
  const start = query.cursor === undefined ? 0 : indexAfter(entries, query.cursor)
  const items = entries.slice(start, start + query.limit)
  const last = items.at(-1)
  const hasMore = start + items.length < entries.length
  return { items, nextCursor: hasMore && last !== undefined ? Buffer.from(last.kind).toString('base64url') : null }
}

/** Returns the start of the page after the cursor's kind. @throws Problem `invalid_cursor` */
function indexAfter(entries: typeof eventCatalogue, cursor: string): number {
  const kind = Buffer.from(cursor, 'base64url').toString()
  const index = entries.findIndex((entry) => entry.kind === kind)
  if (index === -1)
    throw problem('invalid_cursor', { errors: [{ pointer: '?cursor', detail: 'is not a cursor of this list' }] })
  return index + 1
}
