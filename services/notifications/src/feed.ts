import type { Caller, RequestCaller, WorkspaceCaller } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { Bus } from '@wp/events'
import { requireScope } from '@wp/service'
import { visibleKinds } from './catalog/kinds.ts'
import type { Client } from './store/client.ts'
import { type FeedKey, findAfter, type NotificationRow } from './store/notifications.ts'

/** Returns the wake queue of the feeds of a workspace. */
export const feedQueue = (workspaceId: string): string => `feed-${workspaceId}`

/** Rows read at once. A reader holds no more than these, however slow it is. */
const pageSize = 32
/** Longest time until a notification is found whose wake was lost. */
const defaultPollMs = 10_000

export interface FollowOptions {
  database: Pick<Database<Client>, 'read'>
  bus: Pick<Bus, 'onWake'>
  caller: Pick<Caller, 'principal'>
  feed: FeedKey
  /** Position of the last notification that the reader has. */
  after: bigint
  /** Ends the stream. */
  signal: AbortSignal
  pollMs?: number
}

/**
 * Reads the notifications of a feed after a position, then those that arrive. Positions become visible in order, so
 * none is lost or repeated.
 */
export async function* followFeed(options: FollowOptions): AsyncGenerator<NotificationRow> {
  const { database, bus, caller, feed, signal, pollMs = defaultPollMs } = options
  const wakes = createWaiter(signal)
  const unsubscribe = bus.onWake('notifications', feedQueue(feed.workspaceId), wakes.wake)
  let position = options.after
  try {
    while (!signal.aborted) {
      const rows = await database.read({ workspaceId: feed.workspaceId, principal: caller.principal }, (db) =>
        findAfter(db, feed, { after: position, limit: pageSize }),
      )
      for (const row of rows) {
        yield row
        position = row.position
      }
      if (rows.length < pageSize) await wakes.wait(pollMs)
    }
  } finally {
    unsubscribe()
    wakes.stop()
  }
}

/** A wake that arrives while nothing waits ends the next wait at once. */
function createWaiter(signal: AbortSignal) {
  let isWoken = false
  let resolveWait: (() => void) | undefined
  const wake = () => {
    isWoken = true
    resolveWait?.()
  }
  signal.addEventListener('abort', wake)
  return {
    wake,
    async wait(ms: number): Promise<void> {
      if (!isWoken) {
        const { promise, resolve } = Promise.withResolvers<void>()
        resolveWait = resolve
        const timer = setTimeout(resolve, ms)
        await promise
        clearTimeout(timer)
      }
      isWoken = false
    },
    stop: () => signal.removeEventListener('abort', wake),
  }
}

/** Returns the feed of a caller: a user's own, or for other principals that of the workspace. */
export const feedOf = ({ workspaceId, principal, scopes }: RequestCaller<WorkspaceCaller>): FeedKey => ({
  workspaceId,
  recipientId: principal.type === 'user' ? principal.id : workspaceId,
  kinds: visibleKinds(scopes),
})

/**
 * Asserts that a caller may change what belongs to a recipient: a user their own, anything else only with
 * `notifications:write`.
 * @throws Problem `missing_scope`
 */
export function requireOwnOrWrite(caller: RequestCaller<WorkspaceCaller>, recipientId: string, use: string): void {
  if (recipientId !== caller.principal.id) requireScope(caller, 'notifications:write', use)
}
