import { authInternal, type NotificationRecipient, type Page, type Scope } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'

/** The members of workspaces, as auth lists them. */
export interface RecipientDirectory {
  /**
   * Returns a page of the members, as they were at `since` or later.
   * @param cursor of the previous page
   */
  page(workspaceId: string, cursor: string | undefined, since: Date): Promise<Page<NotificationRecipient>>
  /** Returns a member as of now; undefined if the user is none. */
  find(workspaceId: string, userId: string): Promise<NotificationRecipient | undefined>
}

/** Pages are kept for the events of a burst, which arrived before the page was requested. */
const cacheMs = 10_000
/** Members notified in one transaction. Each takes about 500 bytes in the cache. */
const pageSize = 100
const maxCachedPages = 400

interface CachedPage {
  page: Promise<Page<NotificationRecipient>>
  /** Milliseconds since 1970. */
  requestedAt: number
}

/** Creates the directory. A burst of events of one workspace asks auth once. @param now milliseconds since 1970 */
export function createRecipientDirectory(
  internal: Pick<InternalCalls, 'callAsSystem'>,
  now: () => number,
): RecipientDirectory {
  const cache = new Map<string, CachedPage>()
  const request = (workspaceId: string, query: { limit: number; cursor?: string; user_id?: string }) =>
    internal.callAsSystem(authInternal.listNotificationRecipients, { workspaceId }, { query })

  return {
    page(workspaceId, cursor, since) {
      const key = `${workspaceId} ${cursor ?? ''}`
      const cached = cache.get(key)
      if (cached !== undefined && cached.requestedAt >= since.getTime() && cached.requestedAt > now() - cacheMs)
        return cached.page
      cache.delete(key)
      const page = request(workspaceId, { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) })
      cache.set(key, { page, requestedAt: now() })
      page.catch(() => cache.delete(key))
      if (cache.size > maxCachedPages) for (const oldest of [...cache.keys()].slice(0, 1)) cache.delete(oldest)
      return page
    },
    async find(workspaceId, userId) {
      const { items } = await request(workspaceId, { limit: 1, user_id: userId })
      return items[0]
    },
  }
}

/** A recipient of notifications. */
export interface Recipient {
  id: string
  /** The zone of digests without one. */
  timezone: string
  isUser: boolean
  scopes: readonly Scope[]
}

/** The recipient of the feed that principals other than users share. */
export const workspaceRecipient = (workspaceId: string): Recipient => ({
  id: workspaceId,
  timezone: 'UTC',
  isUser: false,
  scopes: [],
})

export const userRecipient = ({ user_id: id, timezone, scopes }: NotificationRecipient): Recipient => ({
  id,
  timezone: timezone ?? 'UTC',
  isUser: true,
  scopes,
})
