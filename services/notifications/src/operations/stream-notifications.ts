import { invalidField } from '@wp/contracts'
import type { Operation } from '../context.ts'
import { feedOf, followFeed } from '../feed.ts'
import { lastPosition } from '../store/notifications.ts'
import { notificationView } from '../views.ts'

/** Begins after the notification that the client has received last, else with the next one. */
export const streamNotifications: Operation<'streamNotifications'> = async (
  { database, bus },
  caller,
  { query, lastEventId, signal: disconnected },
) => {
  const feed = feedOf(caller)
  const signal = AbortSignal.any([disconnected, AbortSignal.timeout(query.max_seconds * 1_000)])
  const after =
    lastEventId === undefined ? await database.read(caller, (db) => lastPosition(db, feed)) : readPosition(lastEventId)
  const rows = followFeed({ database, bus, caller, feed, after, signal })
  return (async function* () {
    for await (const row of rows) yield { id: String(row.position), data: notificationView(row) }
  })()
}

function readPosition(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw invalidField('Last-Event-ID', 'is not the id of an event of this stream')
  return BigInt(text)
}
